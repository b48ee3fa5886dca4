"""A copy of plain data shares nothing that can change, what identifies a value is no other's, steps lead where a pointer does."""

import pytest

from bundler.model.plain import copied, identifying
from bundler.model.pointer import at, resolve

DATA = {"a": [{"b": 1}, "text", None], "c": {"d/e": True}}


def test_a_copy_is_equal_and_shares_no_map_and_no_list():
    copy = copied(DATA)
    assert copy == DATA
    copy["a"][0]["b"] = 2
    copy["a"].append(3)
    copy["c"]["new"] = 1
    assert DATA == {"a": [{"b": 1}, "text", None], "c": {"d/e": True}}


def test_equal_values_are_identified_alike_whatever_they_share():
    item = {"b": "text"}
    assert identifying([item, item, "text"]) == identifying([{"b": "text"}, {"b": "TEXT".lower()}, "TEXT".lower()])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, True),
        (1, 1.0),
        (0, None),
        ("1", 1),
        ("", None),
        ([], {}),
        ([1, [2]], [[1], 2]),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({"a": {"b": 1}}, {"a": {}, "b": 1}),
        ("é", "e\u0301"),
    ],
)
def test_other_values_are_told_apart(one, other):
    assert identifying(one) != identifying(other)


@pytest.mark.parametrize(
    ("steps", "pointer", "value"), [((), "", DATA), (("a", "0", "b"), "/a/0/b", 1), (("c", "d/e"), "/c/d~1e", True)]
)
def test_steps_lead_where_the_pointer_does(steps, pointer, value):
    assert at(DATA, steps) == resolve(DATA, pointer) == value


@pytest.mark.parametrize("steps", [("x",), ("a", "3"), ("a", "-"), ("a", "1", "b")])
def test_steps_that_lead_nowhere_are_told_as_a_pointer(steps):
    with pytest.raises(LookupError, match=f"^/{'/'.join(steps)}$"):
        at(DATA, steps)
