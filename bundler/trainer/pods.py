"""A JobSet becomes Jobs, and a Job becomes pods.

Sources: pkg/controllers/jobset_controller.go of github.com/kubernetes-sigs/jobset, the Job controller of Kubernetes, and what both
were recorded to make. What a server adds to every pod without changing its meaning, such as pull policies, is left out.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bundler.model.document import JsonObject
    from bundler.trainer.jobset import JobSet

__all__ = ["job_name", "job_of", "pod_name", "pod_of"]

_PREFIX = "jobset.sigs.k8s.io"
_INDEX = "batch.kubernetes.io/job-completion-index"
_INDEX_VARIABLE = {
    "name": "JOB_COMPLETION_INDEX",
    "valueFrom": {"fieldRef": {"fieldPath": f"metadata.labels['{_INDEX}']"}},
}


def job_name(jobset: str, job: str, replica: int) -> str:
    """Name of one Job."""
    return f"{jobset}-{job}-{replica}"


def pod_name(jobset: str, job: str, replica: int, index: int) -> str:
    """Host name of one pod; its object name has five more characters."""
    return f"{job_name(jobset, job, replica)}-{index}"


def job_of(jobset: JobSet, name: str, replica: int = 0) -> JsonObject:
    """One Job of a replicated job of the JobSet.

    Raises:
        LookupError: the JobSet has no such replicated job.
    """
    job = jobset.job(name)
    if job is None:
        raise LookupError(name)
    template, marks = job["template"], _marks(jobset, job, replica)
    spec = template["spec"]
    pod = spec["template"]
    network = jobset.data["spec"]["network"]
    domain = {"subdomain": network.get("subdomain") or jobset.name} if network["enableDNSHostnames"] else {}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {
            "name": job_name(jobset.name, name, replica),
            **_namespace(jobset),
            **_metadata(template.get("metadata") or {}, marks),
        },
        "spec": {**spec, "template": {"metadata": _metadata(pod.get("metadata") or {}, marks), "spec": {**pod["spec"], **domain}}},
    }


def pod_of(jobset: JobSet, name: str, replica: int = 0, index: int = 0) -> JsonObject:
    """One pod of a replicated job of the JobSet.

    Raises:
        LookupError: the JobSet has no such replicated job.
    """
    job = job_of(jobset, name, replica)
    template, named = job["spec"]["template"], job["metadata"]["name"]
    labels = {"batch.kubernetes.io/job-name": named, "job-name": named, _INDEX: str(index)}
    spec = template["spec"]
    containers = {key: [_counted(container) for container in spec[key]] for key in ("initContainers", "containers") if key in spec}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "generateName": f"{named}-{index}-",
            **_namespace(jobset),
            "labels": {**template["metadata"]["labels"], **labels},
            "annotations": {**template["metadata"]["annotations"], _INDEX: str(index)},
        },
        "spec": {**spec, **containers, "hostname": pod_name(jobset.name, name, replica, index)},
    }


def _counted(container: JsonObject) -> JsonObject:
    """A container with its index, and with requests for what it states only as a limit."""
    env = container.get("env", [])
    known = any(entry["name"] == _INDEX_VARIABLE["name"] for entry in env)
    counted = {**container, "env": env if known else [*env, _INDEX_VARIABLE]}
    resources = container.get("resources") or {}
    if resources.get("limits"):
        counted["resources"] = {**resources, "requests": {**resources["limits"], **resources.get("requests", {})}}
    return counted


def _marks(jobset: JobSet, job: JsonObject, replica: int) -> dict[str, str]:
    """What JobSet writes on Jobs and pods, as labels and as annotations."""
    before = jobset.jobs[: jobset.jobs.index(job)]
    group = [one for one in jobset.jobs if one["groupName"] == job["groupName"]]
    group_before = [one for one in before if one["groupName"] == job["groupName"]]
    key = f"{jobset.data['metadata'].get('namespace', '')}/{job_name(jobset.name, job['name'], replica)}"
    marks = {
        "jobset-name": jobset.name,
        "replicatedjob-name": job["name"],
        "replicatedjob-replicas": job["replicas"],
        "global-replicas": _replicas(jobset.jobs),
        "job-index": replica,
        "job-global-index": _replicas(before) + replica,
        "job-key": hashlib.sha1(key.encode(), usedforsecurity=False).hexdigest(),
        "restart-attempt": 0,
        "group-name": job["groupName"],
        "group-replicas": _replicas(group),
        "job-group-index": _replicas(group_before) + replica,
    }
    return {f"{_PREFIX}/{name}": str(value) for name, value in marks.items()}


def _replicas(jobs: list[JsonObject]) -> int:
    return sum(job["replicas"] for job in jobs)


def _metadata(written: JsonObject, marks: dict[str, str]) -> JsonObject:
    return {section: {**written.get(section, {}), **marks} for section in ("labels", "annotations")}


def _namespace(jobset: JobSet) -> dict[str, str]:
    namespace = jobset.data["metadata"].get("namespace")
    return {"namespace": namespace} if namespace else {}
