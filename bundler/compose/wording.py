"""How messages name things: the nearest known name, bounded quotes, lists."""

from __future__ import annotations

import json
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["each", "listed", "near_name", "nearest", "pairs", "plural", "shown"]

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


def plural(number: int, noun: str, nouns: str = "") -> str:
    """The number with its noun, such as `1 file` or `1,024 files`.

    Args:
        number: of things.
        noun: what one of them is called.
        nouns: what several are called, where that is not the noun with an s.
    """
    return f"{number:,} {noun if number == 1 else nouns or f'{noun}s'}"


def each(number: int, noun: str) -> str:
    """All of so many, as the subject of a verb in the singular: `the only node`, `each of 8 nodes`."""
    return f"the only {noun}" if number == 1 else f"each of {plural(number, noun)}"


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
