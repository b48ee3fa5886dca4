"""The trace: which layer set which value, over what, from which file and line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bundler.model.location import Location

__all__ = ["Assignment", "Trace"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """One layer's word on one pointer of the composed tree.

    Attributes:
        pointer: into the composed tree, list items by their key: `/components/gpu-operator/values/driver/enabled`.
        value: what was written; None for a deletion.
        action: `set`, `delete`, `add` (to a set), `narrow` (a constraint) or `patch`.
        layer: the layer's label, such as `overlay service-gke`.
    """

    pointer: str
    value: Any
    action: str
    layer: str
    location: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """All assignments in the order they were made, by pointer."""

    assignments: Mapping[str, tuple[Assignment, ...]]

    def of(self, pointer: str) -> tuple[Assignment, ...]:
        """Every assignment to `pointer`, to what is above it, and to what is below it, oldest first within each pointer."""
        found: list[Assignment] = []
        for path, made in self.assignments.items():
            if path == pointer or path.startswith(f"{pointer}/") or pointer.startswith(f"{path}/"):
                found.extend(made)
        return tuple(found)
