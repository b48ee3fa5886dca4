"""The composition: a recipe with all its layers applied and its profiles selected. Everything a render needs, as typed values."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from bundler.dataclass import dataclass
from bundler.model.request import Scheduling

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bundler.model.criteria import Criteria
    from bundler.model.document import JsonObject
    from bundler.model.finding import Finding
    from bundler.model.location import Location
    from bundler.model.trace import Trace

__all__ = ["Chart", "Component", "Composition", "Constraint", "Layer", "Patch", "Runtime", "Selection"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One applied document.

    Attributes:
        label: `component <name>` (its own values), `base`, `overlay <name>`, `recipe <name>`, `profile <axis>=<value>`, `flags`.
        file: where it stands.
        digest: of the document's bytes, or of the part of it that is applied; empty for flags.
    """

    label: str
    file: str
    digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A Helm chart by address; `version` is the registry's pin or the selected one."""

    repository: str
    name: str
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """One installed part of the stack.

    Attributes:
        chart: None for a component of manifests only.
        values: composed values of the chart and of the component's own manifests.
        dependencies: names of components that come first, sorted.
        manifests: template names below `manifests/`, in the order declared.
    """

    name: str
    version: str
    namespace: str
    chart: Chart | None
    values: JsonObject
    dependencies: tuple[str, ...] = ()
    manifests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch:
    """RFC 6902 operations of one layer on one rendered runtime."""

    operations: tuple[JsonObject, ...]
    layer: str
    location: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """A runtime to ship, by the name of its template `manifests/runtimes/<name>.yaml.j2`.

    Attributes:
        axis: the profile axis whose value brought it, or the empty string.
    """

    name: str
    axis: str = ""
    patches: tuple[Patch, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraint:
    """A requirement on the cluster, such as `K8s.server.version` `>= 1.32`, after all layers narrowed it."""

    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The value chosen on one profile axis.

    Attributes:
        parameters: every parameter of the value in its normalised, schema-ordered form.
        releases: parameter name → the record it names in its release table.
        machine: the row of a machine table that its machine parameter names; empty when it has none.
        table: what its release table says of all its releases, such as `wiring` and `devices`; empty when it has none.
        owned: pointers below `/components` that this axis owns.
        declaration: the profile value as authored (transport, floor, fixture, machineTypes…).
    """

    axis: str
    value: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    releases: Mapping[str, JsonObject] = field(default_factory=dict)
    machine: JsonObject = field(default_factory=dict)
    table: JsonObject = field(default_factory=dict)
    owned: tuple[str, ...] = ()
    declaration: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """A resolved recipe.

    Attributes:
        components: in an order that respects the dependencies, ties by name.
        runtimes: sorted by name.
        constraints: sorted by name.
        selections: sorted by axis.
        fixtures: runtimes that validators apply to measure what the selected values attach, sorted by name.
        warnings: findings that do not stop the bundle.
    """

    recipe: str
    criteria: Criteria
    layers: tuple[Layer, ...]
    components: tuple[Component, ...]
    runtimes: tuple[Runtime, ...]
    constraints: tuple[Constraint, ...]
    selections: tuple[Selection, ...]
    trace: Trace
    accelerated: Scheduling = field(default_factory=Scheduling)
    system: Scheduling = field(default_factory=Scheduling)
    allow_unpinned: bool = False
    fixtures: tuple[Runtime, ...] = ()
    warnings: tuple[Finding, ...] = ()

    def component(self, name: str) -> Component | None:
        """The component of that name, or None."""
        return next((component for component in self.components if component.name == name), None)

    def selection(self, axis: str) -> Selection | None:
        """The selection on that axis, or None."""
        return next((selection for selection in self.selections if selection.axis == axis), None)
