"""What a template may render: named Kubernetes objects of a bundle, in the scope they have.

Source of the scopes: the Kubernetes API reference and Kubeflow Trainer's resource definitions, as `kubectl api-resources` prints
them. A kind that is in neither list is left to conformance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.model.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bundler.kube.resource import Resource
    from bundler.model.location import Location

__all__ = ["check_runtime", "check_scope", "check_shape", "check_unique", "is_runtime"]

_TRAINER = "trainer.kubeflow.org"
_RBAC = "rbac.authorization.k8s.io"

_RUNTIMES = frozenset({(_TRAINER, "ClusterTrainingRuntime"), (_TRAINER, "TrainingRuntime")})

_CLUSTER = frozenset(
    {
        ("", "Namespace"),
        ("", "Node"),
        ("", "PersistentVolume"),
        ("admissionregistration.k8s.io", "MutatingWebhookConfiguration"),
        ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy"),
        ("admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding"),
        ("admissionregistration.k8s.io", "ValidatingWebhookConfiguration"),
        ("apiextensions.k8s.io", "CustomResourceDefinition"),
        ("apiregistration.k8s.io", "APIService"),
        ("networking.k8s.io", "IngressClass"),
        ("node.k8s.io", "RuntimeClass"),
        (_RBAC, "ClusterRole"),
        (_RBAC, "ClusterRoleBinding"),
        ("resource.k8s.io", "DeviceClass"),
        ("resource.k8s.io", "ResourceSlice"),
        ("scheduling.k8s.io", "PriorityClass"),
        ("storage.k8s.io", "CSIDriver"),
        ("storage.k8s.io", "StorageClass"),
        (_TRAINER, "ClusterTrainingRuntime"),
    }
)

_NAMESPACED = frozenset(
    {
        ("", "ConfigMap"),
        ("", "LimitRange"),
        ("", "PersistentVolumeClaim"),
        ("", "Pod"),
        ("", "ResourceQuota"),
        ("", "Service"),
        ("", "ServiceAccount"),
        ("apps", "DaemonSet"),
        ("apps", "Deployment"),
        ("apps", "ReplicaSet"),
        ("apps", "StatefulSet"),
        ("autoscaling", "HorizontalPodAutoscaler"),
        ("batch", "CronJob"),
        ("batch", "Job"),
        ("coordination.k8s.io", "Lease"),
        ("networking.k8s.io", "Ingress"),
        ("networking.k8s.io", "NetworkPolicy"),
        ("policy", "PodDisruptionBudget"),
        (_RBAC, "Role"),
        (_RBAC, "RoleBinding"),
        ("resource.k8s.io", "ResourceClaim"),
        ("resource.k8s.io", "ResourceClaimTemplate"),
        (_TRAINER, "TrainJob"),
        (_TRAINER, "TrainingRuntime"),
    }
)


def check_shape(data: object, location: Location) -> Finding | None:
    """Why rendered data is no single object that a bundle may hold, or None.

    Args:
        data: a rendered document.
        location: where it starts.
    """
    if not isinstance(data, dict):
        return _finding("AICR-T013", "a rendered document is no map", location, fix="render one Kubernetes object a document")
    kind = data.get("kind")
    if isinstance(kind, str) and kind.endswith("List") and ("items" in data or kind == "List"):
        return _finding("AICR-T016", f"a template renders a {kind}", location, fix="render its items as documents of their own")
    metadata = data.get("metadata")
    if not isinstance(metadata, dict):
        metadata = {}
    name = metadata.get("name")
    stated = {"apiVersion": data.get("apiVersion"), "kind": kind, "metadata.name": name}
    if lacking := [field for field, value in stated.items() if not (isinstance(value, str) and value)]:
        message = f"a rendered object has no {' and no '.join(lacking)}"
        return _finding("AICR-T013", message, location, fix="state apiVersion, kind and metadata.name as texts")
    if not isinstance(metadata.get("namespace", ""), str):
        return _finding("AICR-T013", "metadata.namespace is no text", location, fix="quote it")
    if (data["apiVersion"], kind) == ("v1", "Secret"):
        return _finding(
            "AICR-T015", f"a template renders the Secret {name!r}", location, fix="let the cluster's secret store make it"
        )
    return None


def check_scope(resource: Resource) -> Iterator[Finding]:
    """A namespace on an object that has none, or none on an object that needs one."""
    scope = (resource.identity[0], resource.kind)
    if scope in _CLUSTER and resource.namespace:
        yield Finding(
            rule="AICR-T017",
            message=f"{resource.subject} is cluster-scoped and states the namespace {resource.namespace!r}",
            location=resource.locate("/metadata/namespace"),
            pointer="/metadata/namespace",
            subject=resource.subject,
            fix="remove metadata.namespace",
        )
    elif scope in _NAMESPACED and not resource.namespace:
        yield Finding(
            rule="AICR-T017",
            message=f"{resource.subject} is namespaced and states no namespace",
            location=resource.locate("/metadata"),
            pointer="/metadata",
            subject=resource.subject,
            fix="state metadata.namespace: it would land in whichever namespace the client happens to use",
        )


def check_runtime(resources: Sequence[Resource], name: str) -> Iterator[Finding]:
    """A runtime template renders the runtime of its name, and beside it only what lives in the runtime's own namespace.

    Args:
        resources: all that the template rendered, at least one.
        name: the runtime's name.
    """
    runtimes = [resource for resource in resources if is_runtime(resource)]
    if [runtime.name for runtime in runtimes] != [name]:
        found = ", ".join(runtime.subject for runtime in runtimes) or "none"
        yield Finding(
            rule="AICR-T018",
            message=f"a runtime template renders exactly the runtime {name!r}, not {found}",
            location=(runtimes or resources)[0].locate("/metadata/name"),
            pointer="/metadata/name",
            fix="name the runtime as its template",
        )
        return
    home = runtimes[0].namespace
    place = repr(home) if home else "none"
    for resource in resources:
        if resource.namespace and resource.namespace != home:
            yield Finding(
                rule="AICR-T017",
                message=f"{resource.subject} lives in the namespace {resource.namespace!r}, its runtime in {place}",
                location=resource.locate("/metadata/namespace"),
                pointer="/metadata/namespace",
                subject=resource.subject,
                fix="render both in one namespace" if home else "render a TrainingRuntime in that namespace",
            )


def check_unique(resources: Iterable[Resource]) -> Iterator[Finding]:
    """Objects that a cluster could not tell apart."""
    seen: dict[tuple[str, str, str, str], Resource] = {}
    for resource in resources:
        first = seen.setdefault(resource.identity, resource)
        if first is not resource:
            yield Finding(
                rule="AICR-T014",
                message=f"{resource.subject} is rendered twice, first at {first.locate('/kind')}",
                location=resource.locate("/kind"),
                subject=resource.subject,
                fix="give one of them another name, or render it once",
            )


def is_runtime(resource: Resource) -> bool:
    """Whether a resource is a training runtime, of the cluster or of a namespace."""
    return (resource.identity[0], resource.kind) in _RUNTIMES


def _finding(rule: str, message: str, location: Location, *, fix: str) -> Finding:
    return Finding(rule=rule, message=message, location=location, fix=fix)
