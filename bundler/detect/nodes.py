"""Nodes as detection reads them: labels, annotations, taints, what can be allocated."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from bundler.dataclass import dataclass
from bundler.detect.gpus import PRODUCT, architecture_of
from bundler.errors import InvalidInput
from bundler.kube.quantity import Quantity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bundler.model.document import JsonObject
    from bundler.model.snapshot import Snapshot

__all__ = ["GPU", "NODES", "PRESENT", "Node", "nodes_of"]

NODES = "nodes"
"""The resource, as a snapshot names it."""

GPU = "nvidia.com/gpu"
"""The extended resource of whole GPUs, and the key of the taint on their nodes."""

PRESENT = "nvidia.com/gpu.present"
"""The label that the GPU Operator sets on nodes with GPUs, to `true`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One node.

    Attributes:
        provider_id: empty when the node has none.
        cordoned: whether new pods are kept away from it.
        product: the GPU's name; the label's, or that of a ResourceSlice where the label is missing; empty when nothing says it.
        has_label: whether the product is the label's. What was read elsewhere is no ground for a node selector.
        info: `status.nodeInfo`.
    """

    name: str
    labels: Mapping[str, str] = field(default_factory=dict, repr=False)
    annotations: Mapping[str, str] = field(default_factory=dict, repr=False)
    taints: tuple[JsonObject, ...] = field(default=(), repr=False)
    allocatable: Mapping[str, Any] = field(default_factory=dict, repr=False)
    info: Mapping[str, Any] = field(default_factory=dict, repr=False)
    provider_id: str = ""
    cordoned: bool = False
    product: str = ""
    has_label: bool = True

    @classmethod
    def of(cls, data: JsonObject) -> Node:
        """A node of its object."""
        metadata, spec, status = (data.get(part) or {} for part in ("metadata", "spec", "status"))
        labels = metadata.get("labels") or {}
        return cls(
            name=metadata.get("name") or "",
            labels=labels,
            annotations=metadata.get("annotations") or {},
            taints=tuple(spec.get("taints") or ()),
            allocatable=status.get("allocatable") or {},
            info=status.get("nodeInfo") or {},
            provider_id=spec.get("providerID") or "",
            cordoned=bool(spec.get("unschedulable")),
            product=labels.get(PRODUCT) or "",
            has_label=PRODUCT in labels,
        )

    @property
    def architecture(self) -> str:
        """The architecture of its GPUs, empty when nothing says it."""
        return architecture_of(self.product)

    @property
    def present(self) -> bool:
        """Whether the node says that it has GPUs."""
        return self.labels.get(PRESENT) == "true"

    def amount(self, resource: str) -> int:
        """How many whole units of a resource a pod can get there; 0 when the node does not advertise it, or no quantity."""
        written = self.allocatable.get(resource)
        if isinstance(written, str) and written.isdecimal():
            return int(written)
        if written is None or isinstance(written, bool) or not isinstance(written, str | int):
            return 0
        try:
            return int(Quantity.parse(written).value)
        except InvalidInput:
            return 0


def nodes_of(snapshot: Snapshot) -> tuple[Node, ...]:
    """All nodes of a snapshot, by name."""
    return tuple(sorted(map(Node.of, snapshot.of(NODES)), key=lambda node: node.name))
