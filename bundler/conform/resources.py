"""Rules on the resources a container asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.conform.context import found
from bundler.conform.pods import pod_templates
from bundler.errors import InvalidInput
from bundler.kube import names
from bundler.kube.quantity import Quantity
from bundler.model.pointer import child

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.kube.resource import Resource
    from bundler.model.document import JsonObject
    from bundler.model.finding import Finding

__all__ = ["amounts", "claims", "huge_pages", "requests_and_limits"]

_ORDINARY = frozenset({"cpu", "memory"})


def amounts(resource: Resource) -> Iterator[Finding]:
    """Every amount is a quoted, non-negative quantity of a properly named resource; extended resources are counted whole."""
    for pointer, section, _ in _sections(resource):
        for name, written in section.items():
            at = child(pointer, name)
            if reason := names.resource_name(name):
                yield found(resource, "AICR-K040", at, f"resource name {name!r} {reason}", "correct the name")
            if not isinstance(written, str):
                message = f"quantity {written!r} of {name} is a number, and tools that read it as text refuse it"
                yield found(resource, "AICR-K042", at, message, f'write "{written}" in quotes')
            try:
                amount = Quantity.parse(written)
            except InvalidInput as error:
                yield found(resource, "AICR-K041", at, error.findings[0].message, error.findings[0].fix)
                continue
            if amount.value < 0:
                yield found(
                    resource, "AICR-K040", at, f"quantity {written!r} of {name} is negative", "state an amount of 0 or more"
                )
            if _extended(name) and not amount.whole:
                yield found(
                    resource, "AICR-K040", at, f"quantity {written!r} of {name} is not a whole number", "state a whole number"
                )


def requests_and_limits(resource: Resource) -> Iterator[Finding]:
    """A request does not exceed its limit; an extended resource has a limit, equal to its request."""
    for pointer, requests, owner in _sections(resource):
        if not pointer.endswith("/requests"):
            continue
        limits = owner.get("limits") or {}
        for name, written in requests.items():
            at, limit = child(pointer, name), limits.get(name)
            if limit is None:
                if _extended(name):
                    yield found(
                        resource, "AICR-K043", at, f"{name} is requested without a limit", "state the same amount in limits"
                    )
                continue
            wanted, allowed = _parsed(written), _parsed(limit)
            if wanted is None or allowed is None:
                continue
            if wanted > allowed:
                yield found(resource, "AICR-K043", at, f"{name} requests {written}, more than its limit {limit}", "raise the limit")
            elif _extended(name) and wanted != allowed:
                message = f"{name} requests {written} and its limit is {limit}; it cannot be overcommitted"
                yield found(resource, "AICR-K043", at, message, "state one amount in both")


def huge_pages(resource: Resource) -> Iterator[Finding]:
    """Huge pages are admitted only beside cpu or memory."""
    for pod in pod_templates(resource):
        for container in pod.containers():
            owner = container.data.get("resources") or {}
            asked = {*(owner.get("requests") or {}), *(owner.get("limits") or {})}
            if not asked & _ORDINARY and any(name.startswith("hugepages-") for name in asked):
                message = f"container {container.name!r} asks for huge pages and for neither cpu nor memory, so no pod is made"
                yield found(resource, "AICR-K040", f"{container.pointer}/resources", message, "request cpu or memory, too")


def claims(resource: Resource) -> Iterator[Finding]:
    """A container claims only what the pod declares."""
    for pod in pod_templates(resource):
        declared = {claim["name"] for claim in pod.spec.get("resourceClaims") or ()}
        for container in pod.containers():
            for index, claim in enumerate((container.data.get("resources") or {}).get("claims") or ()):
                if claim["name"] not in declared:
                    at = f"{container.pointer}/resources/claims/{index}"
                    message = f"container {container.name!r} uses the claim {claim['name']!r}, which the pod does not declare"
                    yield found(resource, "AICR-K044", at, message, "add it to resourceClaims of the pod")


def _sections(resource: Resource) -> Iterator[tuple[str, JsonObject, JsonObject]]:
    """Requests and limits of all containers, each with its pointer and the `resources` it is part of."""
    for pod in pod_templates(resource):
        for container in pod.containers():
            owner = container.data.get("resources") or {}
            for key in ("requests", "limits"):
                if owner.get(key):
                    yield f"{container.pointer}/resources/{key}", owner[key], owner


def _extended(name: str) -> bool:
    return name.startswith("hugepages-") or "/" in name


def _parsed(written: Any) -> Quantity | None:
    try:
        return Quantity.parse(written)
    except InvalidInput:
        return None
