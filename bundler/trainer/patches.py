"""How `spec.runtimePatches` change a runtime's template, before anything else does.

Source: mergeRuntimePatches in pkg/runtime/core/trainingruntime.go of github.com/kubeflow/trainer, 2.2 and 2.3. Neither checks that
what is patched exists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from bundler.kube.strategic_merge import merge
from bundler.trainer.marshalled import marshalled

if TYPE_CHECKING:
    from bundler.model.document import JsonObject

__all__ = ["Patching", "merged_jobs", "merged_spec", "metadata", "templates"]

Patching = Callable[["JsonObject", Iterable["JsonObject"]], "JsonObject"]
"""JobSet spec of a runtime, `template` of each patch in order → the patched spec. Neither is changed."""


def templates(trainjob: JsonObject) -> list[JsonObject]:
    """The `trainingRuntimeSpec.template` of each patch, in order."""
    patches = trainjob.get("spec", {}).get("runtimePatches") or ()
    return [(patch.get("trainingRuntimeSpec") or {}).get("template") or {} for patch in patches]


def metadata(template: JsonObject, patches: Iterable[JsonObject], section: str) -> dict[str, str]:
    """Labels or annotations of the JobSet: those of the template, over which each patch lays its own."""
    sources = [template, *patches]
    return {key: value for source in sources for key, value in ((source.get("metadata") or {}).get(section) or {}).items()}


def merged_jobs(spec: JsonObject, patches: Iterable[JsonObject]) -> JsonObject:
    """2.2: the template of each replicated job that a patch names; a name that is not there is passed over."""
    jobs = list(spec.get("replicatedJobs") or ())
    for job_patch in _job_patches(patches):
        if "template" in job_patch:
            change = marshalled(job_patch["template"])
            jobs = [
                {**job, "template": merge(job.get("template") or {}, change)} if job["name"] == job_patch["name"] else job
                for job in jobs
            ]
    return {**spec, "replicatedJobs": jobs}


def merged_spec(spec: JsonObject, patches: Iterable[JsonObject]) -> JsonObject:
    """2.3: the whole JobSet spec; a replicated job that is not there is added, in front of the first."""
    for patch in patches:
        if patch.get("spec"):
            places = {job["name"]: index for index, job in enumerate(spec.get("replicatedJobs") or ())}
            spec = merge(spec, marshalled(patch["spec"]))
            jobs = sorted(spec.get("replicatedJobs") or (), key=lambda job: places.get(job["name"], 0))
            spec = {**spec, "replicatedJobs": jobs}
    return spec


def _job_patches(patches: Iterable[JsonObject]) -> Iterable[JsonObject]:
    return (job for patch in patches for job in (patch.get("spec") or {}).get("replicatedJobs") or ())
