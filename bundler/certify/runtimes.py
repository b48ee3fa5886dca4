"""The runtimes among a Workflow's dependencies, and their pod templates: what every later step walks over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bundler.model.document import JsonObject

__all__ = ["changed_jobs", "is_runtime", "jobs", "pod_of", "trainer_of", "with_pod", "with_trainer"]


def is_runtime(data: JsonObject) -> bool:
    """Whether a dependency is a training runtime."""
    return data.get("kind") in {"TrainingRuntime", "ClusterTrainingRuntime"}


def jobs(spec: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """Each replicated job of each runtime, with its JSON pointer in the spec."""
    for index, dependency in enumerate(spec.get("dependencies") or ()):
        if is_runtime(dependency):
            replicated = (((dependency.get("spec") or {}).get("template") or {}).get("spec") or {}).get("replicatedJobs") or ()
            for number, job in enumerate(replicated):
                yield f"/dependencies/{index}/spec/template/spec/replicatedJobs/{number}", job


def pod_of(job: JsonObject) -> JsonObject:
    """The pod spec of a replicated job."""
    template = ((job.get("template") or {}).get("spec") or {}).get("template") or {}
    pod: JsonObject = template.get("spec") or {}
    return pod


def with_pod(job: JsonObject, pod: JsonObject) -> JsonObject:
    """The replicated job with another pod spec."""
    template = job["template"]
    inner = template["spec"]
    return {**job, "template": {**template, "spec": {**inner, "template": {**inner.get("template", {}), "spec": pod}}}}


def changed_jobs(spec: JsonObject, change: Callable[[JsonObject], JsonObject]) -> JsonObject:
    """The spec with every replicated job of every runtime changed; it stays as it is itself."""
    if not spec.get("dependencies"):
        return spec
    return {**spec, "dependencies": [_changed(one, change) if is_runtime(one) else one for one in spec["dependencies"]]}


def trainer_of(spec: JsonObject) -> JsonObject:
    """The trainer of the job's TrainJob."""
    workload = ((spec.get("jobTemplate") or {}).get("spec") or {}).get("workload") or {}
    trainer: JsonObject = (workload.get("trainJob") or {}).get("trainer") or {}
    return trainer


def with_trainer(spec: JsonObject, trainer: JsonObject) -> JsonObject:
    """The spec with another trainer."""
    return _put(spec, ("jobTemplate", "spec", "workload", "trainJob", "trainer"), trainer)


def _changed(runtime: JsonObject, change: Callable[[JsonObject], JsonObject]) -> JsonObject:
    replicated = runtime["spec"]["template"]["spec"].get("replicatedJobs", [])
    return _put(runtime, ("spec", "template", "spec", "replicatedJobs"), [change(job) for job in replicated])


def _put(data: JsonObject, steps: tuple[str, ...], value: Any) -> JsonObject:
    head, *rest = steps
    return {**data, head: _put(data.get(head) or {}, tuple(rest), value) if rest else value}
