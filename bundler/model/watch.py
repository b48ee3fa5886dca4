"""Who looks on while something long is done: a watcher is given what is gone through, and gives it back one by one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

__all__ = ["Watch", "unwatched"]

Watch = Callable[[Collection[Any]], Iterable[Any]]
"""Gives back what it is given, in its order, and may say how far that has come."""


def unwatched(items: Collection[Any]) -> Iterable[Any]:
    """Nobody looks on."""
    return items
