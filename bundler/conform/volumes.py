"""Rules on volumes: each has one source, and what is mounted exists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.conform.context import found
from bundler.conform.pods import pod_templates, select
from bundler.kube import names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.kube.resource import Resource
    from bundler.model.finding import Finding

__all__ = ["mounts", "sources"]


def sources(resource: Resource) -> Iterator[Finding]:
    """A volume has exactly one source, and its name is a DNS label."""
    for pod in pod_templates(resource):
        for index, volume in enumerate(pod.spec.get("volumes") or ()):
            pointer = f"{pod.pointer}/spec/volumes/{index}"
            stated = [key for key, value in volume.items() if key != "name" and value is not None]
            if len(stated) != 1:
                listed = " and ".join(stated) or "no source"
                message = f"volume {volume['name']!r} has {listed}; it takes exactly one source"
                yield found(resource, "AICR-K057", pointer, message, "state one source")
            if reason := names.dns_label(volume["name"]):
                yield found(
                    resource, "AICR-K057", f"{pointer}/name", f"volume name {volume['name']!r} {reason}", "correct the name"
                )


def mounts(resource: Resource) -> Iterator[Finding]:
    """A mount names a volume of the pod, or a claim that the JobSet adds to it."""
    claims = {name for _, name in select(resource.data, "spec/template/spec/volumeClaimPolicies/*/templates/*/metadata/name")}
    for pod in pod_templates(resource):
        known = claims | {volume["name"] for volume in pod.spec.get("volumes") or ()}
        for container in pod.containers():
            for index, mount in enumerate(container.data.get("volumeMounts") or ()):
                pointer = f"{container.pointer}/volumeMounts/{index}"
                if mount["name"] not in known:
                    message = f"container {container.name!r} mounts the volume {mount['name']!r}, which the pod does not have"
                    fix = f"use one of {', '.join(sorted(known)) or 'the volumes you add'}"
                    yield found(resource, "AICR-K058", f"{pointer}/name", message, fix)
                if not mount["mountPath"].startswith("/") or ":" in mount["mountPath"]:
                    message = f"mountPath {mount['mountPath']!r} is not an absolute path without ':'"
                    yield found(resource, "AICR-K058", f"{pointer}/mountPath", message, "write an absolute path")
