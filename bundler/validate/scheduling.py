"""Which nodes take the pods of a runtime: those that are ready, not cordoned, and whose taints the pods tolerate.

Taints and tolerations match as Kubernetes matches them (k8s.io/api core/v1 Toleration). With the admission plugin
ExtendedResourceToleration a pod also tolerates a taint that is named as a resource it asks for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.compose.wording import each, listed, plural
from bundler.dataclass import dataclass
from bundler.guard.side import Role, Side
from bundler.model.check import Check, Outcome, Phase
from bundler.model.finding import Finding, Severity
from bundler.validate.nodes import asked
from bundler.validate.results import failed, passed, unproven, unread
from bundler.validate.said import PATH

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bundler.catalog.catalog import Catalog
    from bundler.kube.resource import Resource
    from bundler.model.document import JsonObject
    from bundler.model.snapshot import Snapshot

__all__ = ["nodes_schedulable", "schedulable"]

_NAME = "nodes-schedulable"
_PHASE = Phase.DEPLOYMENT
_KEEPS_AWAY = ("NoSchedule", "NoExecute")
_CORDONED = "node.kubernetes.io/unschedulable"
_FIX = "uncordon the node, or bundle with --accelerated-node-toleration KEY=VALUE:EFFECT for the taint"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pods:
    """What pods tolerate by themselves, and what they ask for."""

    tolerations: tuple[JsonObject, ...]
    resources: frozenset[str]

    @classmethod
    def of(cls, runtime: Resource) -> _Pods:
        tolerations = Side.of(runtime, Role.RUNTIME).pod.spec.get("tolerations") or ()
        return cls(tolerations=tuple(tolerations), resources=frozenset(asked(runtime)))

    def reasons(self, node: JsonObject) -> list[str]:
        """What keeps them away from a node for certain, in words."""
        spec, conditions = node.get("spec") or {}, (node.get("status") or {}).get("conditions") or ()
        found = ["is cordoned"] if spec.get("unschedulable") else []
        if any(one.get("type") == "Ready" and one.get("status") != "True" for one in conditions):
            found.append("is not ready")
        if taints := [_written(one) for one in self._taints(node) if not self._is_admitted(one)]:
            found.append(f"has the taint {listed(taints)}")
        return found

    def admitted(self, node: JsonObject) -> Iterator[str]:
        """The taints of a node that they tolerate only with the admission plugin."""
        return (_written(one) for one in self._taints(node) if self._is_admitted(one))

    def _taints(self, node: JsonObject) -> Iterator[JsonObject]:
        """The taints that they do not tolerate themselves; that of a cordon says nothing new."""
        for taint in (node.get("spec") or {}).get("taints") or ():
            counts = taint.get("effect") in _KEEPS_AWAY and taint.get("key") != _CORDONED
            if counts and not any(_tolerates(toleration, taint) for toleration in self.tolerations):
                yield taint

    def _is_admitted(self, taint: JsonObject) -> bool:
        return taint.get("key") in self.resources and taint["effect"] == "NoSchedule"


def schedulable(nodes: Sequence[JsonObject], runtime: Resource) -> tuple[JsonObject, ...]:
    """The nodes from which nothing that is known keeps the pods of a runtime away."""
    pods = _Pods.of(runtime)
    return tuple(node for node in nodes if not pods.reasons(node))


def nodes_schedulable(catalog: Catalog, snapshot: Snapshot, runtime: Resource, nodes: Sequence[JsonObject], service: str) -> Check:
    """Whether the nodes take the pods of a runtime.

    Args:
        catalog: knows the services that have the admission plugin.
        snapshot: of the cluster.
        runtime: of the attachment.
        nodes: that have GPUs and the labels which its pods select.
        service: of the recipe.
    """
    if gap := unread(_PHASE, _NAME, snapshot, "nodes"):
        return gap
    if not nodes:
        says = "no node has GPUs and the labels that the runtime selects"
        return unproven(_PHASE, _NAME, says, fix="take the snapshot while the nodes are up", subject=runtime.subject)
    looked = [f"cordons, taints and conditions of {plural(len(nodes), 'node')}"]
    pods = _Pods.of(runtime)
    out = {node["metadata"]["name"]: why for node in nodes if (why := pods.reasons(node))}
    told = listed(f"{name} {' and '.join(why)}" for name, why in out.items())
    left = [node for node in nodes if node["metadata"]["name"] not in out]
    if not left:
        message = f"no node takes the pods of {runtime.name}: {told}"
        return failed(_PHASE, _NAME, [Finding(rule="AICR-V031", message=message, subject=runtime.subject, fix=_FIX)], looked)
    waiting = listed(sorted({taint for node in left for taint in pods.admitted(node)}))
    if waiting and service not in {row["service"] for row in catalog.document(PATH, kind="ReadinessTable").data["admission"]}:
        says = f"whether the API server has ExtendedResourceToleration is not known, and else the taint {waiting} keeps pods away"
        return unproven(_PHASE, _NAME, says, fix="bundle with --accelerated-node-toleration for the taint", looked=looked)
    if not out:
        return passed(_PHASE, _NAME, f"{each(len(nodes), 'node')} takes the pods of {runtime.name}", looked)
    verb = "takes" if len(left) == 1 else "take"
    says = f"{len(left):,} of {plural(len(nodes), 'node')} {verb} the pods of {runtime.name}: {told}"
    finding = Finding(rule="AICR-V032", message=says, severity=Severity.WARNING, subject=runtime.subject, fix=_FIX)
    return Check(phase=_PHASE, name=_NAME, outcome=Outcome.PASSED, says=says, looked=tuple(looked), findings=(finding,))


def _tolerates(toleration: JsonObject, taint: JsonObject) -> bool:
    """An empty effect is every effect, and an empty key with Exists is every key."""
    if toleration.get("effect") not in (None, "", taint.get("effect")):
        return False
    if toleration.get("operator") == "Exists":
        return toleration.get("key") in (None, "", taint.get("key"))
    return toleration.get("key") == taint.get("key") and (toleration.get("value") or "") == (taint.get("value") or "")


def _written(taint: JsonObject) -> str:
    value = f"={taint['value']}" if taint.get("value") else ""
    return f"{taint.get('key')}{value}:{taint.get('effect')}"
