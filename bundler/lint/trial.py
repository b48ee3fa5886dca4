"""Every recipe bundled in memory with every combination of its choices, the parameters taken from their examples."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bundler import pipeline
from bundler.errors import AicrError, InvalidInput
from bundler.model.finding import Finding, Severity
from bundler.model.pointer import join
from bundler.model.request import DEFAULT_CERTIFICATION, Request
from bundler.model.watch import unwatched
from bundler.profiles.axes import Axes
from bundler.profiles.selection import select
from bundler.profiles.trials import combinations, machine_rows, requests, undecided

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.catalog.catalog import Catalog
    from bundler.model.document import Document
    from bundler.model.watch import Watch
    from bundler.profiles.axes import AxisValue
    from bundler.profiles.inputs import Parameter

__all__ = ["try_recipes"]

_UNFIT = {"AICR-P003", "AICR-P004", "AICR-P005"}
"""The rules of a value that an axis does not have, that does not apply, or that the recipe does not list."""


def try_recipes(catalog: Catalog, watch: Watch = unwatched) -> Iterator[Finding]:
    """What keeps a recipe from being bundled, and what a bundle of it warns of."""
    for recipe in watch(catalog.recipes.values()):
        yield from _unfit_defaults(catalog, recipe)
        for chosen in combinations(catalog, recipe):
            open_inputs = [*map(_no_example, undecided(chosen)), *_without_machine(recipe, chosen)]
            yield from open_inputs
            if not open_inputs:
                for request in requests(recipe, chosen):
                    yield from _try(catalog, request)


def _unfit_defaults(catalog: Catalog, recipe: Document) -> Iterator[Finding]:
    """Defaults that the recipe itself does not accept, found by leaving every choice to it."""
    try:
        select(catalog.derived(Axes.of), recipe, Request(recipe=recipe.name))
    except InvalidInput as error:
        yield from (finding for finding in error.findings if finding.rule in _UNFIT)


def _try(catalog: Catalog, request: Request) -> tuple[Finding, ...]:
    try:
        # What a machine is warned about is for whoever chooses it, and no fault of the data.
        found = tuple(warning for warning in pipeline.bundle(catalog, request).warnings if warning.rule != "AICR-P025")
        _try_certification(catalog, request)
    except AicrError as error:
        return error.findings
    return found


def _try_certification(catalog: Catalog, request: Request) -> None:
    """Bundle the tests that a chosen value says are attached as its runtime is; what they warn of is for whoever asks for them.

    Raises:
        InvalidInput: one is attached otherwise, or breaks a rule.
    """
    axes = catalog.derived(Axes.of)
    declared = [axes[axis].values[value].layer.body.get("certification", {}) for axis, value in request.profiles.items()]
    if any("tests" in one for one in declared):
        pipeline.bundle(catalog, replace(request, certification=DEFAULT_CERTIFICATION))


def _without_machine(recipe: Document, chosen: tuple[AxisValue, ...]) -> Iterator[Finding]:
    """Values that the recipe accepts and that fit no machine of its accelerator, so that nobody can choose them."""
    for value in chosen:
        if not machine_rows(recipe, value):
            accelerator = recipe.data["criteria"]["accelerator"]
            yield Finding(
                rule="AICR-S034",
                message=f"recipe {recipe.name!r} accepts {value.axis}={value.name}, which fits no machine with {accelerator}",
                severity=Severity.WARNING,
                location=recipe.locate(join(("profiles", value.axis))),
                fix="take the value off the recipe's list, or add the machine to its table",
            )


def _no_example(parameter: Parameter) -> Finding:
    return Finding(
        rule="AICR-S033",
        message=f"required parameter {parameter.label} has no example",
        severity=Severity.WARNING,
        location=parameter.location,
        fix="add an example, which messages show and with which the recipe is tried",
    )
