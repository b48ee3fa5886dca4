"""The binary operators of templates, each bounded before it computes."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from bundler.render.budget import LARGEST_TEXT
from bundler.render.kinds import kind_of
from bundler.render.refusal import Refusal
from bundler.render.undefined import require

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bundler.render.budget import Budget

__all__ = ["OPERATORS", "compute"]

_NUMERIC: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
}

OPERATORS = frozenset(_NUMERIC)

_LARGEST_BITS = 128


def compute(budget: Budget, symbol: str, left: Any, right: Any) -> Any:
    """The value of `left <symbol> right`: numbers with every operator, texts and lists with `+` and with `*` by a whole number.

    Raises:
        Refusal: the operands do not go with the operator, or the result would be too large.
        UndefinedError: an operand is undefined.
    """
    for operand in (left, right):
        require(operand)
    if _number(left) and _number(right):
        _bound_number(symbol, left, right)
        return _NUMERIC[symbol](left, right)
    match symbol, left, right:
        case "+", str(), str():
            budget.pay_text(len(left) + len(right))
            return left + right
        case "+", list(), list():
            budget.pay(len(left) + len(right) + 1)
            return left + right
        case "*", str() | list(), int() if _number(right):
            return _repeated(budget, left, right)
        case "*", int(), str() | list() if _number(left):
            return _repeated(budget, right, left)
        case "%", str(), _:
            raise Refusal("AICR-T004", "formatting text with % is not offered", fix="join text with +")
        case _:
            fix = "turn the number into text with the filter string" if symbol == "+" else "compute with numbers"
            raise Refusal("AICR-T010", f"no value for {kind_of(left)} {symbol} {kind_of(right)}", fix=fix)


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _bound_number(symbol: str, left: Any, right: Any) -> None:
    if not (isinstance(left, int) and isinstance(right, int)):
        return
    match symbol:
        case "*":
            bits = left.bit_length() + right.bit_length()
        case "**":
            bits = left.bit_length() * abs(right)
        case _:
            return
    if bits > _LARGEST_BITS:
        raise Refusal(
            "AICR-T009", f"the result of {symbol} is longer than {_LARGEST_BITS} bits", fix="compute with smaller numbers"
        )


def _repeated(budget: Budget, value: Any, times: int) -> Any:
    length = len(value) * max(times, 0)
    if length > LARGEST_TEXT:
        raise Refusal("AICR-T009", f"a repetition to {length} items is longer than {LARGEST_TEXT}", fix="repeat it fewer times")
    budget.pay(length + 1)
    return value * times
