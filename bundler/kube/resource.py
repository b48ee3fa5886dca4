"""A Kubernetes object with its identity and its origin."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, TypeVar

from bundler.dataclass import dataclass
from bundler.model.location import Location
from bundler.model.pointer import parent

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

    from bundler.model.document import JsonObject

__all__ = ["Resource"]

_Derived = TypeVar("_Derived")


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """One object that a template rendered.

    Attributes:
        data: the whole object, never mutated.
        template: the template's file, as messages show it.
        positions: JSON pointer → the template line (or patch) that wrote the value.
        owner: the component that ships it; for runtimes `kubeflow-trainer`.
    """

    data: JsonObject
    template: str
    positions: Mapping[str, Location] = field(repr=False)
    owner: str
    _made: dict[tuple[Hashable, ...], Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def derived(self, build: Callable[..., _Derived], *given: Hashable) -> _Derived:
        """What `build` makes of this object and what else it is given, made once and kept as long as the object is.

        Args:
            build: a pure function.
            given: hashable values that never change.
        """
        key = (build, *given)
        if key not in self._made:
            self._made[key] = build(self, *given)
        made: _Derived = self._made[key]
        return made

    @property
    def kind(self) -> str:
        """`kind`."""
        return str(self.data.get("kind", ""))

    @property
    def api_version(self) -> str:
        """`apiVersion`."""
        return str(self.data.get("apiVersion", ""))

    @property
    def name(self) -> str:
        """`metadata.name`."""
        return str(self.data.get("metadata", {}).get("name", ""))

    @property
    def namespace(self) -> str:
        """`metadata.namespace`, empty for cluster-scoped objects."""
        return str(self.data.get("metadata", {}).get("namespace", ""))

    @property
    def identity(self) -> tuple[str, str, str, str]:
        """API group, kind, namespace and name: what a cluster tells objects apart by."""
        group = self.api_version.rpartition("/")[0]
        return group, self.kind, self.namespace, self.name

    @property
    def subject(self) -> str:
        """`Kind/name`, as messages show it."""
        return f"{self.kind}/{self.name}"

    def locate(self, pointer: str) -> Location:
        """The template line that wrote `pointer` or its nearest ancestor."""
        while (place := self.positions.get(pointer)) is None and pointer:
            pointer = parent(pointer)
        return place or Location(file=self.template, line=1, column=1)
