"""Rules on the claims of pods: each is used by a container, and comes from a template that is there.

Source: the dynamic resource allocation of Kubernetes (resource.k8s.io). A claim is allocated for the pod and handed to those of its
containers that name it; a template is looked up by name in the pod's own namespace.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.conform.context import found
from bundler.conform.pods import is_runtime, pod_templates, select
from bundler.model.finding import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.conform.context import Context
    from bundler.kube.resource import Resource
    from bundler.model.finding import Finding

__all__ = ["made_templates", "present", "reach", "templates", "unused"]

_KEY = "resourceClaimTemplate"


def unused(resource: Resource) -> Iterator[Finding]:
    """A claim of the pod is used by a container; else its device is allocated and none of them has it."""
    for pod in pod_templates(resource):
        used = {claim["name"] for container in pod.containers() for _, claim in select(container.data, "resources/claims/*")}
        for pointer, name in select(pod.spec, "resourceClaims/*/name", f"{pod.pointer}/spec"):
            if name not in used:
                message = f"no container uses the claim {name!r}: its device is allocated, and appears in none of them"
                yield found(resource, "AICR-K045", pointer, message, "add it to resources.claims of the container that needs it")


def reach(resource: Resource) -> Iterator[Finding]:
    """A runtime of the whole cluster refers to no claim template, which would exist in some namespaces only."""
    if resource.kind != "ClusterTrainingRuntime":
        return
    for pointer, name in templates(resource):
        message = f"the claim template {name!r} lives in one namespace, and the runtime serves the jobs of all"
        yield found(resource, "AICR-K046", pointer, message, "render a TrainingRuntime in the namespace of the template")


def present(resource: Resource, context: Context) -> Iterator[Finding]:
    """A claim template that a namespaced runtime refers to is made by an object of the bundle in that namespace."""
    if resource.kind != "TrainingRuntime":
        return
    for pointer, name in templates(resource):
        if not any(name in made_templates(other) for other in context.first.values() if other.namespace == resource.namespace):
            message = f"no object of the bundle makes the claim template {name!r} in namespace {resource.namespace!r}"
            fix = "render it beside the runtime"
            yield found(resource, "AICR-K047", pointer, message, fix, severity=Severity.WARNING)


def templates(resource: Resource) -> Iterator[tuple[str, str]]:
    """The claim templates that a runtime's pods refer to, with their pointers."""
    if is_runtime(resource):
        for pod in pod_templates(resource):
            yield from select(pod.spec, "resourceClaims/*/resourceClaimTemplateName", f"{pod.pointer}/spec")


def made_templates(resource: Resource) -> frozenset[str]:
    """The claim templates that come into being with an object: itself, or one that a controller makes for it by that name."""
    if resource.kind == "ResourceClaimTemplate":
        return frozenset({resource.name})
    return frozenset(_named(resource.data)) if not is_runtime(resource) else frozenset()


def _named(data: Any) -> Iterator[str]:
    """Names below a key `resourceClaimTemplate`, as a ComputeDomain has one."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key == _KEY and isinstance(value, dict) and isinstance(value.get("name"), str):
                yield value["name"]
            else:
                yield from _named(value)
    elif isinstance(data, list):
        for item in data:
            yield from _named(item)
