"""Conditions in CEL: on what was detected, and on measured values. The library is loaded when the first condition is met."""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ConditionError", "holds", "problem"]

_SHOWN = 160
_TOO_DEEP = "it is nested too deeply"


class ConditionError(Exception):
    """A condition cannot be compiled or evaluated; the text says why, in one line."""


def holds(expression: str, variables: Mapping[str, Any]) -> bool:
    """Whether a condition is true.

    Raises:
        ConditionError: it is malformed, names something that is not there, or yields no boolean.
    """
    from celpy.adapter import json_to_cel  # noqa: PLC0415  (100 ms that only run when a condition is met)
    from celpy.celtypes import BoolType  # noqa: PLC0415  (as above)
    from celpy.evaluation import CELEvalError  # noqa: PLC0415  (as above)

    try:
        result = _program(expression).evaluate({name: json_to_cel(value) for name, value in variables.items()})
    except CELEvalError as error:
        raise ConditionError(_line(error)) from None
    except RecursionError:
        raise ConditionError(_TOO_DEEP) from None
    if not isinstance(result, BoolType | bool):
        raise ConditionError("it yields no true or false")
    return bool(result)


def problem(expression: str, variables: Mapping[str, Any]) -> str | None:
    """Why a condition cannot be used with variables such as these, or None."""
    try:
        holds(expression, variables)
    except ConditionError as error:
        return str(error)
    return None


@lru_cache(maxsize=256)
def _program(expression: str) -> Any:
    from celpy import Environment  # noqa: PLC0415  (as above)
    from celpy.celparser import CELParseError  # noqa: PLC0415  (as above)

    # The library raises the interpreter's limit for good, and so changes how deep everything else may go.
    limit = sys.getrecursionlimit()
    try:
        environment = Environment()
        return environment.program(environment.compile(expression))
    except CELParseError as error:
        place = f" at column {error.column}" if error.column else ""
        raise ConditionError(f"it cannot be parsed{place}") from None
    except RecursionError:
        raise ConditionError(_TOO_DEEP) from None
    finally:
        sys.setrecursionlimit(limit)


def _line(error: Exception) -> str:
    text = str(error.args[0] if error.args else error).partition(" (in activation")[0]
    return " ".join(text.split())[:_SHOWN]
