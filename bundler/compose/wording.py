"""How messages name things: the nearest known name, bounded quotes, lists."""

from __future__ import annotations

import json
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["listed", "near_name", "nearest", "pairs", "shown"]

_SHOWN = 60
_LISTED = 12


def shown(value: Any) -> str:
    """A value as a user writes it, text quoted, cut where a message would become unreadable."""
    text = repr(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def listed(names: Iterable[str]) -> str:
    """Names separated by commas, the tail of a long list counted."""
    every = list(names)
    if len(every) <= _LISTED:
        return ", ".join(every)
    return f"{', '.join(every[:_LISTED])} and {len(every) - _LISTED} more"


def pairs(mapping: Mapping[str, Any]) -> str:
    """`key=value` pairs separated by commas."""
    return ", ".join(f"{key}={value}" for key, value in mapping.items())


def near_name(name: str, known: Iterable[str]) -> str | None:
    """The known name that `name` most likely meant; letter case is no difference."""
    folded = {candidate.casefold(): candidate for candidate in sorted(known, reverse=True)}
    found = get_close_matches(name[:_SHOWN].casefold(), folded, n=1)
    return folded[found[0]] if found else None


def nearest(name: str, known: Iterable[str], *, label: str = "known") -> str:
    """A fix for a name that is not known.

    Args:
        name: as it was given.
        known: what it could have been.
        label: what introduces the whole list when nothing is near.
    """
    names = sorted(known)
    near = near_name(name, names)
    if near is not None:
        return f"did you mean {near!r}?"
    return f"{label}: {listed(names)}" if names else "remove it"
