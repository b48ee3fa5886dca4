"""The rules of conformance on a certification: its images and releases, and every object that its Workflows bring.

A Workflow's objects get their namespace from whoever runs it, so one is assumed for them here, and so is what the Trainer adds to
pods of MPI. What a Certification and a Workflow themselves may hold was checked by their schemas.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bundler.certify.runtimes import changed_jobs, is_runtime, pod_of, with_pod
from bundler.conform import images, objects, wiring
from bundler.conform.conform import check_object
from bundler.conform.context import own

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bundler.conform.context import Context, Rule
    from bundler.kube.resource import Resource
    from bundler.model.document import JsonObject
    from bundler.model.finding import Finding

__all__ = ["check", "completed"]

_WHOLE: tuple[Rule, ...] = (own(objects.metadata), images.digests, images.understood, wiring.release_images)
"""What is asked of a Certification and of a Workflow with all that it brings."""

_UNPINNED = "AICR-I004"
_OWN_DIGEST = "a Certification of your own can state image: NAME:TAG@sha256:… in the options of the category"

_NAMESPACE = "certification"
_KEYS = {"name": "mpi-ssh-auth", "emptyDir": {}}
"""The volume that the Trainer adds for MPI (kubeflow/trainer pkg/runtime/framework/plugins/mpi)."""


def check(resources: Iterable[Resource], context: Context, excused: Iterable[tuple[str, str]] = ()) -> Iterator[Finding]:
    """Every finding on the objects of a certification; an image that many name is said once.

    Args:
        resources: the Certification and its Workflows.
        context: of their bundle.
        excused: rule and pointer into a brought object, of what the controller's catalogue does on purpose.
    """
    allowed, said = frozenset(excused), set[str]()
    for resource in resources:
        for rule in _WHOLE:
            for finding in rule(resource, context):
                if finding.message not in said:
                    said.add(finding.message)
                    yield replace(finding, fix=f"{finding.fix}; {_OWN_DIGEST}") if finding.rule == _UNPINNED else finding
        for index, dependency in enumerate(resource.data["spec"].get("dependencies") or ()):
            for finding in check_object(replace(resource, data=completed(dependency)), context):
                if finding.message not in said and (finding.rule, finding.pointer) not in allowed:
                    yield replace(finding, pointer=f"/spec/dependencies/{index}{finding.pointer}", subject=resource.subject)


def completed(dependency: JsonObject) -> JsonObject:
    """A brought object as the server gets it."""
    named = {**dependency, "metadata": {"namespace": _NAMESPACE, **(dependency.get("metadata") or {})}}
    if not is_runtime(named) or "mpi" not in ((named.get("spec") or {}).get("mlPolicy") or {}):
        return named
    whole = changed_jobs({"dependencies": [named]}, lambda job: with_pod(job, _with_keys(pod_of(job))))
    data: JsonObject = whole["dependencies"][0]
    return data


def _with_keys(pod: JsonObject) -> JsonObject:
    return {**pod, "volumes": [*(pod.get("volumes") or ()), _KEYS]}
