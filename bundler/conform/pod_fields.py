"""Single fields that a pod's admission judges and no custom resource's schema does: a line of a table each.

Source: k8s.io/kubernetes/pkg/apis/core/validation, ValidatePodSpec and what it calls.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from bundler.compose.wording import shown
from bundler.conform.context import found
from bundler.conform.paths import Paths
from bundler.conform.pods import pod_templates
from bundler.kube import names
from bundler.model.pointer import child

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.kube.resource import Resource
    from bundler.model.document import JsonObject
    from bundler.model.finding import Finding

__all__ = ["fields"]

_Form = Callable[[Any], str | None]
"""Why a value is not of the form, or None."""

_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution/*"
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution/*"
_POD_AFFINITIES = ("podAffinity", "podAntiAffinity")
_KEYED = re.compile(r"metadata\.(?:labels|annotations)\['(.+)'\]\Z")
_POD_FIELDS = (
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
)
_AMOUNT = re.compile(r"(?:limits|requests)\.(?:cpu|memory|ephemeral-storage|hugepages-.+)\Z")
_MEDIUM = re.compile(r"(?:Memory|HugePages(?:-.+)?)\Z")


def _pod_field(path: str) -> str | None:
    if keyed := _KEYED.match(path):
        reason = names.qualified_name(keyed[1])
        return f"has a key that {reason}" if reason else None
    return None if path in _POD_FIELDS else f"is no label or annotation such as metadata.labels['x'], nor {', '.join(_POD_FIELDS)}"


def _amount(text: str) -> str | None:
    return None if _AMOUNT.match(text) else "is not limits or requests of cpu, memory, ephemeral-storage or hugepages-<size>"


def _medium(text: str) -> str | None:
    return None if _MEDIUM.match(text) else "is not Memory, HugePages or HugePages-<size>"


def _no_step_up(path: str) -> str | None:
    return "steps up with '..'" if ".." in path.split("/") else None


def _relative(path: str) -> str | None:
    return "is absolute, and has to be relative" if path.startswith("/") else _no_step_up(path)


def _absolute(path: str) -> str | None:
    return None if path.startswith("/") else "is not an absolute path"


def _between(low: int, high: int) -> _Form:
    return lambda number: None if low <= number <= high else f"is not between {low} and {high}"


def _any(_value: Any) -> str | None:
    return None


_IDENTITY = _between(0, 2**31 - 1)
_POSITIVE = _between(1, 2**31 - 1)
_WEIGHT = _between(1, 100)

_POD_NEEDS: Mapping[str, _Form] = {
    "schedulingGates/*/name": names.qualified_name,
    "resourceClaims/*/name": names.dns_label,
    "topologySpreadConstraints/*/topologyKey": names.qualified_name,
    **{f"affinity/{kind}/{_REQUIRED}/topologyKey": names.qualified_name for kind in _POD_AFFINITIES},
    **{f"affinity/{kind}/{_PREFERRED}/podAffinityTerm/topologyKey": names.qualified_name for kind in _POD_AFFINITIES},
    "volumes/*/hostPath/path": _no_step_up,
    "volumes/*/configMap/name": names.dns_subdomain,
    "volumes/*/configMap/items/*/path": _relative,
    "volumes/*/secret/secretName": names.dns_subdomain,
    "volumes/*/secret/items/*/path": _relative,
    "volumes/*/persistentVolumeClaim/claimName": names.dns_subdomain,
    "volumes/*/nfs/server": _any,
    "volumes/*/nfs/path": _absolute,
    "volumes/*/csi/driver": names.dns_subdomain,
    "volumes/*/projected/sources/*/configMap/name": names.dns_subdomain,
    "volumes/*/projected/sources/*/secret/name": names.dns_subdomain,
    "volumes/*/projected/sources/*/serviceAccountToken/path": _relative,
}
"""Path below a pod's spec → the form of a field that its owner cannot do without. Schemas let most of them be absent, or empty."""
_POD_MAY: Mapping[str, _Form] = {
    "activeDeadlineSeconds": _POSITIVE,
    "priorityClassName": names.dns_subdomain,
    "runtimeClassName": names.dns_subdomain,
    "serviceAccountName": names.dns_subdomain,
    "securityContext/fsGroup": _IDENTITY,
    "securityContext/runAsGroup": _IDENTITY,
    "securityContext/runAsUser": _IDENTITY,
    "resourceClaims/*/resourceClaimName": names.dns_subdomain,
    "resourceClaims/*/resourceClaimTemplateName": names.dns_subdomain,
    "tolerations/*/key": names.qualified_name,
    "topologySpreadConstraints/*/maxSkew": _POSITIVE,
    **{f"affinity/{kind}/{_PREFERRED}/weight": _WEIGHT for kind in ("nodeAffinity", *_POD_AFFINITIES)},
    "volumes/*/emptyDir/medium": _medium,
}
"""The same for fields that may be left out."""
_CONTAINER_NEEDS: Mapping[str, _Form] = {
    "env/*/valueFrom/fieldRef/fieldPath": _pod_field,
    "env/*/valueFrom/resourceFieldRef/resource": _amount,
    "env/*/valueFrom/configMapKeyRef/name": names.dns_subdomain,
    "env/*/valueFrom/configMapKeyRef/key": names.config_key,
    "env/*/valueFrom/secretKeyRef/name": names.dns_subdomain,
    "env/*/valueFrom/secretKeyRef/key": names.config_key,
    "envFrom/*/configMapRef/name": names.dns_subdomain,
    "envFrom/*/secretRef/name": names.dns_subdomain,
}
_CONTAINER_MAY: Mapping[str, _Form] = {
    "envFrom/*/prefix": names.environment_name,
    "securityContext/runAsGroup": _IDENTITY,
    "securityContext/runAsUser": _IDENTITY,
    "volumeMounts/*/subPath": _relative,
    "volumeMounts/*/subPathExpr": _relative,
}

