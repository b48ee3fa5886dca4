"""Rules on an object as such: its kind, its names, its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.conform.context import found
from bundler.conform.pods import is_runtime, pod_templates
from bundler.kube import names
from bundler.model.pointer import child

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bundler.conform.context import Context
    from bundler.kube.resource import Resource
    from bundler.model.document import JsonObject
    from bundler.model.finding import Finding

__all__ = [
    "configuration_keys",
    "identity",
    "metadata",
    "namespace",
    "null_values",
    "pod_metadata",
    "refused_kinds",
    "template_text",
    "without_metadata",
]

ANNOTATION_BYTES = 256 * 1024
"""Sum of all annotation keys and values of one object (k8s.io/apimachinery/pkg/api/validation)."""
_NAME_FORMS: dict[str, Callable[[str], str | None]] = {"Namespace": names.dns_label, "TrainJob": names.service_label}
_REFUSED = {
    "Secret": "a bundle is committed in clear text; create the secret in the cluster and refer to it by name",
    "List": "render each object as a document of its own",
}


def refused_kinds(resource: Resource) -> Iterator[Finding]:
    """No secrets in a committed bundle, and no lists, whose items would escape every other rule."""
    kind = "List" if resource.kind.endswith("List") else resource.kind
    if kind in _REFUSED:
        yield found(resource, "AICR-K010", "/kind", f"a bundle holds no object of kind {resource.kind}", _REFUSED[kind])


def without_metadata(resource: Resource) -> Iterator[Finding]:
    """Nothing can be said of an object without metadata."""
    if not isinstance(resource.data.get("metadata"), dict):
        yield found(resource, "AICR-K004", "/metadata", "required field 'metadata' is missing", "add metadata with a name")


def metadata(resource: Resource) -> Iterator[Finding]:
    """Name, labels and annotations have the forms that every API server demands."""
    form = _NAME_FORMS.get(resource.kind, names.dns_subdomain)
    reason = form(resource.name) if resource.name else "is missing"
    if reason:
        yield found(resource, "AICR-K011", "/metadata/name", f"name {resource.name[:80]!r} {reason}", "choose another name")
    yield from _metadata(resource, resource.data["metadata"], "/metadata")


def pod_metadata(resource: Resource) -> Iterator[Finding]:
    """Labels and annotations of pods too: a custom resource's admission does not look at them, the pod's does, much later."""
    for pod in pod_templates(resource):
        yield from _metadata(resource, pod.metadata, f"{pod.pointer}/metadata")


def namespace(resource: Resource, context: Context) -> Iterator[Finding]:
    """An object says where it goes: a namespaced one without namespace lands wherever the client happens to point."""
    kind = context.kind(resource)
    if kind is None:
        return
    if kind.scope == "Namespaced" and not resource.namespace:
        message = f"{resource.kind} is namespaced and states no namespace"
        yield found(resource, "AICR-K013", "/metadata", message, "add metadata.namespace")
    elif kind.scope == "Cluster" and resource.namespace:
        message = f"{resource.kind} is cluster-scoped and states the namespace {resource.namespace!r}"
        yield found(resource, "AICR-K013", "/metadata/namespace", message, "remove metadata.namespace")
    elif resource.namespace and (reason := names.dns_label(resource.namespace)):
        message = f"namespace {resource.namespace!r} {reason}"
        yield found(resource, "AICR-K013", "/metadata/namespace", message, "correct the namespace")


def identity(resource: Resource, context: Context) -> Iterator[Finding]:
    """Two objects of one identity overwrite each other in the cluster."""
    first = context.first.get(resource.identity, resource)
    if first is not resource:
        message = f"{resource.subject} is rendered twice, first by {first.locate('')}"
        yield found(resource, "AICR-K014", "/metadata/name", message, "render it once, or give one of them another name")


def template_text(resource: Resource) -> Iterator[Finding]:
    """A component's manifest stands in a chart, where Helm would evaluate template text in it."""
    if not is_runtime(resource):
        for pointer in _places(resource.data, lambda value: isinstance(value, str) and "{{" in value):
            message = "text holds '{{', which Helm evaluates when it installs the component"
            yield found(resource, "AICR-K015", pointer, message, "write the value without '{{'")


def configuration_keys(resource: Resource) -> Iterator[Finding]:
    """Keys of a ConfigMap are file names."""
    if resource.kind == "ConfigMap":
        for section in ("data", "binaryData"):
            for key in resource.data.get(section) or {}:
                if reason := names.config_key(key):
                    message = f"key {key[:80]!r} {reason}"
                    yield found(resource, "AICR-K016", child(f"/{section}", key), message, "choose another key")


def null_values(resource: Resource) -> Iterator[Finding]:
    """A server drops a null without a word; a template that renders one meant something else."""
    for pointer in _places(resource.data, lambda value: value is None):
        message = "value is null, and a server drops it in silence"
        yield found(resource, "AICR-K007", pointer, message, "remove the key or give it a value")


def _metadata(resource: Resource, data: JsonObject, pointer: str) -> Iterator[Finding]:
    labels, annotations = _map(data.get("labels")), _map(data.get("annotations"))
    for key, value in labels.items():
        at = child(f"{pointer}/labels", key)
        if reason := names.qualified_name(key):
            yield found(resource, "AICR-K012", at, f"label {key[:80]!r} {reason}", "correct the key")
        if isinstance(value, str) and (reason := names.label_value(value)):
            yield found(resource, "AICR-K012", at, f"value {value[:80]!r} of label {key!r} {reason}", "correct the value")
    for key in annotations:
        if reason := names.qualified_name(key.lower()):
            at = child(f"{pointer}/annotations", key)
            yield found(resource, "AICR-K012", at, f"annotation {key[:80]!r} {reason}", "correct the key")
    size = sum(len(key.encode()) + len(str(value).encode()) for key, value in annotations.items())
    if size > ANNOTATION_BYTES:
        message = f"annotations take {size} bytes, at most {ANNOTATION_BYTES} are allowed"
        yield found(resource, "AICR-K012", f"{pointer}/annotations", message, "shorten the annotations")


def _map(data: Any) -> JsonObject:
    """`data` if it is a map: a kind without schema may hold anything here."""
    return data if isinstance(data, dict) else {}


def _places(data: Any, wanted: Callable[[Any], bool]) -> Iterator[str]:
    """Pointers of all keys and values that are `wanted`. They grow on the way out: a walk that finds nothing builds none."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        if wanted(key) or wanted(value):
            yield child("", key)
        elif isinstance(value, dict | list):
            for pointer in _places(value, wanted):
                yield child("", key) + pointer
