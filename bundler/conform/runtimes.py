"""What Kubeflow Trainer admits: the CEL rules of its CRDs and the rules of its runtime webhooks, by hand.

Sources: x-kubernetes-validations in manifests/base/crds and pkg/webhooks/trainingruntime_webhook.go of
github.com/kubeflow/trainer, the same in 2.2 and 2.3 but where a rule says otherwise. Transition rules (`self == oldSelf`) bind
on update only and are not repeated here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.compose.wording import nearest
from bundler.conform.context import found
from bundler.conform.pods import ANCESTOR, is_runtime, pod_templates, replicated_jobs, select, spec, step
from bundler.model.finding import Severity
from bundler.model.pointer import child

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.conform.context import Context
    from bundler.kube.resource import Resource
    from bundler.model.document import JsonObject
    from bundler.model.finding import Finding

__all__ = [
    "POLICIES",
    "TRAINER",
    "UNCHECKED",
    "claim_namespace",
    "env_injection",
    "known_steps",
    "one_policy",
    "ports_taken_for_one",
    "required_containers",
    "startup_order",
]

POLICIES = ("torch", "mpi", "jax", "xgboost", "flux")
STEP_CONTAINERS = {"trainer": "node", "dataset-initializer": "dataset-initializer", "model-initializer": "model-initializer"}
"""Step of a TrainJob → the container that its replicated job must have."""
TRAINER = "kubeflow-trainer"
"""The component whose version decides."""
UNCHECKED = "trainer.kubeflow.org/webhook-validation"
CHECKS_ALL = frozenset({"2.2.0", "2.2.1"})
"""Versions whose webhooks look at every runtime, whatever its label: the selector came with 2.3.0."""


def one_policy(resource: Resource) -> Iterator[Finding]:
    """CEL of `spec.mlPolicy`."""
    if is_runtime(resource):
        policy = spec(resource).get("mlPolicy") or {}
        stated = [name for name in POLICIES if policy.get(name) is not None]
        if len(stated) > 1:
            message = f"mlPolicy configures {' and '.join(stated)}; only one is allowed"
            yield found(resource, "AICR-K020", "/spec/mlPolicy", message, "keep one of them")


def env_injection(resource: Resource) -> Iterator[Finding]:
    """CEL of `envInjection.targets[].containerNames`: the training container gets the variables anyway."""
    if is_runtime(resource):
        for pointer, name in select(resource.data, "spec/mlPolicy/torch/envInjection/targets/*/containerNames/*"):
            if name == "node":
                yield found(
                    resource, "AICR-K021", pointer, "envInjection names the container 'node'", "remove it from containerNames"
                )


def startup_order(resource: Resource) -> Iterator[Finding]:
    """CEL of the JobSet spec: two ways of ordering exclude each other."""
    if is_runtime(resource):
        ordered = [value for _, value in select(resource.data, "spec/template/spec/startupPolicy/startupPolicyOrder")]
        for pointer, job in replicated_jobs(resource):
            if ordered == ["InOrder"] and job.get("dependsOn") is not None:
                message = "dependsOn and startupPolicy InOrder exclude each other"
                yield found(resource, "AICR-K022", f"{pointer}/dependsOn", message, "remove startupPolicy")


def claim_namespace(resource: Resource) -> Iterator[Finding]:
    """CEL of `volumeClaimPolicies`: a claim is made in the TrainJob's namespace."""
    if is_runtime(resource):
        path = "spec/template/spec/volumeClaimPolicies/*/templates/*/metadata/namespace"
        for pointer, value in select(resource.data, path):
            if value:
                yield found(
                    resource, "AICR-K023", pointer, f"claim template states the namespace {value!r}", "remove the namespace"
                )


def ports_taken_for_one(resource: Resource) -> Iterator[Finding]:
    """The Trainer writes each port once more, over the first of the same number, or of the same name, which none and none is.

    One of the two is then there twice, and no JobSet is ever made (recorded, Trainer 2.3).
    """
    for pod in pod_templates(resource) if is_runtime(resource) else ():
        for container in pod.containers():
            ports = container.data.get("ports") or []
            for index, port in enumerate(ports):
                if any(_is_taken_for(earlier, port) for earlier in ports[:index]):
                    message = f"port {port['containerPort']} of container {container.name!r} is taken for one before it"
                    at = f"{container.pointer}/ports/{index}"
                    yield found(resource, "AICR-K037", at, message, "name every port, and use each number once")


def _is_taken_for(one: JsonObject, other: JsonObject) -> bool:
    return bool(one["containerPort"] == other["containerPort"] or one.get("name") == other.get("name"))


def known_steps(resource: Resource) -> Iterator[Finding]:
    """A step that the Trainer does not know is passed over by its webhooks and by whatever fills the job in."""
    for pointer, job in replicated_jobs(resource) if is_runtime(resource) else ():
        if (stated := step(job)) and stated not in STEP_CONTAINERS:
            message = f"replicated job {job['name']!r} carries out step {stated!r}, which the Trainer passes over"
            at = child(f"{pointer}/template/metadata/labels", ANCESTOR)
            fix = nearest(stated, STEP_CONTAINERS, label="steps")
            yield found(resource, "AICR-K026", at, message, fix, severity=Severity.WARNING)


def required_containers(resource: Resource, context: Context) -> Iterator[Finding]:
    """The runtime webhooks: one replica, and the container that the Trainer fills in."""
    if not is_runtime(resource) or _is_unchecked(resource, context):
        return
    for pointer, job in replicated_jobs(resource):
        required = STEP_CONTAINERS.get(step(job))
        if required is None:
            continue
        replicas = job.get("replicas")
        if replicas not in {None, 1}:
            message = f"replicated job {job['name']!r} has {replicas} replicas; a TrainJob step has 1"
            yield found(resource, "AICR-K024", f"{pointer}/replicas", message, "set replicas to 1")
        names = [name for _, name in select(job, "template/spec/template/spec/containers/*/name")]
        if required not in names:
            at = f"{pointer}/template/spec/template/spec/containers"
            message = f"replicated job {job['name']!r} carries out step {step(job)!r} and has no container {required!r}"
            yield found(resource, "AICR-K025", at, message, f"name the container {required!r}")


def _is_unchecked(resource: Resource, context: Context) -> bool:
    """Whether a label keeps the webhooks from looking at the runtime, which it does not in every version."""
    labels = resource.data["metadata"].get("labels") or {}
    return labels.get(UNCHECKED) == "disabled" and context.version(TRAINER) not in CHECKS_ALL
