"""A runtime that somebody wrote, against the rules that a bundle's own runtimes keep, and what a TrainJob could take from it."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING

from bundler.conform.conform import check_object
from bundler.dataclass import dataclass
from bundler.model.document import Document
from bundler.model.finding import Severity
from bundler.trainer.admission import admit
from bundler.trainer.erasable import Erasure, erasures
from bundler.trainer.trainjob import KIND, TrainJob

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.conform.context import Context
    from bundler.kube.resource import Resource
    from bundler.model.finding import Finding
    from bundler.trainer.versions import TrainerVersion

__all__ = ["RuntimeVerdict", "lint_runtime"]

_NAMESPACE = "AICR-K013"
_STATED = {
    "AICR-J018": "/spec/mlPolicy/torch/envInjection",
    "AICR-J019": "/spec/template/metadata/annotations",
    "AICR-J020": "/metadata/labels",
}
"""Rule of jobs → where a runtime states what it is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuntimeVerdict:
    """What is known of one runtime.

    Attributes:
        erasures: what a TrainJob could take from it; nothing while it has errors.
    """

    resource: Resource
    version: TrainerVersion
    findings: tuple[Finding, ...]
    erasures: tuple[Erasure, ...] = field(default=(), repr=False)


def lint_runtime(resource: Resource, version: TrainerVersion, context: Context) -> RuntimeVerdict:
    """Everything about one ClusterTrainingRuntime or TrainingRuntime."""
    found = tuple(_own(finding, resource) for finding in check_object(resource, context))
    if _sound(found):
        found += tuple(_refused(resource, version))
    sound = _sound(found)
    return RuntimeVerdict(
        resource=resource, version=version, findings=found, erasures=erasures(resource.data, version) if sound else ()
    )


def _sound(found: tuple[Finding, ...]) -> bool:
    return all(finding.severity is not Severity.ERROR for finding in found)


def _refused(resource: Resource, version: TrainerVersion) -> Iterator[Finding]:
    """What servers say of any TrainJob on the runtime, however little it states: said where the runtime says it."""
    reference = {"kind": resource.kind, "name": resource.name}
    data = {"kind": KIND, "metadata": {"name": "job"}, "spec": {"runtimeRef": reference, "trainer": {}}}
    bare = TrainJob.of(Document(file=resource.template, data=data, positions={}))
    for finding in admit(bare, resource.data, version):
        at = _STATED.get(finding.rule, "")
        yield replace(finding, subject=resource.subject, pointer=at, location=resource.locate(at))


def _own(finding: Finding, resource: Resource) -> Finding:
    """A finding as it is of a runtime outside of bundles: its namespace may be the client's to state."""
    if finding.rule == _NAMESPACE and not resource.namespace:
        return replace(finding, severity=Severity.WARNING, fix="add metadata.namespace, or state it to the client")
    return finding
