"""A benchmark's runtime, derived from a shipped one: its own launcher, and the shipped pods with a few parts taken over.

What is measured on it is then evidence about what ships. Which parts are taken over is written down in the benchmark's data with
reasons; anything else that differs is refused, here and not on a cluster. Nothing here knows a fabric.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from bundler.compose.wording import listed
from bundler.conform.pods import ANCESTOR, step
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.model.pointer import child
from bundler.render.functions import reference
from bundler.trainer.draft import LAUNCHER, NODE, TRAINER, pod_spec, runtime_jobs
from bundler.trainer.resources import gpus

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bundler.kube.resource import Resource
    from bundler.model.document import JsonObject

__all__ = ["BENCHMARKS", "Derived", "benchmark_image", "derive"]

BENCHMARKS = ("nccl-all-reduce",)
"""Benchmarks by name; the data of each is the fragment of that name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """A benchmark's runtime.

    Attributes:
        data: a TrainingRuntime.
        source: the shipped runtime, as `Kind/name`.
        overridden: what of the shipped pods differs → why; paths name entries of lists instead of counting them.
    """

    data: JsonObject = field(repr=False)
    source: str
    overridden: dict[str, str]


def derive(shipped: Resource, name: str, benchmark: JsonObject, *, image: str, namespace: str = "") -> Derived:
    """The runtime of a benchmark.

    Args:
        shipped: a ClusterTrainingRuntime or TrainingRuntime of torch.
        name: of the benchmark, one of `BENCHMARKS`.
        benchmark: its data.
        image: what launcher and nodes run.
        namespace: where it goes; that of the shipped runtime when empty.

    Raises:
        InvalidInput: the shipped runtime has no place for the benchmark, or loses what the benchmark does not own.
    """
    training = _training_job(shipped)
    worker = _worker(training, benchmark, image)
    overridden = _overridden(shipped, training, worker, benchmark)
    nodes = ((shipped.data.get("spec") or {}).get("mlPolicy") or {}).get("numNodes", 1)
    metadata = {"name": f"{shipped.name}-{name}", "labels": {"trainer.kubeflow.org/framework": "mpi"}}
    if place := namespace or shipped.namespace:
        metadata["namespace"] = place
    devices = gpus(_node(pod_spec(training)).get("resources") or {})
    data = {
        "apiVersion": shipped.api_version,
        "kind": "TrainingRuntime",
        "metadata": metadata,
        "spec": {
            # numNodes of an MPI policy sizes the launcher; the nodes are as many as the replicated job says.
            "mlPolicy": {
                "numNodes": 1,
                "mpi": {
                    "mpiImplementation": "OpenMPI",
                    "numProcPerNode": devices,
                    "runLauncherAsNode": False,
                    "sshAuthMountPath": benchmark["keys"],
                },
            },
            "template": {
                "spec": {
                    "network": {"enableDNSHostnames": True, "publishNotReadyAddresses": True},
                    "successPolicy": {"operator": "All", "targetReplicatedJobs": [LAUNCHER]},
                    "replicatedJobs": [_nodes(worker, nodes), _launcher(training, benchmark, image)],
                }
            },
        },
    }
    return Derived(data=data, source=shipped.subject, overridden=overridden)


def benchmark_image(shipped: Resource, benchmark: JsonObject, images: Mapping[str, JsonObject]) -> str:
    """The benchmark's image with the CUDA that the shipped runtime's own has: another would not load the fabric's plugin.

    Args:
        shipped: the shipped runtime.
        benchmark: its data.
        images: the image table.

    Raises:
        InvalidInput: which CUDA that is is not recorded, or the benchmark has no image for it.
    """
    image = _node(pod_spec(_training_job(shipped))).get("image", "")
    major = next((entry["cudaMajor"] for entry in images.values() if "cudaMajor" in entry and reference(entry) == image), None)
    chosen = next((row["image"] for row in benchmark["images"] if row["cudaMajor"] == major), None)
    if chosen is None:
        known = "is not recorded" if major is None else f"is {major}, for which the benchmark has no image"
        raise _refused(shipped, f"the CUDA of its image {image!r} {known}", "choose one with --image")
    return str(chosen)


