"""What is done to a Workflow after its overrides, in this order: gang scheduler, image, workload labels.

An image that the user states wins over the base and over every override. It goes to the trainer, to the first container of each
replicated job, and to the init containers that have the same image as that one; a sidecar such as tcpxo-daemon keeps its own.

Workload labels are written onto the workload object alone, for admission controllers such as a queue's: they are no pod's.
Source: pkg/platform and the rendering tests of NVIDIA/cluster-readiness-engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.certify.runtimes import changed_jobs, pod_of, trainer_of, with_pod, with_trainer
from bundler.errors import InvalidInput

if TYPE_CHECKING:
    from bundler.model.document import JsonObject
    from bundler.model.location import Location

__all__ = ["MOST_LABELS", "resolved_gang", "with_gang_scheduler", "with_image", "with_labels"]

MOST_LABELS = 32
"""Labels of one workload object. Source: maxProperties of workloadMetadata.labels, which holds for the union, too."""

_KAI = "kai-scheduler"
_QUEUE = "default-queue"
_QUEUE_KEY = "kai.scheduler/queue"
_WAIT = """set -e
while read -r host _; do
  until (exec 3<>"/dev/tcp/$host/22") 2>/dev/null; do sleep 2; done
done < /etc/mpi/hostfile
"""
_WAITS_FOR_NODES = [{"name": "node", "status": "Ready"}]


def with_image(spec: JsonObject, image: str) -> JsonObject:
    """The spec with the user's image; an empty one changes nothing."""
    if not image:
        return spec

    def change(job: JsonObject) -> JsonObject:
        pod = pod_of(job)
        containers = pod.get("containers") or []
        if not containers:
            return job
        before = containers[0].get("image")
        changed = {"containers": [{**containers[0], "image": image}, *containers[1:]]}
        if "initContainers" in pod:
            changed["initContainers"] = [
                {**one, "image": image} if one.get("image") == before else one for one in pod["initContainers"]
            ]
        return with_pod(job, {**pod, **changed})

    return changed_jobs(with_trainer(spec, {**trainer_of(spec), "image": image}), change)


def resolved_gang(gang: JsonObject | None) -> JsonObject | None:
    """`gangScheduler` with the queue and the label that stand where none is stated; None when there is none."""
    return {"queue": _QUEUE, "queueLabelKey": _QUEUE_KEY, **gang} if gang is not None else None


def with_gang_scheduler(spec: JsonObject, gang: JsonObject | None) -> JsonObject:
    """The spec with all pods of a job in one queue of one scheduler.

    KAI places pods of a group only together, while an MPI launcher waits for its workers: it starts with them and waits inside.

    Args:
        spec: never mutated.
        gang: resolved, or None.
    """
    if gang is None:
        return spec
    scheduler, label = gang["schedulerName"], {gang["queueLabelKey"]: gang["queue"]}

    def change(job: JsonObject) -> JsonObject:
        labelled = _labelled(job, label)
        pod = {**pod_of(labelled), "schedulerName": scheduler}
        if scheduler == _KAI and labelled.get("dependsOn") == _WAITS_FOR_NODES:
            labelled = {key: value for key, value in labelled.items() if key != "dependsOn"}
            pod["initContainers"] = [*(pod.get("initContainers") or []), _waiting(pod)]
        return with_pod(labelled, pod)

    changed = changed_jobs(spec, change)
    if scheduler == _KAI and "dependencies" in changed:
        changed = {**changed, "dependencies": [_without_order(one) for one in changed["dependencies"]]}
    return {**changed, "gangScheduler": gang}


def with_labels(spec: JsonObject, labels: JsonObject, gang: JsonObject | None, *, location: Location | None = None) -> JsonObject:
    """The spec with the user's labels and the queue's on the workload object, and on nothing else.

    Args:
        spec: never mutated; what its job has already, the user's labels replace.
        labels: the user's.
        gang: resolved, or None.
        location: where the labels stand.

    Raises:
        InvalidInput: the user's labels name another queue, or there are too many.
    """
    template = spec["jobTemplate"]
    job = template["spec"]
    united = {**((job.get("workloadMetadata") or {}).get("labels") or {}), **labels}
    if gang is not None:
        key, queue = gang["queueLabelKey"], gang["queue"]
        if united.get(key, queue) != queue:
            message = f"the label {key} is {united[key]!r}, and gangScheduler puts the workload into queue {queue!r}"
            raise InvalidInput("AICR-R013", message, location=location, fix="state one queue, or another label key")
        united[key] = queue
    if len(united) > MOST_LABELS:
        message = f"the workload has {len(united)} labels, and a server takes {MOST_LABELS}"
        raise InvalidInput("AICR-R029", message, location=location, fix="remove some, of the certification or of the category")
    if not united:
        return spec
    return {**spec, "jobTemplate": {**template, "spec": {**job, "workloadMetadata": {"labels": united}}}}


def _labelled(job: JsonObject, labels: JsonObject) -> JsonObject:
    """The replicated job with labels on its Job and on its pods."""
    template = job.get("template") or {}
    inner = template.get("spec") or {}
    pod = inner.get("template") or {}
    changed = {**inner, "template": {**pod, "metadata": _with(pod.get("metadata") or {}, labels)}}
    return {**job, "template": {**template, "metadata": _with(template.get("metadata") or {}, labels), "spec": changed}}


def _with(metadata: JsonObject, labels: JsonObject) -> JsonObject:
    return {**metadata, "labels": {**(metadata.get("labels") or {}), **labels}}


def _waiting(pod: JsonObject) -> JsonObject:
    image = (pod.get("containers") or [{}])[0].get("image", "")
    return {"name": "wait-for-workers", "image": image, "command": ["/bin/bash", "-c"], "args": [_WAIT]}


def _without_order(dependency: JsonObject) -> JsonObject:
    job_set = ((dependency.get("spec") or {}).get("template") or {}).get("spec") or {}
    if "startupPolicy" not in job_set:
        return dependency
    kept = {key: value for key, value in job_set.items() if key != "startupPolicy"}
    spec = dependency["spec"]
    return {**dependency, "spec": {**spec, "template": {**spec["template"], "spec": kept}}}
