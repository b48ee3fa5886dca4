"""Advice: a fabric that the nodes show and that nothing of the bundle uses, so that jobs run over TCP without any error."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from bundler.compose.wording import each, listed, plural
from bundler.detect.nodes import Node
from bundler.model.check import Check, Outcome, Phase
from bundler.model.finding import Finding, Severity
from bundler.profiles.axes import Axes
from bundler.validate.results import passed, skipped, unproven, unread

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bundler.catalog.catalog import Catalog
    from bundler.model.composition import Composition
    from bundler.model.document import JsonObject
    from bundler.model.snapshot import Snapshot
    from bundler.validate.shipped import Shipped

__all__ = ["AXIS", "PATH", "fabric_used"]

AXIS = "fabricAttachment"
PATH = "recipes/detection/capabilities.yaml"

_CLASSES = "deviceclasses.resource.k8s.io"
_MACHINE = "node.kubernetes.io/instance-type"
_NAME = "fabric-used"
_PHASE = Phase.DEPLOYMENT


def fabric_used(catalog: Catalog, snapshot: Snapshot, shipped: Shipped) -> Check:
    """Name the value and the runtime that would use what the nodes show, unless a selected one does.

    Args:
        catalog: has the table of capabilities.
        snapshot: of the cluster.
        shipped: what should be there.
    """
    if gap := unread(_PHASE, _NAME, snapshot, "nodes"):
        return gap
    nodes = [node for node in map(Node.of, snapshot.of("nodes")) if node.amount("nvidia.com/gpu")]
    if not nodes:
        return unproven(_PHASE, _NAME, "no node with GPUs is known", fix="take the snapshot while the nodes are up")
    classes = None if snapshot.gap(_CLASSES) else {one["metadata"]["name"] for one in snapshot.of(_CLASSES)}
    looked = [f"allocatable resources of {plural(len(nodes), 'node')} with GPUs", *([] if classes is None else ["device classes"])]
    selected = {selection.value for selection in shipped.composition.selections if selection.axis == AXIS}
    shown = [
        (row, what)
        for row in catalog.document(PATH, kind="CapabilityTable").data["capabilities"]
        if _applies(catalog, row["value"], shipped.composition, nodes) and (what := _shown(row, nodes, classes))
    ]
    if used := selected & {row["value"] for row, _ in shown}:
        return passed(_PHASE, _NAME, f"what the nodes show is used by {listed(sorted(used))}", looked)
    if not shown:
        unseen = [] if classes is not None else [f"{_CLASSES} were not read"]
        says = "no node shows a fabric that this recipe could use"
        check = skipped(_PHASE, _NAME, says)
        return Check(phase=_PHASE, name=_NAME, outcome=check.outcome, says=says, looked=tuple(looked), unseen=tuple(unseen))
    findings = tuple(_advice(catalog, row["value"], what, selected) for row, what in shown)
    return Check(
        phase=_PHASE, name=_NAME, outcome=Outcome.ADVISED, says=findings[0].message, looked=tuple(looked), findings=findings
    )


def _applies(catalog: Catalog, name: str, composition: Composition, nodes: Sequence[Node]) -> bool:
    """Whether the value is for the recipe and for the machines of the nodes, where they say what they are."""
    fits: JsonObject = catalog.derived(Axes.of)[AXIS].values[name].declaration.get("appliesTo", {})
    stated = composition.criteria.stated()
    if any(stated.get(dimension) not in allowed for dimension, allowed in fits.get("criteria", {}).items()):
        return False
    machines = {node.labels[_MACHINE] for node in nodes if _MACHINE in node.labels}
    return "machineTypes" not in fits or machines <= set(fits["machineTypes"])


def _shown(row: JsonObject, nodes: Sequence[Node], classes: set[str] | None) -> str:
    """What of the row the cluster has; nothing when it has too little."""
    if "deviceClass" in row:
        return f"DeviceClass {row['deviceClass']}" if classes and row["deviceClass"] in classes else ""
    least = row.get("least", 1)
    found = [tuple(_matching(node, row["resources"])) for node in nodes]
    if min(map(len, found)) < least:
        return ""
    return f"{listed(sorted(set(found[0]).intersection(*found[1:])))} on {each(len(nodes), 'node')} with GPUs"


def _matching(node: Node, patterns: Sequence[str]) -> Iterator[str]:
    """Names of resources that count: `.IP` companions and the network that every node is attached to are none of a fabric."""
    for name in node.allocatable:
        counts = node.amount(name) and not name.endswith((".IP", "/default"))
        if counts and any(fnmatchcase(name, pattern) for pattern in patterns):
            yield name


def _advice(catalog: Catalog, name: str, what: str, selected: set[str]) -> Finding:
    value: Any = catalog.derived(Axes.of)[AXIS].values[name].declaration
    runtimes = listed(runtime["name"] for runtime in value.get("runtimes", ()))
    now = f"{AXIS}={listed(sorted(selected))} does" if selected else "the recipe does"
    message = f"the cluster has {what}, which {now} not use: jobs would run over TCP"
    fix = f"choose --profile {AXIS}={name}; jobs then name the runtime {runtimes}"
    return Finding(rule="AICR-V070", message=message, severity=Severity.NOTE, fix=fix)