def _training_job(shipped: Resource) -> JsonObject:
    """The replicated job that trains, which has to be as every torch runtime has it."""
    jobs = [job for job in runtime_jobs(shipped.data) if step(job) == TRAINER and job["name"] == NODE]
    if not jobs:
        raise _refused(shipped, f"no replicated job {NODE!r} of it trains", "derive from a torch runtime")
    node = _node(pod_spec(jobs[0]))
    if not gpus(node.get("resources") or {}):
        raise _refused(shipped, f"its container {NODE!r} has no GPUs", "derive from a runtime that states them")
    stated = [key for key in ("command", "args") if key in node]
    if stated:
        message = f"its container {NODE!r} has a {' and '.join(stated)} of its own, which the benchmark would replace"
        raise _refused(shipped, message, "move what it prepares into variables or a sidecar")
    return jobs[0]


def _worker(training: JsonObject, benchmark: JsonObject, image: str) -> JsonObject:
    """The shipped pod template, with what the benchmark takes over."""
    template = training["template"]["spec"]["template"]
    pod = template["spec"]
    containers = [
        {**container, "image": image, **benchmark["worker"]} if container["name"] == NODE else container
        for container in pod["containers"]
    ]
    return {**template, "spec": {**pod, "containers": containers}}


def _nodes(worker: JsonObject, nodes: int) -> JsonObject:
    spec = {"parallelism": nodes, "completions": nodes, "template": worker}
    return {"name": NODE, "replicas": 1, "template": {"spec": spec}}


def _launcher(training: JsonObject, benchmark: JsonObject, image: str) -> JsonObject:
    carried = [entry for entry in _node(pod_spec(training)).get("env", ()) if entry["name"] in benchmark["carried"]]
    container = {"name": NODE, "image": image, **benchmark["launcher"], **({"env": carried} if carried else {})}
    return {
        "name": LAUNCHER,
        "replicas": 1,
        "dependsOn": [{"name": NODE, "status": "Ready"}],
        "template": {
            "metadata": {"labels": {ANCESTOR: TRAINER}},
            "spec": {"template": {"spec": {"containers": [container]}}},
        },
    }


def _overridden(shipped: Resource, training: JsonObject, worker: JsonObject, benchmark: JsonObject) -> dict[str, str]:
    """Where the pods differ, each with the benchmark's reason."""
    reasons = {row["path"]: row["why"] for row in benchmark["overridden"]}
    differing = list(_differences(training["template"]["spec"]["template"], worker, ""))
    if foreign := [path for path in differing if path not in reasons]:
        raise _refused(
            shipped, f"the benchmark would change {listed(foreign)}, which it does not own", "write it down with a reason"
        )
    return {path: reasons[path] for path in differing}


def _differences(one: Any, other: Any, path: str) -> Iterator[str]:
    """Paths that differ; a list of named things is compared by name, so that its order counts for nothing but its entries do."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in dict.fromkeys((*one, *other)):
            yield from _differences(one.get(key), other.get(key), child(path, key))
    elif _is_named(one) and _is_named(other):
        named, others = ({item["name"]: item for item in items} for items in (one, other))
        for name in dict.fromkeys((*named, *others)):
            yield from _differences(named.get(name), others.get(name), child(path, name))
    elif one != other:
        yield path


def _is_named(data: Any) -> bool:
    return isinstance(data, list) and all(isinstance(item, dict) and "name" in item for item in data)


def _node(pod: JsonObject) -> JsonObject:
    return next((container for container in pod.get("containers", ()) if container["name"] == NODE), {})


def _refused(shipped: Resource, message: str, fix: str) -> InvalidInput:
    return InvalidInput("AICR-J060", f"{shipped.subject}: {message}", location=shipped.locate(""), fix=fix)
