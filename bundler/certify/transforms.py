"""What is done to a Workflow after its overrides, in this order: gang scheduler, image, workload labels.

An image that the user states wins over the base and over every override. It goes to the trainer, to the first container of each
replicated job, and to the init containers that have the same image as that one; a sidecar such as tcpxo-daemon keeps its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.certify.runtimes import changed_jobs, pod_of, trainer_of, with_pod, with_trainer
from bundler.errors import InvalidInput

if TYPE_CHECKING:
    from bundler.model.document import JsonObject
    from bundler.model.location import Location

__all__ = ["with_gang_scheduler", "with_image", "with_labels"]

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


def with_gang_scheduler(spec: JsonObject, gang: JsonObject | None, *, location: Location | None = None) -> JsonObject:
    """The spec with all pods of a job in one queue of one scheduler.

    KAI places pods of a group only together, while an MPI launcher waits for its workers: it starts with them and waits inside.

    Args:
        spec: never mutated.
        gang: `gangScheduler` of the certification, or None.
        location: where it stands.

    Raises:
        InvalidInput: the queue's label is there with another value.
    """
    if gang is None:
        return spec
    scheduler, label = gang["schedulerName"], {gang.get("queueLabelKey", _QUEUE_KEY): gang.get("queue", _QUEUE)}

    def change(job: JsonObject) -> JsonObject:
        labelled = _labelled(job, label, location, of_job=True)
        pod = {**pod_of(labelled), "schedulerName": scheduler}
        if scheduler == _KAI and labelled.get("dependsOn") == _WAITS_FOR_NODES:
            labelled = {key: value for key, value in labelled.items() if key != "dependsOn"}
            pod["initContainers"] = [*(pod.get("initContainers") or []), _waiting(pod)]
        return with_pod(labelled, pod)

    changed = changed_jobs(spec, change)
    if scheduler == _KAI:
        changed = {**changed, "dependencies": [_without_order(one) for one in changed.get("dependencies", ())]}
    template = changed["jobTemplate"]
    metadata = template.get("metadata") or {}
    labels = _united(metadata.get("labels") or {}, label, location)
    return {**changed, "jobTemplate": {**template, "metadata": {**metadata, "labels": labels}}, "gangScheduler": gang}


def with_labels(spec: JsonObject, labels: JsonObject, *, location: Location | None = None) -> JsonObject:
    """The spec with the user's labels on every pod.

    Raises:
        InvalidInput: a label is there with another value.
    """
    return changed_jobs(spec, lambda job: _labelled(job, labels, location, of_job=False)) if labels else spec


def _labelled(job: JsonObject, labels: JsonObject, location: Location | None, *, of_job: bool) -> JsonObject:
    template = job.get("template") or {}
    inner = template.get("spec") or {}
    pod = inner.get("template") or {}
    inner = {**inner, "template": {**pod, "metadata": _with(pod.get("metadata") or {}, labels, location)}}
    changed = {**template, "spec": inner}
    if of_job:
        changed["metadata"] = _with(template.get("metadata") or {}, labels, location)
    return {**job, "template": changed}


def _with(metadata: JsonObject, labels: JsonObject, location: Location | None) -> JsonObject:
    return {**metadata, "labels": _united(metadata.get("labels") or {}, labels, location)}


def _united(present: JsonObject, added: JsonObject, location: Location | None) -> JsonObject:
    for key, value in added.items():
        if present.get(key, value) != value:
            message = f"the label {key} is {present[key]!r} already, and would become {value!r}"
            raise InvalidInput("AICR-R013", message, location=location, fix="state one value, or another label key")
    return {**present, **added}


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
