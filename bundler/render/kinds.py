"""How messages call a value's type."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["kind_of"]

_KINDS: Mapping[type, str] = {
    bool: "a boolean",
    int: "a number",
    float: "a number",
    str: "a text",
    dict: "a map",
    list: "a list",
    tuple: "a list",
    type(None): "null",
}


def kind_of(value: object) -> str:
    """The type of a value in the words of authored documents; anything that is no data is what Python calls it."""
    return _KINDS.get(type(value), f"a value of type {type(value).__name__}")
