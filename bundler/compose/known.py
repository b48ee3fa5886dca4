"""What the catalogue knows of one component: its registry entry, its values on every cluster, and the schema of its values."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bundler.catalog.validation import Validator
from bundler.compose.assignments import leaves
from bundler.compose.layer import ComponentPart, refuse_repeated, values_pointer
from bundler.compose.lists import Lists
from bundler.compose.schema import Place
from bundler.dataclass import dataclass
from bundler.model.composition import Layer
from bundler.model.pointer import join
from bundler.model.trace import Assignment

if TYPE_CHECKING:
    from bundler.catalog.catalog import Catalog
    from bundler.catalog.registry import ComponentEntry, SchedulingPaths
    from bundler.model.document import JsonObject

__all__ = ["KnownComponent"]

REGISTRY = "registry"
"""The label of what the registry states."""


@dataclass(frozen=True, kw_only=True)
class KnownComponent:
    """One component of the registry, read once for all compositions."""

    entry: ComponentEntry
    catalog: Catalog = field(repr=False)

    @property
    def name(self) -> str:
        """The component's name."""
        return self.entry.name

    @property
    def label(self) -> str:
        """What the trace calls the component's own values."""
        return f"component {self.name}"

    @property
    def applied(self) -> Layer | None:
        """The layer of the component's own values, or None when it has none."""
        values = self.entry.values
        return None if values is None else Layer(label=self.label, file=values.file, digest=values.digest)

    @cached_property
    def schema(self) -> JsonObject | None:
        """The schema of the values, or None."""
        return self.catalog.values_schema(self.name)

    @cached_property
    def lists(self) -> Lists | None:
        """How the lists of the values merge."""
        return None if self.schema is None else Lists.of(self.schema)

    @cached_property
    def validator(self) -> Validator | None:
        """The compiled schema of the values, or None."""
        return None if self.schema is None else Validator.of(self.schema, shown=f"schemas/values/{self.name}.json")

    @cached_property
    def ground(self) -> ComponentPart:
        """What lies below every layer: the component's own values, and what the registry says it needs."""
        values = self.entry.values
        assignments = (
            ()
            if values is None
            else tuple(
                leaves(
                    values.data,
                    pointer=values_pointer(self.name),
                    source="",
                    layer=self.label,
                    locate=values.locate,
                    lists=self.lists,
                )
            )
        )
        refuse_repeated(assignments)
        return ComponentPart(
            name=self.name,
            layer=self.label,
            location=self.entry.location,
            values={} if values is None else values.data,
            assignments=assignments,
            deletions=tuple(assignment for assignment in assignments if assignment.action == "delete"),
            dependencies=tuple(self._added("dependencies", name) for name in self.entry.dependencies),
            manifests=tuple(self._added("manifests", name) for name in self.entry.manifests),
        )

    def place(self, values: JsonObject) -> Place:
        """What may stand where in the values.

        Args:
            values: the composed values, which speak for themselves when the component has no schema: their keys are known, of the
                type they have, and so are the paths that scheduling flags write.
        """
        if self.schema is not None:
            return Place.of(self.schema)
        described = _describe(values)
        for paths in (self.entry.system, self.entry.accelerated):
            _describe_scheduling(described, paths)
        return Place.of(described)

    def _added(self, section: str, name: str) -> Assignment:
        pointer = join(("components", self.name, section, name))
        return Assignment(pointer=pointer, value=name, action="add", layer=REGISTRY, location=self.entry.location)


def _describe(value: Any) -> JsonObject:
    """A schema of what stands there now. An empty map is open: its keys are for the user to choose."""
    match value:
        case dict() if value:
            below = {key: _describe(item) for key, item in value.items()}
            return {"type": "object", "properties": below, "additionalProperties": False}
        case dict():
            return {"type": "object"}
        case list():
            return {"type": "array"}
        case bool():
            return {"type": "boolean"}
        case int() | float():
            return {"type": "number"}
        case _:
            return {"type": "string"}


def _describe_scheduling(described: JsonObject, paths: SchedulingPaths) -> None:
    labels = {"type": "object", "additionalProperties": {"type": "string"}}
    for dotted in paths.node_selector:
        _add(described, dotted.split("."), labels)
    for dotted in paths.tolerations:
        _add(described, dotted.split("."), {"type": "array"})


def _add(described: JsonObject, steps: list[str], schema: JsonObject) -> None:
    for step in steps[:-1]:
        properties = described.setdefault("properties", {})
        described = properties.setdefault(step, {"type": "object", "additionalProperties": False})
    described.setdefault("properties", {})[steps[-1]] = schema
