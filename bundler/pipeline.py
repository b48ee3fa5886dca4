"""The build order: catalogue → composition → resources, conformed and guarded → bundle."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from bundler.certify import conformance
from bundler.certify.carried import carry, held, shipped
from bundler.certify.contract import excused_places
from bundler.compose.agreements import check_agreements
from bundler.compose.assignments import trace_of
from bundler.compose.components import check_values, choose_versions, install
from bundler.compose.constraints import intersect
from bundler.compose.criteria import choose_recipe
from bundler.compose.disagreement import refuse_disagreement
from bundler.compose.fixtures import set_apart
from bundler.compose.fold import fold, included
from bundler.compose.index import Index
from bundler.compose.overrides import FLAGS, override
from bundler.compose.runtimes import runtimes
from bundler.compose.scheduling import schedule
from bundler.conform.conform import check as conform
from bundler.conform.context import Context
from bundler.errors import InvalidInput
from bundler.guard.guard import check as guard
from bundler.model.composition import Composition, Layer
from bundler.model.criteria import Criteria
from bundler.model.finding import Severity
from bundler.profiles.axes import Axes
from bundler.profiles.ownership import refuse_absent, refuse_overrides
from bundler.profiles.selection import select
from bundler.publish.layout import lay_out
from bundler.render.render import render_resources

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bundler.catalog.catalog import Catalog
    from bundler.certify.carried import Carried
    from bundler.guard.guard import Verdict
    from bundler.kube.resource import Resource
    from bundler.model.bundle import Bundle
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


def compose(catalog: Catalog, request: Request) -> Composition:
    """Choose the recipe, put its layers over each other, select its profiles, apply the flags, and check what came out.

    Args:
        catalog: authored data.
        request: what was asked for; a recipe in it was read by `Catalog.open`.

    Raises:
        NotFound: the recipe named does not exist.
        InvalidInput: anything that does not fit together; every finding has the place where it was written.
    """
    index = catalog.derived(Index.of)
    recipe = choose_recipe(index, request)
    criteria = Criteria.of(recipe.data["criteria"])
    overlays = index.matching(criteria)
    refuse_disagreement(overlays)
    choices = select(catalog.derived(Axes.of), recipe, request)
    layers = (index.base, *overlays, index.recipe(recipe), *(choice.layer for choice in choices))

    components = included(index, layers)
    refuse_absent(choices, components)
    versions = choose_versions(index, components, request)
    folded = fold(index, layers, components)
    named, shipping = runtimes(layers)
    shipped, fixtures = set_apart(named, (choice.selection for choice in choices))
    overridden = override(index, folded.values, request.overrides)
    flagged = schedule(index, overridden, request, runtimes=bool(shipped))
    refuse_overrides(choices, folded.values, flagged.values, flagged.assignments)

    stated = [constraint for layer in layers for constraint in layer.constraints(criteria)]
    narrowing = (assignment for _, assignment in stated)
    trace = trace_of(chain(folded.assignments, shipping, narrowing, flagged.assignments))
    check_values(index, flagged.values, trace)
    check_agreements(catalog, flagged.values, trace)
    grounds = (index.components[name].applied for name in sorted(components))
    return Composition(
        recipe=recipe.name,
        criteria=criteria,
        layers=(
            *(ground for ground in grounds if ground is not None),
            *(layer.applied for layer in layers),
            *((Layer(label=FLAGS, file=""),) if flagged.assignments else ()),
        ),
        components=install(index, folded, flagged.values, versions),
        runtimes=shipped,
        constraints=intersect(stated),
        selections=tuple(choice.selection for choice in choices),
        trace=trace,
        accelerated=request.accelerated,
        system=request.system,
        allow_unpinned=request.allow_unpinned,
        fixtures=fixtures,
        warnings=(
            *dict.fromkeys(warning for choice in choices for warning in choice.warnings),
            *folded.warnings,
            *flagged.warnings,
        ),
    )


def _refuse(findings: Iterable[Finding]) -> None:
    if errors := [finding for finding in findings if finding.severity is Severity.ERROR]:
        raise InvalidInput.of(errors)
