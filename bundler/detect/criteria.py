"""Criteria that nodes prove: service by provider ID and labels, accelerator by machine type or product, system by its image.

The rows stand in `recipes/detection/criteria.yaml`. A node that several services fit proves none of them, and says which.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from bundler.dataclass import dataclass
from bundler.detect.fact import Fact, agreed
from bundler.detect.nodes import GPU
from bundler.detect.platforms import is_recognised

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bundler.catalog.catalog import Catalog
    from bundler.detect.nodes import Node
    from bundler.model.document import JsonObject

__all__ = ["MACHINE_TYPE", "CriteriaRows"]

MACHINE_TYPE = "node.kubernetes.io/instance-type"
"""The node label that names the machine type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CriteriaRows:
    """What proves which criterion.

    Attributes:
        services: as authored.
        systems: as authored.
        names: GPU architecture → its name as a criterion, where it is another one.
        machines: service → machine type → its row.
    """

    services: tuple[JsonObject, ...]
    systems: tuple[JsonObject, ...]
    names: Mapping[str, str]
    machines: Mapping[str, Mapping[str, JsonObject]] = field(repr=False)

    @classmethod
    def of(cls, catalog: Catalog) -> CriteriaRows:
        """The catalogue's rows."""
        data = catalog.document("recipes/detection/criteria.yaml", kind="CriteriaTable").data
        return cls(
            services=tuple(data["services"]),
            systems=tuple(data["operatingSystems"]),
            names={row["architecture"]: row["name"] for row in data["accelerators"]},
            machines={
                service: {row["name"]: row for row in catalog.machine_table(service).data["machines"]}
                for service in catalog.machine_tables
            },
        )

    def has_gpus(self, node: Node) -> bool:
        """Whether a node has GPUs, known to Kubernetes already or by its machine type alone."""
        machine = node.labels.get(MACHINE_TYPE)
        return node.present or bool(node.product) or node.amount(GPU) > 0 or any(machine in rows for rows in self.machines.values())

    def service(self, nodes: Sequence[Node]) -> Fact:
        """The service that the nodes are of."""
        source = "nodes: spec.providerID, labels and status.nodeInfo.kubeletVersion"
        return agreed(source, _by(nodes, self._services), silence="no node has what tells a service")

    def accelerator(self, nodes: Sequence[Node], service: str | None) -> Fact:
        """The accelerator that the nodes have."""
        source = f"nodes: labels {MACHINE_TYPE} and nvidia.com/gpu.product, or the GPUs' ResourceSlices"
        return agreed(source, _by(nodes, lambda node: self.accelerators(node, service)), silence="no node says which GPU it has")

    def accelerators(self, node: Node, service: str | None) -> tuple[str, ...]:
        """What a node says of its accelerator: nothing, one thing, or two where machine type and product disagree."""
        row = self.machines.get(service or "", {}).get(node.labels.get(MACHINE_TYPE, ""))
        found = [row["accelerator"]] if row is not None else []
        if node.product:
            found.append(self.names.get(node.architecture, node.architecture))
        return tuple(dict.fromkeys(found))

    def system(self, nodes: Sequence[Node]) -> Fact:
        """The operating system of the nodes."""
        source = "nodes: status.nodeInfo.osImage"
        images = sorted({str(node.info["osImage"]) for node in nodes if node.info.get("osImage")})
        silence = f"no row of recipes/detection/criteria.yaml fits {', '.join(images)}" if images else "no node names its system"
        return agreed(source, _by(nodes, self._systems), silence=silence)

    def is_known(self, dimension: str, value: str) -> bool:
        """Whether nodes could prove the value at all, and so prove another one."""
        rows = {"service": self.services, "os": self.systems}.get(dimension)
        return rows is None or any(row["name"] == value for row in rows)

    def _services(self, node: Node) -> tuple[str, ...]:
        kubelet = str(node.info.get("kubeletVersion", ""))
        return tuple(row["name"] for row in self.services if row.get("kubelet", "") in kubelet and is_recognised(node, row))

    def _systems(self, node: Node) -> tuple[str, ...]:
        image = str(node.info.get("osImage", ""))
        return tuple(row["name"] for row in self.systems if image.startswith(row["image"]))[:1]


def _by(nodes: Iterable[Node], answers: Callable[[Node], tuple[str, ...]]) -> dict[tuple[str, ...], list[Node]]:
    """Answer → the nodes that give it."""
    found: dict[tuple[str, ...], list[Node]] = {}
    for node in nodes:
        if said := answers(node):
            found.setdefault(said, []).append(node)
    return found
