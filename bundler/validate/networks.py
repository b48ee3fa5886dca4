"""Whether the networks of GKE that a runtime names exist, are ready, and reach the NICs of every node that it may run on.

That the objects exist says nothing of the nodes: a NIC that took the place of another leaves a GPU without its own (NVIDIA/aicr
issue 2265). Annotations and resource names are those of networking.gke.io/v1.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bundler.compose.wording import each, listed, plural
from bundler.guard.side import Role, Side
from bundler.model.check import Check, Phase
from bundler.model.finding import Finding
from bundler.validate.nodes import offers
from bundler.validate.results import failed, passed, skipped, unproven, unread

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bundler.kube.resource import Resource
    from bundler.model.composition import Selection
    from bundler.model.document import JsonObject
    from bundler.model.snapshot import Snapshot

__all__ = ["networks_ready", "networks_usable", "pod_networks"]

NETWORKS = "networks.networking.gke.io"
RESOURCE = "networking.gke.io.networks/"
_NICS = "networking.gke.io/nic-info"
_NORTH = "networking.gke.io/north-interfaces"
_PRIMARY = "default"
_PHASE = Phase.DEPLOYMENT


def pod_networks(runtime: Resource, selection: Selection) -> Mapping[str, str]:
    """Interface → Network of a runtime's pods, as their annotation says; nothing where the attachment has no such."""
    wiring = selection.table.get("wiring") or selection.declaration.get("wiring") or {}
    key = wiring.get("interfacesAnnotation")
    text = (Side.of(runtime, Role.RUNTIME).pod.metadata.get("annotations") or {}).get(key) if key else None
    entries = _json(text) if text else []
    return {entry["interfaceName"]: entry["network"] for entry in entries if entry["network"] != _PRIMARY}


def networks_ready(snapshot: Snapshot, networks: Mapping[str, str]) -> Check:
    """Whether each Network exists and says that it and its parameters are ready."""
    name = "networks-ready"
    if not networks:
        return skipped(_PHASE, name, "the attachment names no Networks")
    if gap := unread(_PHASE, name, snapshot, NETWORKS):
        return gap
    objects = {one["metadata"]["name"]: one for one in snapshot.of(NETWORKS)}
    looked = [f"{plural(len(objects), 'Network')} of {', '.join(snapshot.sources)}"]
    findings = [finding for network in networks.values() for finding in _unready(network, objects)]
    if findings:
        return failed(_PHASE, name, findings, looked)
    return passed(_PHASE, name, f"{len(networks)} Networks are ready, with their parameters", looked)


def networks_usable(snapshot: Snapshot, networks: Mapping[str, str], nodes: Sequence[JsonObject]) -> Check:
    """Whether every node has each Network, on the NIC that the pod's interface is named for."""
    name = "networks-usable"
    if not networks:
        return skipped(_PHASE, name, "the attachment names no Networks")
    if gap := unread(_PHASE, name, snapshot, "nodes"):
        return gap
    if not nodes:
        return unproven(
            _PHASE, name, "no node is known that the runtime may run on", fix="take the snapshot while the nodes are up"
        )
    looked = [f"allocatable Networks and NICs of {plural(len(nodes), 'node')}"]
    if findings := [finding for node in nodes for finding in _misplaced(node, networks)]:
        return failed(_PHASE, name, findings, looked)
    unjoined = [node["metadata"]["name"] for node in nodes if not _places(node).keys() >= {*networks.values()}]
    if unjoined:
        says = f"{listed(unjoined)} {'does' if len(unjoined) == 1 else 'do'} not say which NIC each Network is on"
        return unproven(_PHASE, name, says, fix=f"see the annotations {_NICS} and {_NORTH}", looked=looked)
    return passed(_PHASE, name, f"{each(len(nodes), 'node')} has {len(networks)} Networks, each on its own NIC", looked)


def _unready(network: str, objects: Mapping[str, JsonObject]) -> Iterator[Finding]:
    subject = f"Network/{network}"
    if network not in objects:
        fix = f"create it, or name another; there are {listed(sorted(objects)) or 'none'}"
        yield Finding(rule="AICR-V020", message=f"the cluster has no Network {network!r}", subject=subject, fix=fix)
        return
    conditions = {one.get("type"): one for one in (objects[network].get("status") or {}).get("conditions") or []}
    for kind in ("Ready", "ParamsReady"):
        condition = conditions.get(kind) or {}
        if condition.get("status") != "True":
            state = f"{condition['status']} ({condition.get('reason', 'no reason')})" if condition.get("status") else "not stated"
            message = f"{kind} of Network {network} is {state}"
            fix = f"see the GKENetworkParamSet that it names: kubectl describe network {network}"
            yield Finding(rule="AICR-V021", message=message, subject=subject, fix=fix)
            return


def _misplaced(node: JsonObject, networks: Mapping[str, str]) -> Iterator[Finding]:
    name = node["metadata"]["name"]
    subject = f"Node/{name}"
    offered = {key.removeprefix(RESOURCE) for key in offers(node) if key.startswith(RESOURCE) and not key.endswith(".IP")}
    places = _places(node)
    if missing := [network for network in networks.values() if network not in offered]:
        taken = {nic: network for network, nic in places.items() if nic[0] in networks and network not in networks.values()}
        message = (
            f"node {name} has {len(networks) - len(missing)} of {len(networks)} Networks: {listed(missing)} cannot be allocated"
        )
        message += "".join(f"; {network} took {nic[0]} at {nic[1]}" for nic, network in taken.items())
        fix = "create the node pool with these additional networks and no other, each with its own VPC"
        yield Finding(rule="AICR-V022", message=message, subject=subject, fix=fix)
    elif others := sorted(offered - {*networks.values(), _PRIMARY}):
        message = (
            f"node {name} has {listed(others)} besides {len(networks)} Networks of GPUs, and its NIC may take the place of theirs"
        )
        fix = "create the node pool with the Networks of the GPUs and no other"
        yield Finding(rule="AICR-V023", message=message, subject=subject, fix=fix)
    else:
        for interface, network in networks.items():
            if network in places and places[network][0] != interface:
                nic, address = places[network]
                message = f"node {name} has {network} on {nic} at {address}, where pods take it for {interface}"
                fix = "give the interfaces in the order of the node's NICs"
                yield Finding(rule="AICR-V024", message=message, subject=subject, fix=fix)


def _places(node: JsonObject) -> dict[str, tuple[str, str]]:
    """Network → name and PCI address of the NIC that it is on, joined by the address that both annotations have."""
    annotations = node["metadata"].get("annotations") or {}
    nics = {address: (name, pci) for address, name, pci in _texts(annotations.get(_NICS), "birthIP", "birthName", "pciAddress")}
    return {
        network: nics[address] for network, address in _texts(annotations.get(_NORTH), "network", "ipAddress") if address in nics
    }


def _texts(annotation: Any, *keys: str) -> Iterator[tuple[str, ...]]:
    """What the entries of an annotation say of keys; an entry that lacks one says nothing."""
    for entry in _json(annotation):
        found = tuple(text for key in keys if isinstance(text := entry.get(key), str))
        if len(found) == len(keys):
            yield found


def _json(text: Any) -> list[JsonObject]:
    """The objects in an annotation; none in one that cannot be read."""
    try:
        found = json.loads(text or "[]")
    except (ValueError, RecursionError):
        return []
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
