"""What an MPI runtime must look like for a TrainJob to run on it as intended. No server checks any of this.

Source: how the Trainer controller turns a TrainJob and its runtime into a JobSet, 2.2 and 2.3, and the runs recorded for it: it
gives keys to the jobs named `launcher` and `node`, the host file and its own variables to the launcher, and counts slots by the
runtime.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.conform.context import found
from bundler.conform.pods import NODE, is_runtime, pod_templates, replicated_jobs, spec, step, training_pods
from bundler.conform.runtimes import POLICIES
from bundler.errors import InvalidInput
from bundler.kube.quantity import Quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.kube.resource import Resource
    from bundler.model.document import JsonObject
    from bundler.model.finding import Finding

__all__ = ["end", "launch", "shape", "slots"]

LAUNCHER = "launcher"
GPU = "nvidia.com/gpu"
_RESERVED = (
    "OMPI_MCA_orte_default_hostfile",
    "OMPI_MCA_orte_keep_fqdn_hostnames",
    "OMPI_MCA_orte_set_default_slots",
    "OMPI_MCA_plm_rsh_args",
)
"""Variables that the Trainer sets on the launcher."""


def shape(resource: Resource) -> Iterator[Finding]:
    """A job named `launcher` carries out the trainer step, and one named `node` has a container of that name for the keys."""
    if _policy(resource) is None:
        return
    jobs = {job["name"]: (pointer, job) for pointer, job in replicated_jobs(resource)}
    for name in (LAUNCHER, NODE):
        if name not in jobs:
            message = f"an MPI runtime has no replicated job {name!r}, and the Trainer connects no other"
            yield found(resource, "AICR-K038", "/spec/template/spec/replicatedJobs", message, f"name one replicated job {name!r}")
    for name, (pointer, job) in jobs.items():
        if (step(job) == "trainer") != (name == LAUNCHER):
            carries = "carries out the trainer step" if step(job) == "trainer" else "does not carry out the trainer step"
            message = f"replicated job {name!r} of an MPI runtime {carries}, which is the launcher's"
            yield found(resource, "AICR-K038", pointer, message, f"give the step's label to {LAUNCHER!r} and to no other job")
    for pod in pod_templates(resource):
        if pod.name == NODE and pod.container(NODE) is None:
            message = f"replicated job {NODE!r} has no container {NODE!r}, which the Trainer gives the keys to"
            yield found(resource, "AICR-K038", f"{pod.pointer}/spec/containers", message, f"name the container {NODE!r}")


def end(resource: Resource) -> Iterator[Finding]:
    """The job ends with its launcher: the nodes wait for SSH and end by themselves never."""
    if _policy(resource) is not None:
        jobset = (spec(resource).get("template") or {}).get("spec") or {}
        policy = jobset.get("successPolicy") or {}
        if policy.get("targetReplicatedJobs") != [LAUNCHER]:
            message = f"an MPI runtime does not end with its {LAUNCHER!r}: its success depends on the nodes, which never end"
            at = "/spec/template/spec/successPolicy" if policy else "/spec/template/spec"
            yield found(resource, "AICR-K039", at, message, f"set successPolicy.targetReplicatedJobs to [{LAUNCHER}]")


def launch(resource: Resource) -> Iterator[Finding]:
    """The Trainer sets the host file and how it is reached; a runtime that sets them loses them."""
    for pod in pod_templates(resource) if _policy(resource) is not None else ():
        for container in pod.containers():
            for pointer, entry in container.env():
                if entry["name"] in _RESERVED:
                    message = f"the Trainer sets {entry['name']} itself"
                    yield found(resource, "AICR-K032", pointer, message, "remove the variable")


def slots(resource: Resource) -> Iterator[Finding]:
    """As many processes start on a node as it has GPUs, unless a job asks for another number."""
    policy = _policy(resource)
    for pod in training_pods(resource) if policy is not None else ():
        node = pod.container(NODE)
        limits = ((node.data.get("resources") or {}).get("limits") or {}) if node else {}
        processes = (policy or {}).get("numProcPerNode", 1)
        if GPU in limits and not _counts(limits[GPU], processes):
            message = f"numProcPerNode is {processes} where each node has {limits[GPU]} GPUs"
            at = "/spec/mlPolicy/mpi"
            yield found(resource, "AICR-K036", at, message, f"set numProcPerNode to {limits[GPU]}")


def _policy(resource: Resource) -> JsonObject | None:
    """`mlPolicy.mpi` of a runtime that has no other policy, or None."""
    stated = (spec(resource).get("mlPolicy") or {}) if is_runtime(resource) else {}
    alone = all(stated.get(name) is None for name in POLICIES if name != "mpi")
    policy: JsonObject | None = stated.get("mpi") if alone else None
    return policy


def _counts(written: str | int, wanted: int) -> bool:
    try:
        return Quantity.parse(written).value == wanted
    except InvalidInput:
        return False
