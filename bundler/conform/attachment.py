"""The pods that a profile value attaches to a fabric: what was selected for them, and how the fabric is wired into a pod."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.conform.pods import training_pods
from bundler.dataclass import dataclass
from bundler.model.pointer import child

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.conform.context import Context, Facts
    from bundler.conform.pods import Container, PodTemplate
    from bundler.kube.resource import Resource
    from bundler.model.composition import Composition, Selection
    from bundler.model.document import JsonObject

__all__ = ["NODE", "Attachment", "attachments", "possible_machines", "selected"]

NODE = "node"
"""The container that trains."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A training pod of a runtime that a profile value ships.

    Attributes:
        selection: the value, with its parameters and its machine.
        table: the release table: `wiring`, `devices`, `releases`; empty when the value has none.
        record: the selected release; empty when the value has none.
    """

    pod: PodTemplate
    selection: Selection
    table: JsonObject
    record: JsonObject

    @property
    def wiring(self) -> JsonObject:
        """How the fabric is wired into a pod: what the release table says, and over it what the value says."""
        return {**self.table.get("wiring", {}), **self.selection.declaration.get("wiring", {})}

    @property
    def node(self) -> Container | None:
        """The container that trains."""
        return self.pod.container(NODE)

    @property
    def sidecar(self) -> Container | None:
        """The container of the fabric's daemon."""
        return self.pod.container(self.wiring.get("sidecar", ""))

    def annotation(self, key: str) -> tuple[str, str | None]:
        """Pointer and text of an annotation of the pod."""
        annotations = self.pod.metadata.get("annotations") or {}
        return child(f"{self.pod.pointer}/metadata/annotations", key), annotations.get(key)


def attachments(resource: Resource, context: Context) -> Iterator[Attachment]:
    """The training pods of a runtime that a profile value ships or is measured by, once for each release that the value names."""
    axes = {runtime.axis for runtime in context.composition.runtimes if runtime.name == resource.name}
    for selection in context.composition.selections:
        if selection.axis not in axes and selection.declaration.get("fixture") != resource.name:
            continue
        for table, record in _releases(selection, context) or (({}, {}),):
            for pod in training_pods(resource):
                yield Attachment(pod=pod, selection=selection, table=table, record=record)


def selected(selection: Selection, reference: str) -> Any:
    """What a wiring refers to as `machine.<fact>`, `parameters.<name>` or `release.<key>`; None when it was not selected."""
    section, _, key = reference.partition(".")
    found = {
        "machine": selection.machine,
        "parameters": selection.parameters,
        "release": selection.releases.get("release", {}),
    }
    return found[section].get(key)


def possible_machines(selection: Selection, composition: Composition, facts: Facts) -> list[JsonObject]:
    """The machines that a value may meet, as far as they are known: the one selected, else all that the value lists."""
    if selection.machine:
        return [selection.machine]
    listed = selection.declaration.get("appliesTo", {}).get("machineTypes", ())
    known = facts.machines(composition.criteria.service)
    return [known[name] for name in listed if name in known]


def _releases(selection: Selection, context: Context) -> tuple[tuple[JsonObject, JsonObject], ...]:
    parameters = selection.declaration.get("parameters") or {}
    return tuple(
        (context.facts.table(parameters[parameter]["releases"]), record) for parameter, record in selection.releases.items()
    )
