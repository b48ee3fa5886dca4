"""What a server refuses of the runtimes and the workload in a Workflow, when pods are made: long after the Workflow was accepted.

The rules are those of conformance, as far as they need nothing but the object. Shapes are those of the newest Trainer that is
known. A field that it does not know is passed over here: the controller's catalogue was written for several Trainers.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bundler.certify.conformance import completed
from bundler.certify.judgement import check_workflow
from bundler.certify.runtimes import is_runtime
from bundler.conform.conform import PODS
from bundler.conform.context import Facts
from bundler.conform.objects import configuration_keys
from bundler.conform.structure import Fault, faults
from bundler.kube.resource import Resource
from bundler.model.finding import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.catalog.catalog import Catalog
    from bundler.model.document import JsonObject
    from bundler.model.location import Location

__all__ = ["judged"]

_TRAINER = "trainer.kubeflow.org/v1alpha1"
_TYPE, _TWICE = "AICR-K003", "AICR-K006"
_STOPPING = frozenset({_TYPE, "AICR-K004", "AICR-R030"})
"""What must be corrected before anything else can be judged."""


def judged(catalog: Catalog, spec: JsonObject, *, subject: str, location: Location | None = None) -> tuple[Finding, ...]:
    """Every finding on a rendered Workflow, one for each place. Where a value is of the wrong type, nothing else is asked of it.

    Args:
        catalog: has the shapes.
        spec: of the Workflow.
        subject: `Workflow/name`.
        location: where it was asked for.
    """
    parts = list(_parts(catalog, spec))
    wrong = [(pointer, fault) for pointer, fault in parts if fault.rule in _STOPPING]
    found = [] if wrong else list(check_workflow(spec, subject=subject, location=location))
    said = [*wrong, *((pointer, fault) for pointer, fault in parts if fault.rule == _TWICE and not wrong)]
    further = [
        *(Finding(rule=fault.rule, message=fault.message, pointer=pointer, fix=fault.fix) for pointer, fault in said),
        *(() if wrong else _pods(spec)),
    ]
    places = tuple(one.pointer for one in found)
    return (
        *found,
        *(replace(one, location=location, subject=subject) for one in further if not one.pointer.startswith(places)),
    )


def _parts(catalog: Catalog, spec: JsonObject) -> Iterator[tuple[str, Fault]]:
    """What is wrong with the shape of the workload and of each runtime, and where. A template's workload may lack fields."""
    facts = catalog.derived(Facts.of)

    def of(data: Any, version: str, kind: str) -> list[Fault]:
        schemas = list(facts.kinds.get(f"{version} {kind}", {}).get("versions", {}).values())
        return faults(data, facts.schema(schemas[-1])) if schemas else []

    job, at = spec["jobTemplate"]["spec"], "/spec/jobTemplate/spec"
    for step in ("workload", "trainJob"):
        job, at = (job.get(step), f"{at}/{step}") if isinstance(job, dict) else (job, at)
    if job is None:
        yield (
            at,
            Fault("AICR-R030", "the job has no workload: a server takes exactly one, a trainJob", at, "state workload.trainJob"),
        )
    else:
        for fault in of({"spec": job}, _TRAINER, "TrainJob"):
            if fault.rule == _TYPE:
                yield f"{at}{fault.pointer.removeprefix('/spec')}", fault
    for index, one in enumerate(spec.get("dependencies") or ()):
        if is_runtime(one):
            yield from ((f"/spec/dependencies/{index}{fault.pointer}", fault) for fault in of(one, one["apiVersion"], one["kind"]))


def _pods(spec: JsonObject) -> Iterator[Finding]:
    """What a server refuses of pods that the runtimes make, and of files that they mount."""
    for index, one in enumerate(spec.get("dependencies") or ()):
        whole = Resource(data=completed(one), template="", positions={}, owner="")
        rules = PODS if is_runtime(one) else (configuration_keys,)
        for finding in (finding for rule in rules for finding in rule(whole)):
            if finding.severity is Severity.ERROR:
                yield replace(finding, pointer=f"/spec/dependencies/{index}{finding.pointer}")
