"""Rules on containers that a pod's admission would apply, or that nobody applies: found here instead of when the pod is made.

Source: k8s.io/kubernetes/pkg/apis/core/validation, and what the admission of custom resources was recorded to let through.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bundler.compose.wording import plural
from bundler.conform.context import found
from bundler.conform.pods import pod_templates, select
from bundler.kube import names
from bundler.model.finding import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.conform.pods import Container
    from bundler.kube.resource import Resource
    from bundler.model.finding import Finding

__all__ = ["container_names", "container_ports", "environment", "missing_images", "privileges", "references"]

_REFERENCE = re.compile(r"\$(?:\$|\(([-._A-Za-z0-9]+)\))")
_SHELL = re.compile(r"\$\{[A-Za-z_][A-Za-z0-9_]*\}")
_CAPABILITY = re.compile(r"[A-Z][A-Z0-9_]*\Z")
_PORTS = range(1, 65536)


def container_names(resource: Resource) -> Iterator[Finding]:
    """Container names are DNS labels, and unique over both lists of containers."""
    for pod in pod_templates(resource):
        seen: set[str] = set()
        for container in pod.containers():
            at = f"{container.pointer}/name"
            if reason := names.dns_label(container.name):
                yield found(resource, "AICR-K051", at, f"container name {container.name!r} {reason}", "correct the name")
            if container.name in seen:
                message = f"container name {container.name!r} stands in initContainers and in containers"
                yield found(resource, "AICR-K051", at, message, "rename one of them")
            seen.add(container.name)


def missing_images(resource: Resource) -> Iterator[Finding]:
    """A container has an image."""
    for pod in pod_templates(resource):
        for container in pod.containers():
            if not container.data.get("image"):
                message = f"container {container.name!r} has no image"
                yield found(resource, "AICR-K052", container.pointer, message, "add the image")


def environment(resource: Resource) -> Iterator[Finding]:
    """A variable has a proper name and one source."""
    for container in _all(resource):
        for pointer, entry in container.env():
            name = entry["name"]
            if reason := names.environment_name(name):
                yield found(resource, "AICR-K053", f"{pointer}/name", f"variable name {name!r} {reason}", "correct the name")
            source = entry.get("valueFrom")
            if source is not None and entry.get("value"):
                message = f"variable {name!r} has both value and valueFrom"
                yield found(resource, "AICR-K053", pointer, message, "keep one of them")
            stated = None if source is None else sum(inner is not None for inner in source.values())
            if stated not in {None, 1}:
                message = f"variable {name!r} has {plural(stated, 'source') if stated else 'no source'} in valueFrom"
                yield found(resource, "AICR-K053", f"{pointer}/valueFrom", message, "keep one of them" if stated else "state one")


def references(resource: Resource) -> Iterator[Finding]:
    """`$(NAME)` is expanded only from variables that stand before it; anything else stays as text in the container."""
    for container in _all(resource):
        every = {entry["name"] for _, entry in container.env()}
        before: set[str] = set()
        for pointer, entry in container.env():
            text = entry.get("value") or ""
            for name in (match[1] for match in _REFERENCE.finditer(text) if match[1] and match[1] not in before):
                if name == entry["name"]:
                    message = f"{name} refers to itself; a variable of the image is not expanded"
                    yield found(resource, "AICR-K054", f"{pointer}/value", message, "write the whole value")
                elif name in every:
                    message = f"{entry['name']} refers to {name}, which is defined after it"
                    yield found(resource, "AICR-K054", f"{pointer}/value", message, f"move {name} before {entry['name']}")
                elif not container.data.get("envFrom"):
                    message = f"{entry['name']} refers to {name}, which is not defined"
                    yield _warning(resource, "AICR-K054", f"{pointer}/value", message, f"define {name} before it")
            if match := _SHELL.search(text):
                message = f"{entry['name']} contains {match[0]}, which only a shell would expand"
                yield _warning(
                    resource, "AICR-K054", f"{pointer}/value", message, "write the value, or $(NAME) of a variable before it"
                )
            before.add(entry["name"])


def container_ports(resource: Resource) -> Iterator[Finding]:
    """Ports are in range, and port names are service names."""
    for container in _all(resource):
        for index, port in enumerate(container.data.get("ports") or ()):
            pointer = f"{container.pointer}/ports/{index}"
            for key in ("containerPort", "hostPort"):
                number = port.get(key)
                if number is not None and number not in _PORTS:
                    message = f"{key} {number} is not between 1 and 65535"
                    yield found(resource, "AICR-K055", f"{pointer}/{key}", message, "correct the port")
            name = port.get("name")
            if name and (reason := names.port_name(name)):
                yield found(resource, "AICR-K055", f"{pointer}/name", f"port name {name!r} {reason}", "correct the name")


def privileges(resource: Resource) -> Iterator[Finding]:
    """Capabilities are named without `CAP_`, which a runtime ignores in silence, and privileges do not contradict each other."""
    for container in _all(resource):
        context = container.data.get("securityContext") or {}
        at = f"{container.pointer}/securityContext"
        for list_name in ("add", "drop"):
            for pointer, name in select(context, f"capabilities/{list_name}/*", at):
                if name.startswith("CAP_"):
                    message = f"capability {name!r} grants nothing: the name carries the prefix CAP_"
                    yield found(resource, "AICR-K056", pointer, message, f"write {name.removeprefix('CAP_')!r}")
                elif not _CAPABILITY.match(name):
                    message = f"capability {name!r} is not upper case letters, digits and '_'"
                    yield found(resource, "AICR-K056", pointer, message, "correct the name")
        if context.get("privileged") and context.get("allowPrivilegeEscalation") is False:
            message = f"container {container.name!r} is privileged and forbids privilege escalation; a server refuses both"
            yield found(resource, "AICR-K056", at, message, "keep one of them")


def _all(resource: Resource) -> Iterator[Container]:
    return (container for pod in pod_templates(resource) for container in pod.containers())


def _warning(resource: Resource, rule: str, pointer: str, message: str, fix: str) -> Finding:
    return found(resource, rule, pointer, message, fix, severity=Severity.WARNING)
