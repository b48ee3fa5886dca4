"""Requirements on the operators of templates."""

import pytest

from bundler.render.arithmetic import compute
from bundler.render.budget import LARGEST_TEXT, Budget
from bundler.render.refusal import Refusal


@pytest.mark.parametrize(
    ("left", "symbol", "right", "expected"),
    [
        (1, "+", 2, 3),
        (1, "-", 2.5, -1.5),
        (7, "//", 2, 3),
        (7, "%", 4, 3),
        (1, "/", 2, 0.5),
        (2, "**", 62, 2**62),
        (2, "**", -1, 0.5),
        ("a", "+", "b", "ab"),
        ([1], "+", [2], [1, 2]),
        ("ab", "*", 3, "ababab"),
        (3, "*", "ab", "ababab"),
        ([0], "*", 2, [0, 0]),
        ("ab", "*", -1, ""),
    ],
)
def test_numbers_compute_and_texts_and_lists_join_and_repeat(left, symbol, right, expected):
    assert compute(Budget(), symbol, left, right) == expected


@pytest.mark.parametrize(
    ("left", "symbol", "right", "message"),
    [
        ("a", "+", 1, "no value for a text + a number"),
        ([1], "+", (2,), "no value for a list + a list"),
        ({}, "+", {}, "no value for a map + a map"),
        (True, "+", 1, "no value for a boolean + a number"),
        ("a", "*", True, "no value for a text * a boolean"),
        (None, "-", 1, "no value for null - a number"),
        ("a", "-", "b", "no value for a text - a text"),
        (1, "%", "a", "no value for a number % a text"),
    ],
)
def test_other_operands_are_refused_by_the_names_of_their_types(left, symbol, right, message):
    with pytest.raises(Refusal) as caught:
        compute(Budget(), symbol, left, right)
    assert (caught.value.rule, caught.value.message) == ("AICR-T010", message)


def test_text_is_not_formatted():
    with pytest.raises(Refusal, match="formatting text with % is not offered"):
        compute(Budget(), "%", "%1000000000d", 1)


@pytest.mark.parametrize(
    ("left", "symbol", "right"),
    [
        (10, "**", 10**8),
        (10**8, "**", 10),
        (2**70, "*", 2**70),
        ("a", "*", LARGEST_TEXT + 1),
        ([0], "*", LARGEST_TEXT + 1),
        ("a" * LARGEST_TEXT, "+", "a"),
        (10**9, "*", [0]),
    ],
)
def test_a_result_that_would_be_too_large_is_not_computed(left, symbol, right):
    with pytest.raises(Refusal) as caught:
        compute(Budget(), symbol, left, right)
    assert caught.value.rule == "AICR-T009"
