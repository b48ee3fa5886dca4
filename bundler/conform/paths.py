"""Many paths into an object, walked together: what they have in common is visited once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from bundler.dataclass import dataclass
from bundler.model.pointer import child

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["Paths"]

Said = TypeVar("Said")


@dataclass(frozen=True, slots=True, kw_only=True)
class Paths(Generic[Said]):
    """Paths, in which `*` stands for each item of a list, each with what is said of the values that it leads to.

    Attributes:
        said: of the value that the steps so far lead to.
        below: next step → the paths from there.
    """

    said: tuple[Said, ...]
    below: Mapping[str, Paths[Said]]

    @classmethod
    def of(cls, table: Iterable[tuple[str, Said]]) -> Paths[Said]:
        """Paths, each with what is said; the empty path leads to the object itself."""
        said: list[Said] = []
        below: dict[str, list[tuple[str, Said]]] = {}
        for path, one in table:
            first, _, rest = path.partition("/")
            if first:
                below.setdefault(first, []).append((rest, one))
            else:
                said.append(one)
        return cls(said=tuple(said), below={first: cls.of(rest) for first, rest in below.items()})

    def select(self, data: Any, pointer: str) -> list[tuple[Said, str, Any]]:
        """What is said, pointer and value of each place that a path leads to. Nulls are absent."""
        found: list[tuple[Said, str, Any]] = []
        _visit(self, data, pointer, found)
        return found


def _visit(paths: Paths[Said], data: Any, pointer: str, found: list[tuple[Said, str, Any]]) -> None:
    found.extend((one, pointer, data) for one in paths.said)
    if isinstance(data, dict):
        for step, below in paths.below.items():
            if (value := data.get(step)) is not None:
                _visit(below, value, child(pointer, step), found)
    elif isinstance(data, list) and "*" in paths.below:
        for index, item in enumerate(data):
            _visit(paths.below["*"], item, f"{pointer}/{index}", found)
