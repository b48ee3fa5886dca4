"""The pods that a Workflow measures with, as one runtime: its TrainingRuntime with what its TrainJob lays over it.

A TrainJob changes the pods by patches, and its trainer sets the image, the start and the environment. The runtime alone would say
nothing of the settings, which MPI gets as `-x NAME=VALUE` and torch by `trainer.env`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.certify.runtimes import is_runtime, pod_of, trainer_of, with_pod
from bundler.guard.side import LAUNCHER, NODE
from bundler.kube.resource import Resource
from bundler.kube.strategic_merge import merge

if TYPE_CHECKING:
    from bundler.model.document import JsonObject

__all__ = ["measured_runtime"]

_STARTS = ("image", "command", "args")


def measured_runtime(workflow: Resource) -> Resource | None:
    """The runtime of a Workflow as its job runs it; None when it has none, or no pods that train.

    Args:
        workflow: never mutated; the runtime takes its name and its place.
    """
    spec = workflow.data["spec"]
    found = next((one for one in spec.get("dependencies") or () if is_runtime(one)), None)
    if found is None:
        return None
    job = (((spec.get("jobTemplate") or {}).get("spec") or {}).get("workload") or {}).get("trainJob") or {}
    for patch in job.get("runtimePatches") or ():
        found = {**found, "spec": merge(found["spec"], patch.get("trainingRuntimeSpec") or {})}
    jobs = found["spec"]["template"]["spec"].get("replicatedJobs") or []
    names = [one.get("name") for one in jobs]
    if NODE not in names:
        return None
    starts = LAUNCHER if LAUNCHER in names else NODE
    started = [_started(one, trainer_of(spec)) if one.get("name") == starts else one for one in jobs]
    template_spec = {**found["spec"]["template"]["spec"], "replicatedJobs": started}
    data = {
        **found,
        "metadata": {**found["metadata"], "name": workflow.name},
        "spec": {**found["spec"], "template": {**found["spec"]["template"], "spec": template_spec}},
    }
    return Resource(data=data, template=workflow.template, positions={}, owner=workflow.owner)


def _started(job: JsonObject, trainer: JsonObject) -> JsonObject:
    """A replicated job whose container starts as the trainer says; of two values for a variable the trainer's counts."""
    pod = pod_of(job)
    containers = [_trained(one, trainer) if one.get("name") == NODE else one for one in pod.get("containers") or ()]
    return with_pod(job, {**pod, "containers": containers})


def _trained(container: JsonObject, trainer: JsonObject) -> JsonObject:
    env = {one["name"]: one for one in (*(container.get("env") or ()), *(trainer.get("env") or ()))}
    changed = {key: trainer[key] for key in _STARTS if key in trainer}
    return {**container, **changed, **({"env": list(env.values())} if env else {})}
