"""Every recipe bundled in memory with every combination of its choices, the parameters taken from their examples."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from bundler import pipeline
from bundler.errors import AicrError, InvalidInput
from bundler.model.finding import Finding, Severity
from bundler.model.request import Request
from bundler.profiles.axes import Axes
from bundler.profiles.selection import choices_of, select

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.catalog.catalog import Catalog
    from bundler.model.document import Document
    from bundler.profiles.axes import AxisValue, Parameter

__all__ = ["try_recipes"]

_UNFIT = {"AICR-P003", "AICR-P004", "AICR-P005"}
"""The rules of a value that an axis does not have, that does not apply, or that the recipe does not list."""


def try_recipes(catalog: Catalog) -> Iterator[Finding]:
    """What keeps a recipe from being bundled, and what a bundle of it warns of."""
    for recipe in catalog.recipes.values():
        yield from _unfit_defaults(catalog, recipe)
        for chosen in _combinations(catalog, recipe):
            open_inputs = list(_open(chosen))
            yield from map(_no_example, open_inputs)
            if not open_inputs:
                yield from _try(catalog, _request(recipe, chosen))


def _unfit_defaults(catalog: Catalog, recipe: Document) -> Iterator[Finding]:
    """Defaults that the recipe itself does not accept, found by leaving every choice to it."""
    try:
        select(catalog.derived(Axes.of), recipe, Request(recipe=recipe.name))
    except InvalidInput as error:
        yield from (finding for finding in error.findings if finding.rule in _UNFIT)


def _try(catalog: Catalog, request: Request) -> tuple[Finding, ...]:
    try:
        return pipeline.bundle(catalog, request).warnings
    except AicrError as error:
        return error.findings


def _combinations(catalog: Catalog, recipe: Document) -> Iterator[tuple[AxisValue, ...]]:
    """Every way to choose one value on each axis; an axis that is not declared leaves the finding to composing."""
    axes = catalog.derived(Axes.of)
    return product(*(choices_of(axes[name], recipe) for name in sorted(recipe.data.get("profiles", {})) if name in axes))


def _request(recipe: Document, chosen: tuple[AxisValue, ...]) -> Request:
    return Request(
        recipe=recipe.name,
        profiles={value.axis: value.name for value in chosen},
        parameters={value.axis: _examples(value) for value in chosen if value.parameters},
    )


def _examples(value: AxisValue) -> dict[str, Any]:
    return {name: parameter.declaration["example"] for name, parameter in _required(value) if "example" in parameter.declaration}


def _open(chosen: tuple[AxisValue, ...]) -> Iterator[Parameter]:
    """The parameters that must be given and have no example."""
    return (parameter for value in chosen for _, parameter in _required(value) if "example" not in parameter.declaration)


def _required(value: AxisValue) -> Iterator[tuple[str, Parameter]]:
    return ((name, parameter) for name, parameter in value.parameters.items() if parameter.required and not parameter.defaults)


def _no_example(parameter: Parameter) -> Finding:
    return Finding(
        rule="AICR-S033",
        message=f"required parameter {parameter.label} has no example",
        severity=Severity.WARNING,
        location=parameter.location,
        fix="add an example, which messages show and with which the recipe is tried",
    )
