"""The nodes that a runtime's pods may run on, and whether these have what the pods ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.compose.wording import each, listed, plural
from bundler.guard.side import Role, Side
from bundler.kube.node_selection import selects
from bundler.kube.quantity import Quantity
from bundler.model.check import Check, Phase
from bundler.model.finding import Finding
from bundler.validate.results import failed, passed, unproven, unread

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from decimal import Decimal

    from bundler.kube.resource import Resource
    from bundler.model.document import JsonObject
    from bundler.model.snapshot import Snapshot

__all__ = ["asked", "offers", "resources_allocatable", "target_nodes"]

_GPU = "nvidia.com/gpu"
_PAGES = "hugepages-"
_PHASE = Phase.DEPLOYMENT


def target_nodes(snapshot: Snapshot, runtime: Resource) -> tuple[JsonObject, ...]:
    """Nodes with GPUs that have the labels which the runtime's pods select. A node whose GPUs are all gone is one of them."""
    spec = Side.of(runtime, Role.RUNTIME).pod.spec
    return tuple(node for node in snapshot.of("nodes") if _GPU in _allocatable(node) and selects(spec, node))


def offers(node: JsonObject) -> Iterator[str]:
    """The resources of which a node has any left to give; a kubelet keeps the name of one that is gone, with 0."""
    return (key for key, value in _allocatable(node).items() if _amount(value) > 0)


def resources_allocatable(snapshot: Snapshot, runtime: Resource, nodes: Sequence[JsonObject]) -> Check:
    """Whether every node offers as much of each extended resource as one pod asks for."""
    name = "resources-allocatable"
    if gap := unread(_PHASE, name, snapshot, "nodes"):
        return gap
    if not nodes:
        says = "no node has GPUs and the labels that the runtime selects"
        return unproven(_PHASE, name, says, fix="take the snapshot while the nodes are up", subject=runtime.subject)
    wanted = asked(runtime)
    looked = [f"allocatable resources of {plural(len(nodes), 'node')}"]
    if findings := [finding for node in nodes for finding in _short(node, wanted)]:
        return failed(_PHASE, name, findings, looked)
    said = ", ".join(f"{key} {Quantity.shown(amount)}" for key, amount in wanted.items())
    says = f"{each(len(nodes), 'node')} offers {said or 'what a pod asks for'}"
    if claims := [one["name"] for one in Side.of(runtime, Role.RUNTIME).pod.spec.get("resourceClaims") or ()]:
        says += f"; whether it has the devices of the claim {listed(claims)} was not looked at"
        return unproven(_PHASE, name, says, fix="see the devices of the nodes: kubectl get resourceslices", looked=looked)
    return passed(_PHASE, name, says, looked)


def asked(runtime: Resource) -> dict[str, Decimal]:
    """Extended resources of one pod, over its containers."""
    found: dict[str, Decimal] = {}
    spec = Side.of(runtime, Role.RUNTIME).pod.spec
    for container in (*spec.get("containers", ()), *(spec.get("initContainers") or ())):
        resources = container.get("resources") or {}
        for key, value in {**(resources.get("requests") or {}), **(resources.get("limits") or {})}.items():
            if "/" in key or key.startswith(_PAGES):
                found[key] = found.get(key, _amount(0)) + _amount(value)
    return found


def _short(node: JsonObject, asked: Mapping[str, Decimal]) -> Iterator[Finding]:
    name = node["metadata"]["name"]
    for key, wanted in asked.items():
        offered = _allocatable(node).get(key)
        if _amount(offered) < wanted:
            has = f"offers {offered} of {key}" if offered is not None else f"does not offer {key}"
            fix = "see that the device plugin runs on the node, or choose another value of the attachment"
            message = f"node {name} {has}, where a pod asks for {Quantity.shown(wanted)}"
            yield Finding(rule="AICR-V030", message=message, subject=f"Node/{name}", fix=fix)


def _allocatable(node: JsonObject) -> JsonObject:
    found: JsonObject = (node.get("status") or {}).get("allocatable") or {}
    return found


def _amount(written: Any) -> Decimal:
    return Quantity.parse(written if written is not None else 0).value.normalize()
