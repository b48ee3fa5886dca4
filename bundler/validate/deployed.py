"""Whether the controller is there as the recipe says, and the runtimes of the cluster are those that ship."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.cluster.facts import facts
from bundler.cluster.trimming import Trimmer
from bundler.compose.wording import listed
from bundler.guard.comparison import compare
from bundler.guard.contract import Contract
from bundler.guard.difference import shown
from bundler.guard.digest import projection_digest
from bundler.guard.projection import project
from bundler.guard.side import Role, Side
from bundler.kube.resource import Resource
from bundler.model.check import Check, Phase
from bundler.model.finding import Finding, Severity
from bundler.validate.results import failed, passed, skipped, unproven, unread

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.catalog.catalog import Catalog
    from bundler.model.document import JsonObject
    from bundler.model.snapshot import Snapshot
    from bundler.validate.shipped import Shipped

__all__ = ["runtimes_equal", "trainer_present"]

_PHASE = Phase.DEPLOYMENT
_DEFINITIONS = "customresourcedefinitions.apiextensions.k8s.io"
_DEPLOYMENTS = "deployments.apps"
_TRAINJOBS = "trainjobs.trainer.kubeflow.org"
_RESOURCES = {
    "ClusterTrainingRuntime": "clustertrainingruntimes.trainer.kubeflow.org",
    "TrainingRuntime": "trainingruntimes.trainer.kubeflow.org",
}
_LARGEST = 1 << 20


def trainer_present(catalog: Catalog, snapshot: Snapshot, shipped: Shipped) -> Check:
    """Whether the Trainer is there and runs. The recipe alone decides what that means, never what the cluster happens to hold.

    A kind that is served proves no controller: definitions stay when a chart is removed.
    """
    name = "trainer"
    if gap := unread(_PHASE, name, snapshot, _DEFINITIONS):
        return gap
    looked = (f"CustomResourceDefinitions of {', '.join(snapshot.sources)}",)
    found = next((one for one in snapshot.of(_DEFINITIONS) if one["metadata"]["name"] == _TRAINJOBS), None)
    if found is not None:
        return _runs(catalog, snapshot, shipped, found, looked)
    if shipped.trainer["missing"] == "install":
        return skipped(_PHASE, name, "the Trainer is not there, and the recipe does not deliver it: a benchmark installs its own")
    message = "the Trainer is not there, which the recipe delivers: to install another would hide that the delivery is broken"
    finding = Finding(rule="AICR-V040", message=message, subject=f"CustomResourceDefinition/{_TRAINJOBS}", fix="apply the bundle")
    return failed(_PHASE, name, (finding,), looked)


def _runs(catalog: Catalog, snapshot: Snapshot, shipped: Shipped, definition: JsonObject, looked: tuple[str, ...]) -> Check:
    """Whether the kind is served and every controller that its jobs need has a replica that is available."""
    name, where = "trainer", "see the Deployments of the Trainer: kubectl get deployments -A"
    served = [one["name"] for one in (definition.get("spec") or {}).get("versions") or [] if one.get("served")]
    if not served:
        return unproven(_PHASE, name, "TrainJob is served in no version", fix="apply the bundle", looked=looked)
    kind = f"TrainJob {listed(served)}"
    if gap := snapshot.gap(_DEPLOYMENTS):
        says = f"{kind} is served; whether its controllers run is not known: {_DEPLOYMENTS} were not read ({gap.reason})"
        return unproven(_PHASE, name, says, fix=f"add them to the snapshot: {_DEPLOYMENTS}", looked=looked)
    looked = (*looked, "Deployments of its controllers")
    fact = facts(catalog)[_DEPLOYMENTS]
    running = frozenset[str]().union(*(fact.named(one) for one in snapshot.of(_DEPLOYMENTS) if _is_available(one)))
    if idle := sorted((fact.images or frozenset()) - running):
        return unproven(
            _PHASE, name, f"{kind} is served, and no available Deployment runs {listed(idle)}", fix=where, looked=looked
        )
    owner = "the recipe delivers it" if shipped.trainer["delivered"] else "the recipe does not deliver it, and reuses it"
    return passed(_PHASE, name, f"the Trainer runs, {kind}; {owner}", looked)


def _is_available(deployment: JsonObject) -> bool:
    replicas = (deployment.get("status") or {}).get("availableReplicas")
    return isinstance(replicas, int) and replicas > 0


def runtimes_equal(snapshot: Snapshot, shipped: Shipped, catalog: Catalog) -> Iterator[Check]:
    """Whether each runtime of the cluster is wired as the one that ships, one check a runtime."""
    contract = catalog.derived(Contract.of)
    for runtime in shipped.runtimes:
        name = f"runtime-{runtime.name}"
        resource = _RESOURCES[runtime.kind]
        if gap := unread(_PHASE, name, snapshot, resource):
            yield gap
            continue
        objects = [one for one in snapshot.of(resource) if one["metadata"]["name"] == runtime.name]
        objects = [one for one in objects if one["metadata"].get("namespace", "") == runtime.namespace]
        if not objects:
            message = f"the cluster has no {runtime.kind} {runtime.name}"
            fix = "apply the bundle"
            yield failed(_PHASE, name, (Finding(rule="AICR-V041", message=message, subject=runtime.subject, fix=fix),))
            continue
        fact = facts(catalog)[resource]
        # Both sides are cut down alike, or a field that is not read from clusters would be missing in each of them.
        ours = Resource(data=Trimmer(_LARGEST).trim(runtime.data, fact), template=runtime.template, positions={}, owner="")
        theirs = Resource(data=objects[0], template=", ".join(snapshot.sources), positions={}, owner="")
        sides = [project(Side.of(one, Role.RUNTIME), contract) for one in (ours, theirs)]
        digests = [projection_digest(side) for side in sides]
        looked = (f"{runtime.subject} of {shipped.label}: {digests[0]}", f"{runtime.subject} of the cluster: {digests[1]}")
        if digests[0] == digests[1]:
            yield passed(_PHASE, name, "the cluster's is wired as the one that ships", looked)
            continue
        differences = compare(*sides).differences
        paths = listed(dict.fromkeys(shown(one.path) for one in differences if one.severity is Severity.ERROR))
        message = f"{runtime.name} of the cluster is not the one that ships: {paths or 'its wiring'} differ"
        yield failed(
            _PHASE, name, (Finding(rule="AICR-V042", message=message, subject=runtime.subject, fix="apply the bundle"),), looked
        )
