"""What was made before of equal inputs: kept by value, so that it is never stale, and in a number that is bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

__all__ = ["Memory"]

_Made = TypeVar("_Made")


class Memory:
    """The results of pure functions, by everything that they depend on. What was not asked for the longest is forgotten."""

    __slots__ = ("_kept", "_largest")

    def __init__(self, largest: int) -> None:
        """Keep no more than `largest` results."""
        self._kept: dict[Hashable, Any] = {}
        self._largest = largest

    def recall(self, key: Hashable) -> Any:
        """What is kept under a key, which is now the last to be forgotten; None when nothing is."""
        kept = self._kept.pop(key, None)
        if kept is not None:
            self._kept[key] = kept
        return kept

    def keep(self, key: Hashable, made: _Made) -> _Made:
        """Keep a result."""
        self._kept[key] = made
        if len(self._kept) > self._largest:
            del self._kept[next(iter(self._kept))]
        return made

    def of(self, key: Hashable, make: Callable[[], _Made]) -> _Made:
        """What is kept under a key; made when nothing is.

        Args:
            key: names what is made, and holds all that it depends on.
            make: makes it; never None.
        """
        kept: _Made | None = self.recall(key)
        return self.keep(key, make()) if kept is None else kept
