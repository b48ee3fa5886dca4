"""A JobSet while it is being made: what the rules of the Trainer read and write, one after the other."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from bundler.conform.pods import step
from bundler.dataclass import dataclass
from bundler.trainer.marshalled import marshalled, without_nulls
from bundler.trainer.patches import metadata, templates

if TYPE_CHECKING:
    from bundler.model.document import JsonObject
    from bundler.trainer.versions import TrainerVersion

__all__ = ["LAUNCHER", "NODE", "TRAINER", "Draft", "pod_spec", "runtime_jobs"]

NODE = "node"
LAUNCHER = "launcher"
TRAINER = "trainer"
"""Value of the ancestor label on the replicated job that trains."""


@dataclass(slots=True, kw_only=True)
class Draft:
    """One JobSet in the making; nobody else sees it.

    Attributes:
        wanted: `spec.trainer` of the TrainJob; None when it is absent, which is not the same as empty.
        policy: `spec.mlPolicy` of the runtime, or None.
        spec: the JobSet's own spec.
        counts: pods of each replicated job.
        pod_labels: what pod groups add to every pod; likewise `pod_annotations`.
        objects: what is made beside the JobSet.
    """

    name: str
    namespace: str
    version: TrainerVersion
    wanted: JsonObject | None
    initializer: JsonObject
    suspend: bool
    policy: JsonObject | None
    pod_group: JsonObject
    labels: dict[str, str]
    annotations: dict[str, str]
    spec: JsonObject
    counts: list[int] = field(default_factory=list)
    pod_labels: dict[str, str] = field(default_factory=dict)
    pod_annotations: dict[str, str] = field(default_factory=dict)
    objects: list[JsonObject] = field(default_factory=list)

    @classmethod
    def of(cls, trainjob: JsonObject, runtime: JsonObject, version: TrainerVersion) -> Draft:
        """The runtime's template with the TrainJob's patches merged into it."""
        job, base = without_nulls(trainjob), runtime.get("spec") or {}
        template, patches, spec = base.get("template") or {}, templates(job), job.get("spec", {})
        patched = marshalled(version.patched(template.get("spec") or {}, patches))
        draft = cls(
            name=job["metadata"]["name"],
            namespace=job["metadata"].get("namespace", ""),
            version=version,
            wanted=_with_amounts(spec.get("trainer")),
            initializer=spec.get("initializer") or {},
            suspend=spec.get("suspend", False),
            policy=without_nulls(base.get("mlPolicy")),
            pod_group=without_nulls(base.get("podGroupPolicy")) or {},
            labels=metadata(template, patches, "labels"),
            annotations=metadata(template, patches, "annotations"),
            spec=patched,
        )
        draft.counts = [draft.runtime_count(_whole(job)) for job in draft.jobs]
        return draft

    @property
    def jobs(self) -> list[JsonObject]:
        """The replicated jobs."""
        jobs: list[JsonObject] = self.spec.get("replicatedJobs", [])
        return jobs

    @property
    def trainer_job(self) -> int | None:
        """Index of the first replicated job that trains."""
        return next((index for index, job in enumerate(self.jobs) if step(job) == TRAINER), None)

    def job_named(self, name: str) -> int | None:
        """Index of a replicated job."""
        return next((index for index, job in enumerate(self.jobs) if job["name"] == name), None)

    def framework(self, name: str) -> JsonObject | None:
        """The runtime's policy for one framework, or None when the runtime is not of it."""
        policy: JsonObject | None = (self.policy or {}).get(name)
        return policy

    def container(self, index: int | None, name: str = NODE, *, init: bool = False) -> JsonObject | None:
        """A container of a replicated job."""
        if index is None:
            return None
        containers = pod_spec(self.jobs[index]).get("initContainers" if init else "containers", ())
        return next((container for container in containers if container["name"] == name), None)

    def runtime_count(self, job: JsonObject) -> int:
        """Pods of a replicated job as far as the runtime says: numNodes of its policy for the one that trains, else parallelism."""
        if step(job) == TRAINER and self.policy is not None:
            return max(int(self.policy.get("numNodes", 1)), 1)
        return max(int(job["template"]["spec"].get("parallelism", 1)), 1)

    def resize(self, index: int | None, nodes: int | None = None) -> None:
        """Give a replicated job as many pods as the TrainJob has nodes, if it says; whatever the number is."""
        stated = (self.wanted or {}).get("numNodes")
        if index is not None and stated is not None:
            self.counts[index] = stated if nodes is None else nodes

    def first_pod(self) -> str:
        """Host name of the first pod that trains. The Trainer follows neither names nor network of the runtime."""
        return f"{self.name}-{NODE}-0-0.{self.name}"

    def resources_per_node(self) -> JsonObject:
        """What the Trainer counts processes by: resourcesPerNode as it stands, else the runtime's resources."""
        wanted: JsonObject | None = (self.wanted or {}).get("resourcesPerNode")
        return self.runtime_resources() if wanted is None else wanted

    def runtime_resources(self) -> JsonObject:
        """Resources of the first container `node` of a replicated job that is named so or trains."""
        for index, job in enumerate(self.jobs):
            if job["name"] == NODE or step(job) == TRAINER:
                container = self.container(index)
                if container is not None:
                    return container.get("resources") or {}
        return {}


def _with_amounts(wanted: JsonObject | None) -> JsonObject | None:
    """`spec.trainer` with its amounts as text, as a controller writes them."""
    if wanted is None or "resourcesPerNode" not in wanted:
        return wanted
    resources = {
        section: {name: str(amount) for name, amount in stated.items()} if isinstance(stated, dict) else stated
        for section, stated in wanted["resourcesPerNode"].items()
    }
    return {**wanted, "resourcesPerNode": resources}


def pod_spec(job: JsonObject) -> JsonObject:
    """The pod spec of a replicated job, empty when absent."""
    spec: JsonObject = ((((job.get("template") or {}).get("spec") or {}).get("template") or {}).get("spec")) or {}
    return spec


def runtime_jobs(runtime: JsonObject) -> list[JsonObject]:
    """The replicated jobs of a runtime, a copy, as a controller reads them."""
    template = (runtime.get("spec") or {}).get("template") or {}
    jobs: list[JsonObject] = marshalled(template.get("spec") or {}).get("replicatedJobs", [])
    return [_whole(job) for job in jobs]


def _whole(job: JsonObject) -> JsonObject:
    """The job with every level down to its pod spec, which a controller's types always have."""
    level = job
    for key in ("template", "spec", "template", "spec"):
        level = level.setdefault(key, {})
    return job
