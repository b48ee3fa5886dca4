"""Phase readiness: whether a cluster meets the constraints of a recipe, as far as a snapshot shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.compose.constraints import parse
from bundler.compose.wording import each, listed, plural
from bundler.detect.nodes import GPU
from bundler.model.check import Check, Phase
from bundler.model.finding import Finding
from bundler.validate.nodes import asked, target_nodes
from bundler.validate.results import failed, passed, unproven, unread
from bundler.validate.said import said_by_nodes, ways

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bundler.catalog.catalog import Catalog
    from bundler.model.composition import Constraint
    from bundler.model.document import JsonObject
    from bundler.model.snapshot import Snapshot
    from bundler.validate.shipped import Shipped

__all__ = ["readiness"]

_PHASE = Phase.READINESS
_VERSION = "K8s.server.version"
_LABEL = "NodeTopology.gpu-nodes.label"
_GPUS = "gpu-count"
_UP = "take it while the nodes are up"


def readiness(catalog: Catalog, snapshot: Snapshot, shipped: Shipped) -> Iterator[Check]:
    """Check each constraint of a recipe, and the GPUs of its nodes. What a snapshot does not show is not proved.

    Args:
        catalog: says where nodes say what.
        snapshot: of the cluster.
        shipped: what is to be installed.
    """
    nodes = tuple({node["metadata"]["name"]: node for one in shipped.runtimes for node in target_nodes(snapshot, one)}.values())
    for constraint in shipped.composition.constraints:
        if constraint.name == _VERSION:
            yield _version(snapshot, constraint)
        elif constraint.name == _LABEL or constraint.name.startswith(f"{_LABEL}."):
            yield _label(snapshot, constraint, nodes)
        elif constraint.name in ways(catalog):
            yield _said(catalog, snapshot, constraint.name, nodes, constraint.value)
        else:
            says = f"a snapshot does not show it; the recipe asks for {constraint.value}"
            yield unproven(_PHASE, constraint.name, says, fix="see that it holds")
    if gpus := max((asked(runtime).get(GPU, 0) for runtime in shipped.runtimes), default=0):
        yield _said(catalog, snapshot, _GPUS, nodes, f">= {gpus:f}")


def _said(catalog: Catalog, snapshot: Snapshot, name: str, nodes: Sequence[JsonObject], wanted: str) -> Check:
    if gap := unread(_PHASE, name, snapshot, "nodes"):
        return gap
    if not nodes:
        return unproven(_PHASE, name, f"the snapshot has no node with GPUs; {wanted} is asked for", fix=_UP)
    return said_by_nodes(name, ways(catalog)[name], nodes, wanted)


def _version(snapshot: Snapshot, constraint: Constraint) -> Check:
    if snapshot.version is None:
        says = f"the snapshot has no version of the server; the recipe asks for {constraint.value}"
        return unproven(_PHASE, constraint.name, says, fix="take it by 'aicr snapshot'")
    looked = (f"the server's version, {snapshot.version}",)
    if parse(constraint.value).admits(snapshot.version):
        return passed(
            _PHASE, constraint.name, f"the server is {snapshot.version}, and the recipe asks for {constraint.value}", looked
        )
    message = f"the server is {snapshot.version}, where the recipe asks for {constraint.value}"
    finding = Finding(
        rule="AICR-V050", message=message, subject=constraint.name, fix="upgrade the cluster, or choose another value"
    )
    return failed(_PHASE, constraint.name, (finding,), looked)


def _label(snapshot: Snapshot, constraint: Constraint, nodes: Sequence[JsonObject]) -> Check:
    """A label that every GPU node must have, or with a leading `!` none may have."""
    if gap := unread(_PHASE, constraint.name, snapshot, "nodes"):
        return gap
    if not nodes:
        says = f"the snapshot has no node with GPUs; the recipe asks for {constraint.value}"
        return unproven(_PHASE, constraint.name, says, fix=_UP)
    looked = (f"labels of {plural(len(nodes), 'node')} with GPUs",)
    key, _, value = constraint.value.removeprefix("!").partition("=")
    absent = constraint.value.startswith("!")
    wrong = [node["metadata"]["name"] for node in nodes if _has(node, key, value) is absent]
    if wrong:
        verb = f"{'has' if absent else 'lacks'}" if len(wrong) == 1 else f"{'have' if absent else 'lack'}"
        message = f"{listed(wrong)} {verb} the label {constraint.value.removeprefix('!')}"
        finding = Finding(rule="AICR-V051", message=message, subject=constraint.name, fix="label the node pool as the recipe asks")
        return failed(_PHASE, constraint.name, (finding,), looked)
    return passed(_PHASE, constraint.name, f"{each(len(nodes), 'node')} {'lacks' if absent else 'has'} it", looked)


def _has(node: JsonObject, key: str, value: str) -> bool:
    labels = node["metadata"].get("labels") or {}
    return key in labels and (not value or labels[key] == value)
