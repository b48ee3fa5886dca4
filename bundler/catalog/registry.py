"""The component registry as typed values: the only place where a version is pinned."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from bundler.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bundler.model.document import Document, JsonObject
    from bundler.model.location import Location

__all__ = ["ComponentEntry", "SchedulingPaths", "read_entries"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SchedulingPaths:
    """Dotted value paths through which one node class reaches a chart."""

    node_selector: tuple[str, ...] = ()
    tolerations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentEntry:
    """What the registry says of one component.

    Attributes:
        selectable: accepted versions, the pin among them.
        repository: chart repository; empty for a component of manifests only.
        chart: chart name; empty for a component of manifests only.
        values: the component's values on every cluster, or None.
    """

    name: str
    description: str
    namespace: str
    version: str
    location: Location
    aliases: tuple[str, ...] = ()
    selectable: tuple[str, ...] = ()
    repository: str = ""
    chart: str = ""
    dependencies: tuple[str, ...] = ()
    manifests: tuple[str, ...] = ()
    system: SchedulingPaths = field(default_factory=SchedulingPaths)
    accelerated: SchedulingPaths = field(default_factory=SchedulingPaths)
    values: Document | None = None


def read_entries(registry: Document, values: Mapping[str, Document]) -> dict[str, ComponentEntry]:
    """The entries of one schema-valid registry document, by name.

    Args:
        registry: a document of kind Registry.
        values: component name → its `values.yaml`.
    """
    entries = {}
    for index, item in enumerate(registry.data["components"]):
        name = item["name"]
        chart = item.get("chart", {})
        scheduling = item.get("scheduling", {})
        version = item.get("version", "")
        entries[name] = ComponentEntry(
            name=name,
            description=item["description"],
            namespace=item["namespace"],
            version=version,
            location=registry.locate(f"/components/{index}"),
            aliases=tuple(item.get("aliases", ())),
            selectable=tuple(dict.fromkeys((version, *item.get("selectable", ())))),
            repository=chart.get("repository", ""),
            chart=chart.get("name", ""),
            dependencies=tuple(item.get("dependencies", ())),
            manifests=tuple(item.get("manifests", ())),
            system=_paths(scheduling.get("system", {})),
            accelerated=_paths(scheduling.get("accelerated", {})),
            values=values.get(name),
        )
    return entries


def _paths(data: JsonObject) -> SchedulingPaths:
    return SchedulingPaths(node_selector=tuple(data.get("nodeSelector", ())), tolerations=tuple(data.get("tolerations", ())))
