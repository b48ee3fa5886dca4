"""The build order: catalogue → composition → resources, conformed and guarded → bundle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.composing import compose
from bundler.conform.conform import check as conform
from bundler.conform.context import Context
from bundler.errors import InvalidInput
from bundler.guard.guard import check as guard
from bundler.model.finding import Severity
from bundler.publish.layout import lay_out
from bundler.render.render import render_resources

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bundler.catalog.catalog import Catalog
    from bundler.certify.carried import Carried
    from bundler.guard.guard import Verdict
    from bundler.kube.resource import Resource
    from bundler.model.bundle import Bundle
    from bundler.model.composition import Composition
    from bundler.model.finding import Finding
    from bundler.model.request import Request

__all__ = ["bundle", "certify", "compose", "render"]


def bundle(catalog: Catalog, request: Request) -> Bundle:
    """The whole way: what was asked for, as a closed set of files. Nothing is written.

    Args:
        catalog: authored data.
        request: what was asked for.

    Raises:
        NotFound: the recipe named does not exist.
        InvalidInput: anything that does not fit together, a rendered object that breaks a rule, or a fixture that measures
            something else than what ships.
    """
    composition = compose(catalog, request)
    resources, notes = render(catalog, composition)
    verdicts = guard(resources, composition, catalog)
    findings = [finding for verdict in verdicts for finding in verdict.findings]
    _refuse(findings)
    carried, tested, said = certify(catalog, composition, request, resources)
    warnings = (*catalog.notes, *composition.warnings, *notes, *findings, *said)
    return lay_out(composition, resources, request, catalog, warnings, verdicts=verdicts, carried=carried, tested=tested)


def certify(
    catalog: Catalog, composition: Composition, request: Request, resources: tuple[Resource, ...]
) -> tuple[Carried | None, tuple[Verdict, ...], tuple[Finding, ...]]:
    """The certification that the bundle carries, each of its objects held against the rules and each test against the runtime.

    Returns:
        The certification, a verdict for each test that uses the fabric, and the findings that do not stop the bundle.

    Raises:
        InvalidInput: a test does not fit, breaks a rule, or is wired otherwise than what ships.
    """
    if request.certification is None:
        return None, (), ()
    from bundler.certify import conformance  # noqa: PLC0415  (a tenth of all code, which most bundles do not need)
    from bundler.certify.carried import carry, held, shipped  # noqa: PLC0415  (as above)
    from bundler.certify.contract import excused_places  # noqa: PLC0415  (as above)

    carried = carry(catalog, composition, request)
    if carried is None:
        return None, (), ()
    context = Context.of(resources, composition, catalog)
    found = [*conformance.check(carried.resources, context, excused_places(catalog, carried.fit))]
    tests = [(test.entry, test.workflow) for test in carried.tests]
    verdicts = tuple(held(catalog, carried.fit, tests, shipped(resources, composition, carried.fit), context))
    found += [finding for verdict in verdicts for finding in verdict.findings]
    _refuse(found)
    return carried, verdicts, (*carried.notes, *found)


def render(catalog: Catalog, composition: Composition) -> tuple[tuple[Resource, ...], tuple[Finding, ...]]:
    """The composition's Kubernetes objects, each held against every rule.

    Returns:
        The objects, and the findings that do not stop the bundle.

    Raises:
        InvalidInput: a template cannot be rendered, or an object breaks a rule.
    """
    resources = render_resources(catalog, composition)
    findings = conform(resources, composition, catalog)
    _refuse(findings)
    return resources, findings


def _refuse(findings: Iterable[Finding]) -> None:
    if errors := [finding for finding in findings if finding.severity is Severity.ERROR]:
        raise InvalidInput.of(errors)
