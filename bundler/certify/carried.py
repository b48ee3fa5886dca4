"""The certification that a bundle carries: fitted to what was selected, rendered, and held against the runtime that ships.

The Certification and one Workflow for each of its tests become objects of the bundle. Where the pods of a test are attached
otherwise than those of the runtime of the same fabric, that is a divergence, as it is of a fixture.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from bundler.certify.certification import render_certification
from bundler.certify.contract import contract_of
from bundler.certify.entries import entries, require_entry
from bundler.certify.fit import fit_of
from bundler.certify.fitted import contradictions, made, nodes_for, untolerated, with_images, with_options
from bundler.certify.measured import measured_runtime
from bundler.certify.pinned import pins_of, primary_image, with_pins
from bundler.conform.pods import is_runtime
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.guard.guard import Pair, hold
from bundler.guard.side import Role
from bundler.kube.resource import Resource
from bundler.model.document import Document
from bundler.model.finding import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bundler.catalog.catalog import Catalog
    from bundler.certify.entries import Entry
    from bundler.certify.fit import Fit
    from bundler.conform.context import Context
    from bundler.guard.guard import Verdict
    from bundler.model.composition import Composition
    from bundler.model.document import JsonObject
    from bundler.model.request import Request

__all__ = ["Carried", "LeftOut", "Test", "attached", "carry", "held", "shipped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A test of the catalogue that the bundle does not carry, and why."""

    entry: Entry
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Test:
    """A test that the bundle carries."""

    entry: Entry
    workflow: Resource


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """The certification of a bundle.

    Attributes:
        certification: as fitted.
        tests: in the order of its categories.
        left_out: tests of the catalogue that do not fit, where the catalogue chose.
        notes: what should be said.
    """

    fit: Fit
    certification: Resource
    tests: tuple[Test, ...]
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[Finding, ...] = field(default=(), repr=False)

    @property
    def resources(self) -> tuple[Resource, ...]:
        """Its objects."""
        return (self.certification, *(test.workflow for test in self.tests))


def carry(catalog: Catalog, composition: Composition, request: Request) -> Carried | None:
    """The certification that a request asks a bundle to carry; None when it asks for none.

    Raises:
        InvalidInput: a test does not fit the fabric, what is stated contradicts it, or a Workflow cannot be rendered.
    """
    if request.certification is None:
        return None
    fit = fit_of(catalog, composition, request)
    left_out: tuple[LeftOut, ...] = ()
    if isinstance(request.certification, Document):
        document = request.certification
        _refuse([*contradictions(document, fit), *_unfit(catalog, document, fit)])
        document = with_options(document, fit)
    else:
        fitting, left_out = _chosen(catalog, fit)
        document = made(catalog, composition, fit, fitting)
    pins = pins_of(catalog, composition)
    first = render_certification(catalog, document, fit.site)
    document = with_images(document, [primary_image(workflow, pins) for workflow in first.workflows])
    rendering = render_certification(catalog, document, fit.site)
    return Carried(
        fit=fit,
        certification=_resource(document.data, document.file),
        tests=tuple(
            Test(entry=entry, workflow=_resource(with_pins(workflow, pins), f"manifests/{entry.template}"))
            for entry, workflow in zip(_asked(catalog, document), rendering.workflows, strict=True)
        ),
        left_out=left_out,
        notes=(*rendering.notes, *untolerated(document, composition), *_said(left_out)),
    )


def shipped(resources: Iterable[Resource], composition: Composition, fit: Fit) -> tuple[Resource, ...]:
    """The runtimes that the selected value ships."""
    axis = fit.selection.axis if fit.selection is not None else None
    names = {runtime.name for runtime in composition.runtimes if runtime.axis and runtime.axis == axis}
    return tuple(resource for resource in resources if is_runtime(resource) and resource.name in names)


def held(
    catalog: Catalog, fit: Fit, tests: Iterable[tuple[Entry, Resource]], runtimes: Sequence[Resource], context: Context
) -> Iterator[Verdict]:
    """Each test that uses the fabric against each runtime of it. What changes nothing, such as another order, is not said.

    Args:
        catalog: has the contract.
        fit: of the composition.
        tests: entry and Workflow.
        runtimes: that the selected value ships.
        context: to ask the rules of the release.

    Raises:
        InvalidInput: a Workflow has no pods that train.
    """
    contract = contract_of(catalog, fit)
    for entry, workflow in tests:
        measured = measured_runtime(workflow) if entry.attached else None
        for runtime in runtimes if measured is not None else ():
            assert measured is not None
            pair = Pair(runtime=runtime, fixture=measured, names={Role.RUNTIME: runtime.name, Role.FIXTURE: measured.name})
            verdict = hold(pair, contract, context)
            yield replace(verdict, findings=tuple(one for one in verdict.findings if one.severity is not Severity.NOTE))


def attached(catalog: Catalog, fit: Fit) -> frozenset[str]:
    """The tests that use the fabric and fit it."""
    return frozenset(key for key, entry in entries(catalog).items() if entry.attached and not fit.refusal(entry))


def _chosen(catalog: Catalog, fit: Fit) -> tuple[tuple[Entry, ...], tuple[LeftOut, ...]]:
    """The tests that fit, and the others."""
    judged = [(entry, fit.refusal(entry) or _too_large(catalog, entry, fit)) for entry in entries(catalog).values()]
    return (
        tuple(entry for entry, reason in judged if not reason),
        tuple(LeftOut(entry=entry, reason=reason) for entry, reason in judged if reason),
    )


def _too_large(catalog: Catalog, entry: Entry, fit: Fit) -> str:
    return "" if nodes_for(catalog, entry, fit) else "no number of these nodes holds the model"


def _unfit(catalog: Catalog, document: Document, fit: Fit) -> Iterator[Finding]:
    for index, entry in enumerate(_asked(catalog, document)):
        if reason := fit.refusal(entry):
            at = f"/spec/categories/{index}"
            yield Finding(
                rule="AICR-R025",
                message=f"{entry.key} does not measure {fit.chosen}: {reason}",
                location=document.locate(at),
                pointer=at,
                fix="leave the category out; the fixture in validators/ measures the fabric",
            )


def _asked(catalog: Catalog, document: Document) -> list[Entry]:
    """The entries of a Certification's categories."""
    return [
        require_entry(catalog, one["domain"], one["variant"], location=document.locate(f"/spec/categories/{index}/variant"))
        for index, one in enumerate(document.data["spec"]["categories"])
    ]


def _said(left_out: Iterable[LeftOut]) -> Iterator[Finding]:
    """One note for each reason, not for each test."""
    by_reason: dict[str, list[str]] = {}
    for one in left_out:
        by_reason.setdefault(one.reason, []).append(one.entry.key)
    for reason, keys in by_reason.items():
        yield Finding(
            rule="AICR-R025",
            message=f"the certification leaves out {', '.join(keys)}: {reason}",
            severity=Severity.NOTE,
            fix="nothing needs to be done: the fixture in validators/ measures the fabric where there is one",
        )


def _resource(data: JsonObject, template: str) -> Resource:
    return Resource(data=data, template=template, positions={}, owner="")


def _refuse(findings: Iterable[Any]) -> None:
    if every := list(findings):
        raise InvalidInput.of(every)
