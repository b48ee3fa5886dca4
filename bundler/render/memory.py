"""What was rendered before: kept by value, so that it is never stale, and in a number that is bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable

    from bundler.kube.resource import Resource

__all__ = ["Memory"]

_LARGEST = 64
"""Renderings that are kept: those that many bundles have in common, and the last of those that each has for itself."""


class Memory:
    """The objects of the last renderings, by all that they depend on."""

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: dict[Hashable, tuple[Resource, ...]] = {}

    def recall(self, key: Hashable) -> tuple[Resource, ...] | None:
        """What was kept under a key, which is now the last to be forgotten; None when nothing is."""
        kept = self._kept.pop(key, None)
        if kept is not None:
            self._kept[key] = kept
        return kept

    def keep(self, key: Hashable, resources: tuple[Resource, ...]) -> None:
        """Keep objects, and forget those that were not asked for the longest."""
        self._kept[key] = resources
        if len(self._kept) > _LARGEST:
            del self._kept[next(iter(self._kept))]
