"""What is admitted and still never runs: no JobSet, or no pod.

Sources: pkg/webhooks/jobset_webhook.go of github.com/kubernetes-sigs/jobset, the CRD of JobSet, server-side apply, recorded runs.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bundler.compose.wording import near_name, nearest
from bundler.errors import InvalidInput
from bundler.kube import names
from bundler.kube.image import Image
from bundler.model.finding import Severity
from bundler.trainer.draft import pod_spec
from bundler.trainer.pods import pod_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.model.document import JsonObject
    from bundler.model.finding import Finding
    from bundler.trainer.jobset import JobSet
    from bundler.trainer.trainjob import TrainJob
    from bundler.trainer.versions import TrainerVersion

__all__ = ["no_jobset", "no_pod", "patches_miss"]

_LABEL = 63
_SUFFIX = "-abcde"
"""Stands for what the Job controller adds to the name of a pod."""
_OTHER = {"initContainers": "containers", "containers": "initContainers"}
_REFUSED = "the patch is refused"
_ELSEWHERE = "kueue.x-k8s.io/multikueue"
_PODS = 100_000
"""Pods of one indexed Job at a time (pkg/apis/batch/validation of Kubernetes)."""


def no_jobset(job: TrainJob, jobset: JobSet) -> Iterator[Finding]:
    """Why a server refuses the JobSet that the Trainer applies."""
    yield from _names(job, jobset)
    for replicated in jobset.jobs:
        for container in _containers(replicated):
            yield from _ports(job, replicated, container)
        if not pod_spec(replicated).get("containers"):
            message = f"replicated job {replicated['name']!r} has no containers, so the JobSet is refused"
            yield job.finding("AICR-J032", "/spec/runtimeRef", message, "patch only jobs that the runtime has")


def no_pod(job: TrainJob, jobset: JobSet) -> Iterator[Finding]:
    """Why no pod is made of a JobSet that is there."""
    for replicated in jobset.jobs:
        count = replicated["template"]["spec"]["parallelism"]
        if count < 1:
            ends = "the job is complete without a pod" if count == 0 else "its Job is refused"
            message = f"numNodes is {count}, so {ends}"
            yield job.finding("AICR-J033", "/spec/trainer/numNodes", message, "set it to 1 or more")
        elif count > _PODS:
            message = f"{count} pods of {replicated['name']!r}, so its Job is refused: it takes at most {_PODS} at once"
            yield job.finding("AICR-J033", "/spec/trainer/numNodes", message, f"set numNodes to {_PODS} or less")
    if not jobset.jobs:
        message = f"runtime {job.runtime_name!r} has no replicated jobs, so there is nothing to run"
        yield job.finding("AICR-J033", "/spec/runtimeRef", message, "use a runtime that has some")
    if image := (job.trainer or {}).get("image"):
        try:
            Image.parse(image)
        except InvalidInput as error:
            yield from (job.finding(one.rule, "/spec/trainer/image", one.message, one.fix) for one in error.findings)
    if job.spec.get("managedBy") == _ELSEWHERE:
        message = "MultiKueue manages the job, so its pods are made on another cluster and none on this one"
        yield job.finding("AICR-J036", "/spec/managedBy", message, "leave managedBy out to run it here", severity=Severity.NOTE)
    if jobset.suspended:
        message = "the job is suspended, so no pod is made for now"
        yield job.finding("AICR-J034", "/spec/suspend", message, "set suspend to false to start it", severity=Severity.NOTE)


def patches_miss(job: TrainJob, runtime: JsonObject, version: TrainerVersion) -> Iterator[Finding]:
    """Patches of jobs and containers that the runtime has not: where nobody refuses them, they add what has no image."""
    template = ((runtime.get("spec") or {}).get("template") or {}).get("spec") or {}
    known = {one["name"]: one for one in template.get("replicatedJobs") or ()}
    for number, patch in enumerate(job.spec.get("runtimePatches") or ()):
        spec = ((patch.get("trainingRuntimeSpec") or {}).get("template") or {}).get("spec") or {}
        for index, one in enumerate(spec.get("replicatedJobs") or ()):
            at = f"/spec/runtimePatches/{number}/trainingRuntimeSpec/template/spec/replicatedJobs/{index}"
            if one["name"] in known:
                yield from _containers_miss(job, one, known[one["name"]], at, version)
            elif version.adds_jobs:
                does = _REFUSED if version.refuses_misses else "the patch adds one that no pod can be made of"
                message = f"the runtime has no replicated job {one['name']!r}; {does}"
                yield job.finding("AICR-J031", f"{at}/name", message, nearest(one["name"], known))


def _containers_miss(job: TrainJob, patch: JsonObject, known: JsonObject, at: str, version: TrainerVersion) -> Iterator[Finding]:
    does = _REFUSED if version.refuses_misses else "the patch adds one without image"
    pod = ((patch.get("template") or {}).get("spec") or {}).get("template") or {}
    for key in ("initContainers", "containers"):
        there, elsewhere = ([one["name"] for one in pod_spec(known).get(each) or ()] for each in (key, _OTHER[key]))
        for index, container in enumerate((pod.get("spec") or {}).get(key) or ()):
            if container["name"] not in there:
                message = f"{known['name']!r} of the runtime has no {container['name']!r} in {key}; {does}"
                pointer = f"{at}/template/spec/template/spec/{key}/{index}/name"
                near = near_name(container["name"], there)
                fix = f"did you mean {near!r}?" if near else "add the container to the runtime: a patch brings no image"
                if container["name"] in elsewhere:
                    fix = f"patch it in {_OTHER[key]}, where the runtime has it"
                yield job.finding("AICR-J031", pointer, message, fix)


def _names(job: TrainJob, jobset: JobSet) -> Iterator[Finding]:
    """Names grow on the way to the pod, and the longest has to be a label, too."""
    if names.service_label(jobset.name):
        return
    for replicated in jobset.jobs:
        replica = max(replicated["replicas"] - 1, 0)
        index = max(replicated["template"]["spec"]["completions"] - 1, 0)
        name = pod_name(jobset.name, replicated["name"], replica, index) + _SUFFIX
        if reason := names.service_label(name):
            longest = len(jobset.name) - len(name) + _LABEL
            message = f"the name of a pod of {replicated['name']!r} {reason}, so no JobSet is made"
            fix = f"shorten the job's name to {longest} characters" if len(name) > _LABEL else "rename the replicated job"
            yield job.finding("AICR-J030", "/metadata/name", message, fix)


def _ports(job: TrainJob, replicated: JsonObject, container: JsonObject) -> Iterator[Finding]:
    """Two ports that the Trainer takes for one leave one of them twice, which server-side apply refuses."""
    counted = Counter((port["containerPort"], port["protocol"]) for port in container.get("ports", ()))
    for (number, protocol), times in counted.items():
        if times > 1:
            message = (
                f"ports of container {container['name']!r} in {replicated['name']!r} are taken for one, "
                f"which leaves {number}/{protocol} twice, so no JobSet is made"
            )
            yield job.finding("AICR-J035", "/spec/runtimeRef", message, "name every port of the runtime, and use each number once")


def _containers(replicated: JsonObject) -> Iterator[JsonObject]:
    pod = pod_spec(replicated)
    yield from (*pod.get("initContainers", ()), *pod.get("containers", ()))
