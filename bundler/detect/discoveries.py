"""What a snapshot says of a profile's parameter. A parameter names its discovery, so a new fabric needs no new one."""

from __future__ import annotations

from dataclasses import field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from bundler.compose.wording import listed, plural
from bundler.dataclass import dataclass
from bundler.detect.fact import Fact, silent
from bundler.detect.gke_networks import attached, placed, shared
from bundler.detect.installed import PODS, Plugin, detect_installed, release_of
from bundler.detect.network_objects import deviceful, unusable
from bundler.detect.nic_resource import qualifying

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bundler.detect.nodes import Node
    from bundler.model.document import JsonObject
    from bundler.model.snapshot import Snapshot
    from bundler.profiles.inputs import Parameter

__all__ = ["DISCOVERIES", "Asked", "count_of"]

_ARCH = "kubernetes.io/arch"
_NETWORKS = "nodes: allocatable networking.gke.io.networks/*, annotations networking.gke.io/north-interfaces and nic-info"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What one parameter asks a snapshot.

    Attributes:
        parameter: with its keys, when it is a map.
        nodes: at least one, of the recipe's accelerator and machine type.
        count: units of a resource that one pod asks for, 1 where nothing says more.
    """

    parameter: Parameter
    nodes: Sequence[Node] = field(repr=False)
    snapshot: Snapshot = field(repr=False)
    count: int = 1


def _gke_networks(asked: Asked) -> Fact:
    """Networks that every node is attached to, exactly as many as there are interfaces, each on the NIC of that name."""
    keys, found = asked.parameter.place.required, shared(asked.nodes)
    if len(found) != len(keys):
        return _refused_count(asked, found, len(keys))
    return _on_nics(asked, found)


def _gke_rdma_networks(asked: Asked) -> Fact:
    """As above, of the Networks whose parameters say RDMA: nodes have others beside them."""
    found = deviceful(asked.snapshot, shared(asked.nodes), mode="RDMA")
    if len(found) < len(asked.parameter.place.required):
        return _refused_count(asked, found, len(asked.parameter.place.required))
    return _on_nics(asked, found)


def _on_nics(asked: Asked, found: Sequence[str]) -> Fact:
    """Interface → the Network on the host's NIC of the same number."""
    keys, names = asked.parameter.place.required, listed(found)
    places = placed(asked.nodes, found)
    if places is None:
        refusal = f"the annotations of the nodes do not place {names} on NICs, or not alike, so their order is not proven"
        return Fact(source=_NETWORKS, refusal=refusal, candidates=tuple(found))
    by_key = {f"eth{number}": name for name, number in places.items()}
    if absent := [key for key in keys if key not in by_key]:
        where = listed(f"{name} on {key}" for key, name in sorted(by_key.items()))
        return Fact(source=_NETWORKS, refusal=f"no network is on {listed(absent)}: {where}", candidates=tuple(found))
    value = {key: by_key[key] for key in keys}
    if faults := tuple(unusable(asked.snapshot, value.values())):
        return Fact(source="networks.networking.gke.io: status.conditions", refusal="; ".join(faults))
    return Fact(source=_NETWORKS, value=value, nodes=len(asked.nodes))


def _refused_count(asked: Asked, found: Sequence[str], wanted: int) -> Fact:
    every = sorted({name for node in asked.nodes for name in attached(node)})
    if not every:
        return Fact(source=_NETWORKS, refusal=f"no node is attached to a GPU NIC network, and {wanted} are needed")
    partly = [name for name in every if name not in found]
    beside = f"; only some nodes have {listed(partly)}, or it is of another kind" if partly else ""
    names = f" ({listed(found)})" if found else ""
    refusal = f"every node is attached to {plural(len(found), 'such network')}{names}, and {wanted} are needed{beside}"
    return Fact(source=_NETWORKS, refusal=refusal, candidates=tuple(every))


def _installed_release(asked: Asked) -> Fact:
    """The row of the release table that the running installers of all nodes are of."""
    table = asked.parameter.table
    assert table is not None, f"{asked.parameter.label} discovers a release and names no table"
    part = "pluginArm64" if all(node.labels.get(_ARCH) == "arm64" for node in asked.nodes) else "plugin"
    rows = {name: row[part if part in row else "plugin"] for name, row in asked.parameter.releases.items()}
    images = frozenset(row["repository"].rpartition("/")[2] for row in rows.values())
    plugin = Plugin(installer=f"{table.name} installer", images=images)
    found = detect_installed(asked.nodes, asked.snapshot, plugin)
    source = "pods of kube-system: images of running installers"
    if found.release is None:
        if asked.snapshot.gap(PODS) is not None or not found.tags:
            return silent(source, found.reason)
        return Fact(source=source, refusal=found.reason, candidates=found.tags)
    matching = [name for name, row in rows.items() if release_of(row["tag"]) == release_of(found.release)]
    exact = [name for name in matching if rows[name]["tag"] in found.tags]
    named = exact or matching
    if not named:
        return silent(source, f"the nodes run {found.release}, which is no row of {table.file}")
    if len(named) > 1:
        return Fact(source=source, refusal=f"{found.release} is part of {listed(named)}", candidates=tuple(named))
    return Fact(source=source, value=named[0], nodes=len(asked.nodes))


def _extended_resource(asked: Asked) -> Fact:
    """The one candidate that every node has at the count."""
    source = "nodes: status.allocatable"
    patterns = asked.parameter.declaration.get("among", ("*",))
    present = sorted(
        {name for node in asked.nodes for name in node.allocatable if any(fnmatchcase(name, each) for each in patterns)}
    )
    present = [name for name in present if any(node.amount(name) for node in asked.nodes)]
    fit = qualifying(asked.nodes, present, asked.count)
    if len(fit) == 1:
        return Fact(source=source, value=fit[0], nodes=len(asked.nodes))
    if fit:
        return Fact(source=source, refusal=f"every node has {listed(fit)}", candidates=fit)
    if not present:
        return silent(source, f"no node advertises {' or '.join(patterns)}")
    refusal = f"no candidate ({listed(present)}) is allocatable {plural(asked.count, 'time')} on every node"
    return Fact(source=source, refusal=refusal, candidates=tuple(present))


DISCOVERIES: Mapping[str, Callable[[Asked], Fact]] = {
    "gke-networks": _gke_networks,
    "gke-rdma-networks": _gke_rdma_networks,
    "installed-release": _installed_release,
    "extended-resource": _extended_resource,
}
"""By the name that a parameter states. `machine-type` is none of these: the machine type is a value of the whole request."""


def count_of(declaration: JsonObject, name: str, parameters: Mapping[str, object], machine: Mapping[str, object]) -> int:
    """How many units of the resource that a parameter names one pod asks for, as the value's wiring says; 1 where it does not.

    Args:
        declaration: of the profile value.
        name: of the parameter.
        parameters: given ones.
        machine: the row of the machine type.
    """
    for resource in declaration.get("wiring", {}).get("resources", ()):
        if resource.get("nameFrom") == f"parameters.{name}":
            whose, _, fact = resource.get("amountFrom", "").partition(".")
            amount = str({"parameters": parameters, "machine": machine}.get(whose, {}).get(fact, 1))
            return int(amount) if amount.isdecimal() else 1
    return 1
