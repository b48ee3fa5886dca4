"""What a TrainJob can take from a runtime: found by trying, for each field of a TrainJob that can take anything.

Every try is a job that states the field and means no harm; what it costs is what it would cost a user.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.conform.pods import step
from bundler.dataclass import dataclass
from bundler.trainer.draft import NODE, TRAINER, pod_spec, runtime_jobs
from bundler.trainer.elements import parts
from bundler.trainer.materialise import materialise

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.model.document import JsonObject
    from bundler.trainer.elements import Part
    from bundler.trainer.versions import TrainerVersion

__all__ = ["Erasure", "erasures"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """A field of a TrainJob and the parts of the runtime that it costs.

    Attributes:
        field: as it stands in a TrainJob.
    """

    field: str
    parts: tuple[Part, ...]


def erasures(runtime: JsonObject, version: TrainerVersion) -> tuple[Erasure, ...]:
    """Each field of a TrainJob that costs the runtime something, with what it costs."""
    jobs = runtime_jobs(runtime)
    before, untouched = parts(jobs), _after(runtime, {"trainer": {}}, version)
    found = []
    for field, spec in _tries(jobs):
        after = _after(runtime, spec, version)
        cost = tuple(part for part, value in before.items() if untouched.get(part) == value and after.get(part) != value)
        if cost:
            found.append(Erasure(field=field, parts=cost))
    return tuple(found)


def _after(runtime: JsonObject, spec: JsonObject, version: TrainerVersion) -> dict[Part, Any]:
    return parts(materialise({"metadata": {"name": "job"}, "spec": spec}, runtime, version).jobs)


def _tries(jobs: list[JsonObject]) -> Iterator[tuple[str, JsonObject]]:
    """Field → the spec of a job that states it."""
    yield "trainer.resourcesPerNode, whatever it says", {"trainer": {"resourcesPerNode": {}}}
    yield "trainer.resourcesPerNode.limits", {"trainer": {"resourcesPerNode": {"limits": {"memory": "1Gi"}}}}
    yield "trainer.command", {"trainer": {"command": ["true"]}}
    yield "trainer.args", {"trainer": {"args": ["--help"]}}
    names = _variables(jobs)
    yield "trainer.env, by name", {"trainer": {"env": [{"name": name, "value": "other"} for name in names]}}
    for job in jobs:
        pod = pod_spec(job)
        if pod.get("tolerations"):
            yield "runtimePatches: tolerations", _patch(job, {"tolerations": [{"key": "example.com/other", "operator": "Exists"}]})
        for key in ("initContainers", "containers"):
            for container in pod.get(key) or ():
                added = ((container.get("securityContext") or {}).get("capabilities") or {}).get("add")
                if added:
                    change = {"name": container["name"], "securityContext": {"capabilities": {"add": ["SYS_PTRACE"]}}}
                    yield f"runtimePatches: capabilities of {container['name']}", _patch(job, {key: [change]})


def _variables(jobs: list[JsonObject]) -> list[str]:
    return [
        entry["name"]
        for job in jobs
        if step(job) == TRAINER
        for container in pod_spec(job).get("containers") or ()
        if container["name"] == NODE
        for entry in container.get("env") or ()
    ]


def _patch(job: JsonObject, change: JsonObject) -> JsonObject:
    template = {"spec": {"replicatedJobs": [{"name": job["name"], "template": {"spec": {"template": {"spec": change}}}}]}}
    return {"trainer": {}, "runtimePatches": [{"manager": "example.com/try", "trainingRuntimeSpec": {"template": template}}]}
