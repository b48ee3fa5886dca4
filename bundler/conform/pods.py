"""Where the pods are in an object that makes pods."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from bundler.dataclass import dataclass
from bundler.model.pointer import child

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.kube.resource import Resource
    from bundler.model.document import JsonObject

__all__ = [
    "ANCESTOR",
    "NODE",
    "RUNTIME_KINDS",
    "Container",
    "PodTemplate",
    "is_runtime",
    "pod_templates",
    "replicated_jobs",
    "select",
    "spec",
    "step",
    "training_pods",
]

RUNTIME_KINDS = frozenset({"ClusterTrainingRuntime", "TrainingRuntime"})
ANCESTOR = "trainer.kubeflow.org/trainjob-ancestor-step"
"""Label of a replicated job that says which step of a TrainJob it carries out."""
NODE = "node"
"""The replicated job of the pods that train, and the container in them that does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Container:
    """One container of a pod template.

    Attributes:
        init: whether it stands in `initContainers`.
    """

    pointer: str
    data: JsonObject
    init: bool

    @property
    def name(self) -> str:
        """`name`."""
        return str(self.data.get("name", ""))

    def env(self) -> Iterator[tuple[str, JsonObject]]:
        """Environment entries with their pointers."""
        return ((f"{self.pointer}/env/{index}", entry) for index, entry in enumerate(self.data.get("env") or ()))


@dataclass(frozen=True, kw_only=True)
class PodTemplate:
    """One pod template.

    Attributes:
        pointer: of the template, which holds `metadata` and `spec`.
        job: the replicated job it belongs to; None outside of runtimes.
    """

    pointer: str
    data: JsonObject
    job: JsonObject | None = None

    @property
    def metadata(self) -> JsonObject:
        """`metadata`, empty when absent."""
        return self.data.get("metadata") or {}

    @property
    def spec(self) -> JsonObject:
        """`spec`, empty when absent."""
        return self.data.get("spec") or {}

    @property
    def step(self) -> str:
        """The TrainJob step that the replicated job carries out, or the empty string."""
        return step(self.job) if self.job is not None else ""

    @property
    def name(self) -> str:
        """The replicated job's name, or the empty string."""
        return str(self.job.get("name", "")) if self.job is not None else ""

    def containers(self) -> Iterator[Container]:
        """All containers, those of `initContainers` first, as they start."""
        return iter(self._containers)

    @cached_property
    def _containers(self) -> tuple[Container, ...]:
        return tuple(
            Container(pointer=f"{self.pointer}/spec/{key}/{index}", data=data, init=init)
            for key, init in (("initContainers", True), ("containers", False))
            for index, data in enumerate(self.spec.get(key) or ())
        )

    def container(self, name: str) -> Container | None:
        """The container of that name, or None."""
        return next((container for container in self.containers() if container.name == name), None)


def is_runtime(resource: Resource) -> bool:
    """Whether the object is a ClusterTrainingRuntime or a TrainingRuntime."""
    return resource.kind in RUNTIME_KINDS


def spec(resource: Resource) -> JsonObject:
    """`spec` of an object, empty when absent."""
    return resource.data.get("spec") or {}


def replicated_jobs(resource: Resource) -> Iterator[tuple[str, JsonObject]]:
    """The replicated jobs of a runtime with their pointers."""
    jobs = _inner(resource.data, "spec", "template", "spec").get("replicatedJobs") or ()
    return ((f"/spec/template/spec/replicatedJobs/{index}", job) for index, job in enumerate(jobs))


def pod_templates(resource: Resource) -> Iterator[PodTemplate]:
    """The pod templates of a runtime or of a native workload."""
    return iter(resource.derived(_pod_templates))


def _pod_templates(resource: Resource) -> tuple[PodTemplate, ...]:
    return tuple(_each_template(resource))


def _each_template(resource: Resource) -> Iterator[PodTemplate]:
    if is_runtime(resource):
        for pointer, job in replicated_jobs(resource):
            data = _inner(job, "template", "spec", "template")
            yield PodTemplate(pointer=f"{pointer}/template/spec/template", data=data, job=job)
    elif isinstance(data := _inner(resource.data, "spec").get("template"), dict):
        yield PodTemplate(pointer="/spec/template", data=data)


def training_pods(resource: Resource) -> Iterator[PodTemplate]:
    """The pods of a runtime that use its GPUs: those of the trainer step.

    With MPI that step is the launcher's, and the pods are those of the job named `node`; the launcher's too where it is a node.
    """
    mpi = (spec(resource).get("mlPolicy") or {}).get("mpi")
    launcher_trains = mpi is None or mpi.get("runLauncherAsNode")
    for pod in pod_templates(resource) if is_runtime(resource) else ():
        if (launcher_trains and pod.step == "trainer") or (mpi is not None and pod.name == NODE):
            yield pod


def step(job: JsonObject) -> str:
    """The TrainJob step that a replicated job carries out, or the empty string."""
    return str((_inner(job, "template", "metadata").get("labels") or {}).get(ANCESTOR, ""))


def select(data: Any, path: str, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Every value at `path`, in which `*` stands for each item of a list, with its pointer. Nulls are absent."""
    found = [(pointer, data)]
    for step in _steps(path):
        if step == "*":
            found = [(f"{at}/{index}", item) for at, items in found if isinstance(items, list) for index, item in enumerate(items)]
        else:
            found = [
                (child(at, step), below)
                for at, above in found
                if isinstance(above, dict) and (below := above.get(step)) is not None
            ]
        if not found:
            break
    return iter(found)


@lru_cache(maxsize=256)
def _steps(path: str) -> tuple[str, ...]:
    """The steps of one of the paths that rules are written in."""
    return tuple(path.split("/")) if path else ()


def _inner(data: Any, *keys: str) -> Any:
    """The map below `keys`, empty when any of them is absent."""
    for key in keys:
        data = data.get(key) or {}
    return data
