"""The capacity filter: nodes that cannot hold one pod of a job are left out, because a job that waits for them never starts.

A node that advertises no GPUs is kept: where GPUs are claimed, nodes advertise none.
Source: NVIDIA/cluster-readiness-engine issue 82.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.dataclass import dataclass
from bundler.detect.nodes import GPU
from bundler.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bundler.detect.nodes import Node
    from bundler.model.location import Location

__all__ = ["Capable", "capable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Capable:
    """Nodes with enough GPUs, and those left out for having fewer."""

    nodes: tuple[Node, ...]
    excluded: tuple[Node, ...] = ()


def capable(nodes: Sequence[Node], gpus: int, *, location: Location | None = None, pointer: str = "") -> Capable:
    """The nodes that hold a pod with so many GPUs.

    Args:
        nodes: by name.
        gpus: of one pod.
        location: where the number or the target is stated.
        pointer: into the document there.

    Raises:
        InvalidInput: no node is left.
    """
    excluded = tuple(node for node in nodes if 0 < node.amount(GPU) < gpus)
    left = frozenset(node.name for node in excluded)
    kept = tuple(node for node in nodes if node.name not in left)
    if nodes and not kept:
        best = max(node.amount(GPU) for node in nodes)
        message = f"no target node has the {gpus} allocatable {GPU} that a pod asks for; the most that one has is {best}"
        fix = f"set gpusPerNode to what the nodes have, such as {best}, or choose other nodes"
        raise InvalidInput("AICR-N004", message, location=location, pointer=pointer, fix=fix)
    return Capable(nodes=kept, excluded=excluded)
