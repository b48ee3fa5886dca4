"""The extended resource by which a site's RDMA device plugin hands out NICs. Its name is the site's choice, so nodes are asked.

A resource is used when it is the only candidate that every target node has at the count. Anything else requests none: detection
neither guesses nor asks for more than a node has. Source: NVIDIA/cluster-readiness-engine, documentation of on-prem clusters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.compose.wording import listed
from bundler.dataclass import dataclass
from bundler.detect.event import Reason, detected, event

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bundler.detect.nodes import Node
    from bundler.model.finding import Finding
    from bundler.model.location import Location

__all__ = ["NicResource", "candidates", "detect_nic_resource", "is_candidate", "qualifying"]

_PREFIX = "rdma/"
_NAME = "nvidia.com/mlnxnics"
_PLATFORM = "onprem"
_ARCHITECTURES = frozenset({"gb200", "gb300", "b200", "b300"})


@dataclass(frozen=True, slots=True, kw_only=True)
class NicResource:
    """What was found.

    Attributes:
        name: to be requested; None when there is none, several, or too few.
        candidates: on any node.
        note: what is said of it.
    """

    name: str | None
    candidates: tuple[str, ...]
    note: Finding


def concerns(platform: str, architecture: str) -> bool:
    """Whether the resource is looked for: where an override requests a NIC whose name is the site's."""
    return platform == _PLATFORM and architecture in _ARCHITECTURES


def is_candidate(resource: str) -> bool:
    """Whether a resource may be a NIC."""
    return resource.startswith(_PREFIX) or resource == _NAME


def candidates(nodes: Sequence[Node]) -> tuple[str, ...]:
    """Candidates that any node advertises, sorted."""
    return tuple(sorted({name for node in nodes for name in node.allocatable if is_candidate(name) and node.amount(name)}))


def qualifying(nodes: Sequence[Node], names: Sequence[str], count: int) -> tuple[str, ...]:
    """Those of the resources that every node has at the count, which is 1 at least."""
    wanted = max(count, 1)
    return tuple(name for name in names if nodes and all(node.amount(name) >= wanted for node in nodes))


def detect_nic_resource(nodes: Sequence[Node], count: int, *, location: Location | None = None) -> NicResource:
    """The NIC resource of the target nodes.

    Args:
        nodes: of the target.
        count: NICs of one pod (`mlnxPerNode`).
        location: where the target is stated.
    """
    present = candidates(nodes)
    fit = qualifying(nodes, present, count)
    if len(fit) == 1:
        note = detected(f'Auto-detected NIC resource "{fit[0]}" (allocatable at the requested count on every target node)')
        return NicResource(name=fit[0], candidates=present, note=note)
    if fit:
        message = (
            f"found multiple candidates allocatable on every target node ({listed(fit)}); no NIC resource is requested. "
            "Set nicResourceName to choose one"
        )
        fix = f"set nicResourceName: {fit[0]}, or another of them"
    elif not present:
        message = f"found no RDMA extended resource ({_PREFIX}* or {_NAME}) on any target node; no NIC resource is requested"
        fix = "install the site's RDMA device plugin, or set rdmaDeviceAccess: hostPath where nodes have no plugin"
    else:
        message = (
            f"found candidates ({listed(present)}), but none is allocatable at the requested count {count} on every target node; "
            "no NIC resource is requested. Set nicResourceName, or adjust mlnxPerNode"
        )
        fix = "set mlnxPerNode: 1 where the resource is one pool for all NICs, or correct the nodes that lack it"
    return NicResource(name=None, candidates=present, note=event(Reason.NIC, message, fix=fix, location=location))
