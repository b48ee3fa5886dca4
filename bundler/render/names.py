"""The names a template may use, and the nearest of them to a mistyped one."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["FUNCTIONS", "VARIABLES", "is_part", "suggestion"]

FUNCTIONS = ("fragment", "image", "range")

VARIABLES = ("accelerated", "component", "criteria", "entry", "options", "profiles", "system", "values")

_MOST_LISTED = 8


def is_part(name: str) -> bool:
    """Whether a template is a part: its file name starts with `_`, and it sees the names of the template that includes it."""
    return name.rpartition("/")[2].startswith("_")


def suggestion(name: str, known: Iterable[str]) -> str:
    """A fix for a name that is not among `known`: the nearest, or all of a few."""
    names = sorted(known)
    if near := get_close_matches(name, names, n=1):
        return f"did you mean {near[0]!r}?"
    if not names:
        return ""
    listed = ", ".join(names[:_MOST_LISTED])
    return f"use one of {listed}" + (", …" if len(names) > _MOST_LISTED else "")
