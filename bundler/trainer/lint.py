"""A runtime that somebody wrote, against the rules that a bundle's own runtimes keep, and what a TrainJob could take from it."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING

from bundler.conform.conform import check_object
from bundler.dataclass import dataclass
from bundler.model.finding import Severity
from bundler.trainer.erasable import Erasure, erasures

if TYPE_CHECKING:
    from bundler.conform.context import Context
    from bundler.kube.resource import Resource
    from bundler.model.finding import Finding
    from bundler.trainer.versions import TrainerVersion

__all__ = ["RuntimeVerdict", "lint_runtime"]

_NAMESPACE = "AICR-K013"


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
    sound = all(finding.severity is not Severity.ERROR for finding in found)
    return RuntimeVerdict(
        resource=resource, version=version, findings=found, erasures=erasures(resource.data, version) if sound else ()
    )


def _own(finding: Finding, resource: Resource) -> Finding:
    """A finding as it is of a runtime outside of bundles: its namespace may be the client's to state."""
    if finding.rule == _NAMESPACE and not resource.namespace:
        return replace(finding, severity=Severity.WARNING, fix="add metadata.namespace, or state it to the client")
    return finding
