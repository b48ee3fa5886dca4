"""JSON pointers (RFC 6901) as plain strings; the root is the empty string."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["at", "child", "join", "parent", "resolve", "tokens"]


def child(pointer: str, token: str | int) -> str:
    """The pointer one step below `pointer`."""
    text = str(token)
    if "~" in text or "/" in text:
        text = text.replace("~", "~0").replace("/", "~1")
    return f"{pointer}/{text}"


def join(steps: Iterable[str | int]) -> str:
    """The pointer that takes `steps` from the root."""
    pointer = ""
    for step in steps:
        pointer = child(pointer, step)
    return pointer


def tokens(pointer: str) -> tuple[str, ...]:
    """The unescaped steps of a pointer.

    Raises:
        ValueError: the text is neither empty nor starts with `/`.
    """
    if not pointer:
        return ()
    if not pointer.startswith("/"):
        raise ValueError(f"a JSON pointer starts with '/': {pointer!r}")
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in pointer[1:].split("/"))


def parent(pointer: str) -> str:
    """The pointer one step above; the root is its own parent."""
    return pointer.rpartition("/")[0]


def resolve(data: Any, pointer: str) -> Any:
    """The value at `pointer` in plain data.

    Raises:
        LookupError: nothing is there.
    """
    return at(data, tokens(pointer))


def at(data: Any, steps: Iterable[str]) -> Any:
    """The value that `steps` lead to in plain data.

    Raises:
        LookupError: nothing is there.
    """
    value = data
    for step in steps:
        match value:
            case dict() if step in value:
                value = value[step]
            case list() if step.isascii() and step.isdigit() and int(step) < len(value):
                value = value[int(step)]
            case _:
                raise LookupError(join(steps))
    return value
