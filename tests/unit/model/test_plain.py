"""A copy of plain data shares nothing that can be changed, and steps lead where a pointer does."""

import pytest

from bundler.model.plain import copied
from bundler.model.pointer import at, resolve

DATA = {"a": [{"b": 1}, "text", None], "c": {"d/e": True}}


def test_a_copy_is_equal_and_shares_no_map_and_no_list():
    copy = copied(DATA)
    assert copy == DATA
    copy["a"][0]["b"] = 2
    copy["a"].append(3)
    copy["c"]["new"] = 1
    assert DATA == {"a": [{"b": 1}, "text", None], "c": {"d/e": True}}


@pytest.mark.parametrize(
    ("steps", "pointer", "value"), [((), "", DATA), (("a", "0", "b"), "/a/0/b", 1), (("c", "d/e"), "/c/d~1e", True)]
)
def test_steps_lead_where_the_pointer_does(steps, pointer, value):
    assert at(DATA, steps) == resolve(DATA, pointer) == value


@pytest.mark.parametrize("steps", [("x",), ("a", "3"), ("a", "-"), ("a", "1", "b")])
def test_steps_that_lead_nowhere_are_told_as_a_pointer(steps):
    with pytest.raises(LookupError, match=f"^/{'/'.join(steps)}$"):
        at(DATA, steps)
