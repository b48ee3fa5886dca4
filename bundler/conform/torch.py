"""What a torch runtime must look like for a TrainJob to run on it as intended. No server checks any of this.

Source: how the Trainer controller turns a TrainJob and its runtime into a JobSet, 2.2 and 2.3, and the runs recorded for it: it
writes into the replicated job and the container named `node`, hard-codes the first pod's host name, adds port 29500, and counts
every resource whose name contains `gpu`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.conform.context import found
from bundler.conform.pods import ANCESTOR, is_runtime, pod_templates, replicated_jobs, spec, step
from bundler.conform.runtimes import UNCHECKED
from bundler.errors import InvalidInput
from bundler.kube.quantity import Quantity
from bundler.model.finding import Severity
from bundler.model.pointer import child

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.conform.pods import PodTemplate
    from bundler.kube.resource import Resource
    from bundler.model.finding import Finding

__all__ = ["gpus", "labels", "launch", "master_address", "native_sidecars", "ports", "shape"]

FRAMEWORK = "trainer.kubeflow.org/framework"
GPU = "nvidia.com/gpu"
NODE = "node"
MASTER_PORT = 29500


def labels(resource: Resource) -> Iterator[Finding]:
    """Every runtime names its framework, without which the SDK does not list it, and lets the webhooks look at it."""
    if is_runtime(resource):
        stated = resource.data["metadata"].get("labels") or {}
        if FRAMEWORK not in stated:
            yield found(resource, "AICR-K030", "/metadata", f"label {FRAMEWORK} is missing", f"add the label {FRAMEWORK}")
        if UNCHECKED in stated:
            message = f"label {UNCHECKED} switches off the checks of the Trainer webhooks from 2.3 on"
            yield found(resource, "AICR-K030", child("/metadata/labels", UNCHECKED), message, "remove the label")


def shape(resource: Resource) -> Iterator[Finding]:
    """One replicated job and one container named `node` carry out the trainer step, on at least one node."""
    if not _is_torch(resource):
        return
    policy = spec(resource).get("mlPolicy") or {}
    if policy.get("torch") is None:
        message = "a torch runtime has no mlPolicy.torch, so no process group is configured"
        yield found(resource, "AICR-K031", "/spec/mlPolicy", message, "add `torch: {}` to mlPolicy")
    nodes = policy.get("numNodes")
    if nodes is not None and nodes < 1:
        yield found(resource, "AICR-K031", "/spec/mlPolicy/numNodes", f"numNodes is {nodes}", "set it to 1 or more")
    trainers = [(pointer, job) for pointer, job in replicated_jobs(resource) if step(job) == "trainer"]
    if len(trainers) != 1 or trainers[0][1]["name"] != NODE:
        names = ", ".join(repr(job["name"]) for _, job in trainers) or "none"
        message = f"the trainer step is carried out by {names}, not by exactly one replicated job named {NODE!r}"
        fix = f"name one replicated job {NODE!r} and give its job template the label {ANCESTOR}: trainer"
        yield found(resource, "AICR-K031", trainers[0][0] if trainers else "/spec/template/spec/replicatedJobs", message, fix)


def launch(resource: Resource) -> Iterator[Finding]:
    """The Trainer sets the PET_* variables of torchrun; a runtime that sets them loses them, or worse, keeps them."""
    for pod in _trainer_pods(resource):
        for container in pod.containers():
            for pointer, entry in container.env():
                if entry["name"].startswith("PET_"):
                    message = f"the Trainer sets {entry['name']} itself"
                    yield found(resource, "AICR-K032", pointer, message, "remove the variable")


def native_sidecars(resource: Resource) -> Iterator[Finding]:
    """What runs beside the training is a native sidecar: a second plain container keeps the job from completing."""
    for pod in _trainer_pods(resource):
        for container in pod.containers():
            if not container.init and container.name != NODE:
                message = f"container {container.name!r} runs beside 'node' and keeps the job from completing"
                fix = "move it to initContainers with restartPolicy: Always"
                yield found(resource, "AICR-K033", container.pointer, message, fix)


def ports(resource: Resource) -> Iterator[Finding]:
    """Every port is named and none is the Trainer's own: it overwrites the first unnamed port with 29500.

    Those without a name after the first are taken for it, which is a finding of its own.
    """
    for pod in _trainer_pods(resource):
        for container in pod.containers():
            stated = container.data.get("ports") or ()
            first = next((index for index, port in enumerate(stated) if not port.get("name")), None)
            for index, port in enumerate(stated):
                pointer = f"{container.pointer}/ports/{index}"
                number = port["containerPort"]
                if index == first:
                    message = f"port {number} has no name, and the Trainer replaces the first unnamed port"
                    yield found(resource, "AICR-K034", pointer, message, "name the port")
                if number == MASTER_PORT:
                    message = f"port {MASTER_PORT} is the one that the Trainer adds for the process group"
                    yield found(resource, "AICR-K034", pointer, message, "choose another port")


def master_address(resource: Resource) -> Iterator[Finding]:
    """The master's address is `<trainjob>-node-0-0.<trainjob>`, whatever the network section says."""
    if _is_torch(resource):
        jobset = (spec(resource).get("template") or {}).get("spec") or {}
        network = jobset.get("network") or {}
        if network.get("subdomain"):
            message = f"subdomain {network['subdomain']!r} is not the one the Trainer writes into PET_MASTER_ADDR"
            yield found(resource, "AICR-K035", "/spec/template/spec/network/subdomain", message, "remove the subdomain")
        if network.get("enableDNSHostnames") is False:
            message = "without DNS host names the workers do not find PET_MASTER_ADDR"
            yield found(resource, "AICR-K035", "/spec/template/spec/network/enableDNSHostnames", message, "remove it")


def gpus(resource: Resource) -> Iterator[Finding]:
    """GPUs stand in requests and limits with one value, and no other resource name makes the Trainer count wrongly."""
    for pod in _trainer_pods(resource):
        node = pod.container(NODE)
        if node is None or node.init:
            continue
        resources = node.data.get("resources") or {}
        at = f"{node.pointer}/resources"
        requests, limits = resources.get("requests") or {}, resources.get("limits") or {}
        if not _same(requests.get(GPU), limits.get(GPU)):
            # A limit alone is requested as well, and is the one form that a job on Trainer 2.3 can lower; it is only less plain.
            severity = Severity.WARNING if GPU not in requests else Severity.ERROR
            requested, limit = (section.get(GPU, "not stated") for section in (requests, limits))
            message = f"{GPU} is {requested} in requests and {limit} in limits"
            yield found(resource, "AICR-K036", at, message, "state one count in both", severity=severity)
        for name in sorted({*requests, *limits}):
            if "gpu" in name.lower() and name != GPU:
                message = f"resource {name!r} contains 'gpu', and the Trainer takes its amount for a number of GPUs"
                yield found(resource, "AICR-K036", at, message, "use a resource without 'gpu' in its name")


def _is_torch(resource: Resource) -> bool:
    if not is_runtime(resource):
        return False
    policy = spec(resource).get("mlPolicy") or {}
    return policy.get("torch") is not None or (resource.data["metadata"].get("labels") or {}).get(FRAMEWORK) == "torch"


def _trainer_pods(resource: Resource) -> Iterator[PodTemplate]:
    return (pod for pod in pod_templates(resource) if pod.step == "trainer") if _is_torch(resource) else iter(())


def _same(first: Any, second: Any) -> bool:
    if first is None or second is None:
        return first is second
    try:
        return Quantity.parse(first) == Quantity.parse(second)
    except InvalidInput:
        return False
