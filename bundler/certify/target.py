"""The nodes of a target as their controller sees them: platform, GPU architecture, and which of them a job fits on.

The controller keeps the nodes of the detected architecture, and of these the ones that hold a pod of the category.
Source: NVIDIA/cluster-readiness-engine, documentation of platform detection.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from bundler.compose.wording import listed
from bundler.dataclass import dataclass
from bundler.detect.architecture import detect_architecture, nodes_with
from bundler.detect.capacity import capable
from bundler.detect.event import detected
from bundler.detect.gpus import PRODUCT, UNKNOWN, architecture_of
from bundler.detect.nodes import NODES, nodes_of
from bundler.detect.platforms import detect_platform
from bundler.detect.products import SLICES, with_products
from bundler.detect.target import Target, targeted
from bundler.detect.unread import unread
from bundler.errors import InvalidInput
from bundler.model.finding import Finding

if TYPE_CHECKING:
    from bundler.catalog.catalog import Catalog
    from bundler.detect.nodes import Node
    from bundler.model.document import Document, JsonObject
    from bundler.model.location import Location
    from bundler.model.snapshot import Snapshot

__all__ = ["Observed", "observe", "target_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """A target's nodes.

    Attributes:
        nodes: those of the architecture, by name.
        snapshot: what else was read of their cluster.
        location: where the target is stated.
        pointer: of the target.
        notes: what is said of how they were found.
    """

    platform: str
    architecture: str
    nodes: tuple[Node, ...] = field(repr=False)
    snapshot: Snapshot = field(repr=False)
    location: Location | None = None
    pointer: str = ""
    notes: tuple[Finding, ...] = ()

    def capable(self, gpus: int) -> tuple[tuple[Node, ...], tuple[Finding, ...]]:
        """The nodes that hold a pod with so many GPUs, and what is said of the others.

        Raises:
            InvalidInput: there are none.
        """
        found = capable(self.nodes, gpus, location=self.location, pointer=self.pointer)
        if not found.excluded:
            return found.nodes, ()
        names = listed(node.name for node in found.excluded)
        return found.nodes, (detected(f"Left out for fewer than {gpus} allocatable GPUs: {names}"),)


def observe(
    catalog: Catalog,
    snapshot: Snapshot,
    target: JsonObject,
    *,
    platform: str | None = None,
    location: Location | None = None,
    pointer: str = "",
) -> Observed:
    """The nodes that a target means, and what they are.

    Args:
        catalog: has the platforms.
        snapshot: of the cluster.
        target: as a document states it, valid by its schema.
        platform: as stated, which no node is asked for then.
        location: where the target is stated.
        pointer: the same, in its document.

    Raises:
        InvalidInput: the nodes could not be read, the target selects none, they are on several platforms, or none says its GPU.
    """
    if (gap := snapshot.gap(NODES)) is not None:
        raise InvalidInput("AICR-N002", unread(gap, "nothing can be detected").message, fix=unread(gap, "").fix)
    selected = targeted(nodes_of(snapshot), Target.of(target)).require(location, pointer)
    nodes, notes = with_products(selected, snapshot)
    found = platform or detect_platform(catalog, nodes, location=location, pointer=pointer)
    voted = detect_architecture(nodes)
    architecture = voted if voted != UNKNOWN else architecture_of((target.get("nodeSelector") or {}).get(PRODUCT, ""))
    if not architecture:
        message = (
            f"cannot determine GPU architecture: no target node and no nodeSelector says its product ({PRODUCT} label is required)"
        )
        fix = f"label the nodes, add {PRODUCT} to the nodeSelector, or add what `kubectl get {SLICES} -o yaml` prints"
        unknown = Finding(rule="AICR-R002", message=message, location=location, pointer=pointer, fix=fix)
        raise InvalidInput.of((unknown, *notes))
    of_architecture = nodes_with(nodes, voted)
    said = [*notes, detected(_found(found, architecture, len(nodes), is_stated=platform is not None))]
    if len(of_architecture) < len(nodes):
        kept = frozenset(node.name for node in of_architecture)
        others = listed(node.name for node in nodes if node.name not in kept)
        said.append(detected(f"Left out for another GPU than {architecture}, or none that is known: {others}"))
    return Observed(
        platform=found,
        architecture=architecture,
        nodes=of_architecture,
        snapshot=snapshot,
        location=location,
        pointer=pointer,
        notes=tuple(said),
    )


def target_of(document: Document) -> tuple[JsonObject, str]:
    """The target that a Certification, WorkloadRun or Workflow states, and its pointer; all GPU nodes where it states none."""
    at = "/spec/orchestration/target" if document.kind == "Workflow" else "/spec/target"
    stated: JsonObject = document.data["spec"]
    for step in at.split("/")[2:]:
        stated = stated.get(step) or {}
    return stated, at


def _found(platform: str, architecture: str, count: int, *, is_stated: bool) -> str:
    what = f"GPU architecture {architecture}" if is_stated else f"platform {platform} and GPU architecture {architecture}"
    return f"Detected {what} on {count} target node{'s' if count != 1 else ''}"