_POD_CHOICES: Paths[tuple[str, ...]] = Paths.of([("resourceClaims/*", ("resourceClaimName", "resourceClaimTemplateName"))])
"""Path below a pod's spec → the fields of which exactly one is stated."""
_CONTAINER_CHOICES: Paths[tuple[str, ...]] = Paths.of(
    [
        ("envFrom/*", ("configMapRef", "secretRef")),
        *((probe, ("exec", "grpc", "httpGet", "tcpSocket")) for probe in ("livenessProbe", "readinessProbe", "startupProbe")),
    ]
)

_Table = Paths[tuple[str, str, _Form, bool]]
"""Path of an owner, with the name of a field of it, what the owner is in words, the form of the field, and whether it is needed."""


def _table(needs: Mapping[str, _Form], may: Mapping[str, _Form]) -> _Table:
    every = [(path, form, forms is needs) for forms in (needs, may) for path, form in forms.items()]
    split = [(path.rpartition("/"), form, needed) for path, form, needed in every]
    return Paths.of((owner, (name, _owner(owner), form, needed)) for (owner, _, name), form, needed in split)


def _owner(path: str) -> str:
    """What a path leads to, in words."""
    rest, _, last = path.rpartition("/")
    return f"an entry of {rest.rpartition('/')[2]}" if last == "*" else last


_POD = _table(_POD_NEEDS, _POD_MAY)
_CONTAINER = _table(_CONTAINER_NEEDS, _CONTAINER_MAY)


def fields(resource: Resource) -> Iterator[Finding]:
    """Names, paths and numbers of pods and containers have the forms that a server demands, and what excludes each other does."""
    for pod in pod_templates(resource):
        at = f"{pod.pointer}/spec"
        yield from _malformed(resource, pod.spec, at, _POD)
        yield from _undecided(resource, pod.spec, at, _POD_CHOICES)
        for container in pod.containers():
            yield from _malformed(resource, container.data, container.pointer, _CONTAINER)
            yield from _undecided(resource, container.data, container.pointer, _CONTAINER_CHOICES)


def _malformed(resource: Resource, data: JsonObject, pointer: str, table: _Table) -> Iterator[Finding]:
    for (name, words, form, needed), at, owner in table.select(data, pointer):
        value = owner.get(name)
        if value is None or value == "":
            if needed:
                message = f"{words} has no {name}, and no pod is made without it"
                yield found(resource, "AICR-K059", at, message, f"state {name}")
        elif reason := form(value):
            message = f"{name} {shown(value)} {reason}"
            yield found(resource, "AICR-K059", child(at, name), message, f"correct {name}")


def _undecided(resource: Resource, data: JsonObject, pointer: str, choices: Paths[tuple[str, ...]]) -> Iterator[Finding]:
    for options, at, owner in choices.select(data, pointer):
        stated = [name for name in options if owner.get(name) is not None]
        if len(stated) != 1:
            message = f"exactly one of {', '.join(options)} is needed, not {' and '.join(stated) or 'none'}"
            yield found(resource, "AICR-K059", at, message, "state one of them")
