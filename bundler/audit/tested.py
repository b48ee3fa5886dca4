"""Whether the tests of a certification are attached as what ships, rendered or on disk; and dead lines of their contracts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler import pipeline
from bundler.catalog.manifests import read_objects
from bundler.certify.carried import attached, held, shipped
from bundler.certify.contract import contracts
from bundler.certify.entries import entries
from bundler.certify.fit import fit_of
from bundler.guard.guard import unused
from bundler.guard.side import Role
from bundler.profiles.trials import trials

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from bundler.catalog.catalog import Catalog
    from bundler.certify.entries import Entry
    from bundler.certify.fit import Fit
    from bundler.conform.context import Context
    from bundler.guard.guard import Verdict
    from bundler.kube.resource import Resource
    from bundler.model.finding import Finding

__all__ = ["dead_lines", "tested", "workflows"]

_WORKFLOWS = "certification/workflow-*.yaml"
_CATEGORY = ("nvcre.nvidia.com/category-domain", "nvcre.nvidia.com/category-variant")
"""Labels of a Workflow that name its test."""

Tests = list[tuple["Entry", "Resource"]]


def tested(fit: Fit, tests: Tests, resources: Sequence[Resource], context: Context, label: str) -> Iterator[tuple[str, Verdict]]:
    """What each test was compared for, and the verdict.

    Args:
        fit: of the composition.
        tests: entry and Workflow.
        resources: the other objects, runtimes among them.
        context: of the composition.
        label: what the runtimes are of.
    """
    keys = {workflow.name: entry.key for entry, workflow in tests}
    runtimes = shipped(resources, context.composition, fit)
    for verdict in held(context.facts.catalog, fit, tests, runtimes, context):
        yield f"{label} {keys[verdict.pair.names[Role.FIXTURE]]}", verdict


def workflows(directory: Path, catalog: Catalog) -> Tests:
    """The Workflows in a bundle, each with the test that it says it is."""
    known = entries(catalog)
    found = (one for path in sorted(directory.glob(_WORKFLOWS)) for one in read_objects(path))
    return [(known[key], one) for one in found if (key := _category(one)) in known]


def dead_lines(catalog: Catalog, verdicts: Sequence[Verdict]) -> Iterator[Finding]:
    """Lines of the contracts of certifications that no test needed, where a recipe has such tests."""
    fits = (
        fit_of(catalog, pipeline.compose(catalog, request), request)
        for recipe in catalog.recipes.values()
        for request in trials(catalog, recipe)
    )
    used = {"", *(fit.declared.get("contract", "") for fit in fits if attached(catalog, fit))}
    for name, contract in contracts(catalog):
        if name in used:
            yield from unused(contract, verdicts)


def _category(workflow: Resource) -> str:
    labels = workflow.data["metadata"].get("labels") or {}
    return "/".join(str(labels.get(label, "")) for label in _CATEGORY)
