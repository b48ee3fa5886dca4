"""Whether a JSON pointer leads somewhere in plain values, and where it most likely should have led."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.compose.wording import listed, near_name, shown
from bundler.model.pointer import child, join, tokens

if TYPE_CHECKING:
    from bundler.model.document import JsonObject

__all__ = ["dead_end", "index_of", "stands"]

_MAX_DIGITS = 9


def index_of(step: str, length: int) -> int | None:
    """The list index that a step names, or None. RFC 6901 section 4: no sign, no leading zero."""
    if not (step.isascii() and step.isdigit() and len(step) <= _MAX_DIGITS):
        return None
    index = int(step)
    return index if str(index) == step and index < length else None


def dead_end(values: JsonObject, pointer: str, *, creates: bool) -> tuple[str, str] | None:
    """Why a pointer leads nowhere and what to do, or None when it leads somewhere.

    Args:
        values: plain data.
        pointer: starts with `/`.
        creates: whether the last step may name a new key, the next index, or `-`.
    """
    steps = tokens(pointer)
    value: Any = values
    for depth, step in enumerate(steps):
        may_be_new = creates and depth == len(steps) - 1
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and (index := index_of(step, len(value))) is not None:
            value = value[index]
        elif (isinstance(value, dict) and may_be_new) or (
            isinstance(value, list) and may_be_new and step in {"-", str(len(value))}
        ):
            return None
        else:
            so_far = join(steps[:depth])
            return _reason(value, so_far, step), _way_out(value, so_far, step, steps[depth + 1 :])
    return None


def stands(value: Any, path: tuple[str, ...]) -> bool:
    """Whether something stands at a path of keys. What is below a list is not asked: its items are found by key."""
    for step in path:
        if isinstance(value, list):
            return True
        if not isinstance(value, dict) or step not in value:
            return False
        value = value[step]
    return True


def _reason(value: Any, so_far: str, step: str) -> str:
    match value:
        case dict():
            return f"{so_far or 'the root'} has no {step!r}"
        case list():
            return f"{so_far} has no item {shown(step)}"
        case _:
            return f"{so_far} is {shown(value)}, nothing stands below it"


def _way_out(value: Any, so_far: str, step: str, rest: tuple[str, ...]) -> str:
    match value:
        case dict():
            near = near_name(step, value)
            if near is not None:
                whole = join(rest)
                leads_on = not whole or dead_end({near: value[near]}, child("", near) + whole, creates=False) is None
                return f"did you mean {child(so_far, near) + (whole if leads_on else '')!r}?"
            return f"known below {so_far or 'the root'}: {listed(sorted(value))}" if value else f"{so_far or 'the root'} is empty"
        case list():
            count = len(value)
            return {0: "the list is empty", 1: "the list has one item, 0"}.get(count, f"the list has items 0 to {count - 1}")
        case _:
            return f"replace {so_far} instead"
