"""Requirements on single values: types are told apart, amounts are not spellings, placeholders may become what they stand for."""

import pytest

from bundler.guard.values import cut, may_be, same, same_amount, typed


@pytest.mark.parametrize(
    ("ours", "theirs", "equal"),
    [
        ("1", "1", True),
        ("1", 1, False),
        (1, True, False),
        (0, False, False),
        (1, 1.0, False),
        ([1], [True], False),
        ({"a": "1"}, {"a": 1}, False),
        ([{"a": 1, "b": 2}], [{"a": 1, "b": 2}], True),
    ],
)
def test_a_number_is_no_text_and_a_boolean_no_number(ours, theirs, equal):
    assert same(ours, theirs) is equal
    assert same(theirs, ours) is equal


@pytest.mark.parametrize(
    ("ours", "theirs", "equal"),
    [
        ("1", 1, True),
        ("1", "1000m", True),
        (8, "8", True),
        ("1Gi", "1024Mi", True),
        ("1", "2", False),
        (True, 1, False),
        ("x", "x", False),
    ],
)
def test_an_amount_is_one_value_in_many_spellings(ours, theirs, equal):
    assert same_amount(ours, theirs) is equal


@pytest.mark.parametrize(
    ("ours", "theirs", "may"),
    [
        ("8", "${GPUS}", True),
        ([1, 2], "${LIST}\n", True),
        ("a=8 b", "a=${GPUS} b", True),
        ("a=8 c", "a=${GPUS} b", False),
        ("a.c", "a.${X}", True),
        ("abc", "a.${X}", False),
        ("${GPUS}", "8", False),
        ("8", "8", False),
        (8, "a${X}", False),
        ("8", "$(GPUS)", False),
    ],
)
def test_a_placeholder_may_become_what_stands_in_its_place(ours, theirs, may):
    assert may_be(ours, theirs) is may


def test_shows_values_with_their_type_and_of_bounded_length():
    assert typed("8") == 'the text "8"'
    assert typed(8) == "the number 8"
    assert typed(True) == "the boolean true"
    assert len(cut("x" * 1000)) == 161
