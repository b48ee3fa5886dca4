"""The GKE Networks of a target's nodes, and the NIC that each is on.

A node advertises `networking.gke.io.networks/<network>` for every Network that it is attached to. Those that every node advertises
are used, and only when they are as many as the fabric needs. Annotations of the node place a Network on a host NIC, by the address
that both know: `north-interfaces` says which Network has which address, `nic-info` which NIC was born with it. Where all nodes
agree, the pod's interfaces are the host's.
Sources: NVIDIA/cluster-readiness-engine, documentation of GCP H100 clusters; NVIDIA/aicr gkenet.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from bundler.compose.wording import listed
from bundler.dataclass import dataclass
from bundler.detect.event import Reason, detected, event

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bundler.detect.nodes import Node
    from bundler.model.finding import Finding
    from bundler.model.location import Location

__all__ = ["DEFAULTS", "GkeNetworks", "attached", "detect_networks", "placed", "shared"]

DEFAULTS = tuple(f"gpu-nic{index}" for index in range(8))
"""Names that are rendered where the nodes do not say theirs; GKE rejects a pod that names a Network which does not exist."""

_PREFIX = "networking.gke.io.networks/"
_ADDRESS = ".IP"
_DEFAULT = f"{_PREFIX}default"
_NORTH = "networking.gke.io/north-interfaces"
_NICS = "networking.gke.io/nic-info"
_BIRTH_NAME = re.compile(r"eth([0-9]{1,3})")


@dataclass(frozen=True, slots=True, kw_only=True)
class GkeNetworks:
    """What was found.

    Attributes:
        names: of eth1 to eth8, in this order.
        detected: whether they are the nodes', and not the defaults.
        note: what is said of it.
    """

    names: tuple[str, ...]
    detected: bool
    note: Finding


def detect_networks(nodes: Sequence[Node], *, location: Location | None = None) -> GkeNetworks:
    """The eight Networks of an A3 Mega target, in the order of the host's NICs where nodes say it, else sorted.

    Args:
        nodes: of the target.
        location: where the target is stated.
    """
    found, wanted = shared(nodes), len(DEFAULTS)
    if len(found) == wanted:
        places = placed(nodes, found)
        order = tuple(sorted(found, key=lambda name: places[name])) if places is not None else found
        note = detected(f"Auto-detected GKE TCPXO networks {', '.join(order)} (allocatable on every target node)")
        return GkeNetworks(names=order, detected=True, note=note)
    if found:
        message = (
            f"found {len(found)} networks allocatable on every target node ({listed(found)}), but TCPXO needs exactly {wanted}"
        )
    else:
        message = (
            f"found no {_PREFIX}* resource allocatable on every target node, "
            f"but TCPXO needs {wanted} GPU NIC networks per node (a3-megagpu-8g)"
        )
    message += (
        f"; rendering the default networks {DEFAULTS[0]}..{DEFAULTS[-1]} instead; "
        "GKE rejects the pods unless Network objects with those names exist"
    )
    fix = "give the node pool its eight networks, narrow the target to A3 Mega nodes that agree, or give --tcpxo-networks"
    return GkeNetworks(names=DEFAULTS, detected=False, note=event(Reason.NETWORKS, message, fix=fix, location=location))


def attached(node: Node) -> frozenset[str]:
    """The Networks that a node is attached to, without the cluster's default network."""
    return frozenset(
        name[len(_PREFIX) :]
        for name in node.allocatable
        if name.startswith(_PREFIX) and name != _DEFAULT and not name.endswith(_ADDRESS) and node.amount(name)
    )


def shared(nodes: Sequence[Node]) -> tuple[str, ...]:
    """The Networks that every node is attached to, sorted."""
    return tuple(sorted(frozenset.intersection(*map(attached, nodes)))) if nodes else ()


def placed(nodes: Sequence[Node], names: Sequence[str]) -> dict[str, int] | None:
    """Network → the number of its NIC, 1 for eth1; None unless every node places all of them, each on a NIC of its own, alike.

    Args:
        nodes: at least one.
        names: the Networks to place.
    """
    agreed: dict[str, int] | None = None
    for node in nodes:
        by_network = _places(node)
        found = {name: by_network[name] for name in names if name in by_network}
        if len(found) != len(names) or len(set(found.values())) != len(names) or (agreed is not None and found != agreed):
            return None
        agreed = found
    return agreed


def _places(node: Node) -> Mapping[str, int]:
    """Network → number of the NIC, as one node's annotations say."""
    nics: dict[str, int] = {}
    for nic in _list(node.annotations.get(_NICS)):
        if (name := _BIRTH_NAME.fullmatch(str(nic.get("birthName")))) is not None:
            addresses = (nic.get("birthIP"), nic.get("birthIPv6"))
            nics |= {address: int(name[1]) for address in addresses if isinstance(address, str) and address}
    places: dict[str, int] = {}
    for each in _list(node.annotations.get(_NORTH)):
        network, address = each.get("network"), each.get("ipAddress")
        if isinstance(network, str) and isinstance(address, str) and address in nics:
            places[network] = nics[address]
    return places


def _list(text: str | None) -> list[dict[str, Any]]:
    """The objects of an annotation's JSON list; none when it is something else."""
    try:
        data = json.loads(text) if text else []
    except (ValueError, RecursionError):
        return []
    return [item for item in data if isinstance(item, dict)] if isinstance(data, list) else []
