"""Every recipe bundled in memory with every combination of its choices, the parameters taken from their examples."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

from bundler import pipeline
from bundler.errors import AicrError, InvalidInput
from bundler.model.finding import Finding, Severity
from bundler.model.pointer import join
from bundler.model.request import DEFAULT_CERTIFICATION, Request
from bundler.model.watch import unwatched
from bundler.profiles.axes import Axes
from bundler.profiles.machines import fitting, machine_parameter
from bundler.profiles.selection import choices_of, select

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bundler.catalog.catalog import Catalog
    from bundler.model.document import Document, JsonObject
    from bundler.model.watch import Watch
    from bundler.profiles.axes import AxisValue
    from bundler.profiles.inputs import Parameter

__all__ = ["trials", "try_recipes"]

_UNFIT = {"AICR-P003", "AICR-P004", "AICR-P005"}
"""The rules of a value that an axis does not have, that does not apply, or that the recipe does not list."""


def try_recipes(catalog: Catalog, watch: Watch = unwatched) -> Iterator[Finding]:
    """What keeps a recipe from being bundled, and what a bundle of it warns of."""
    for recipe in watch(catalog.recipes.values()):
        yield from _unfit_defaults(catalog, recipe)
        for chosen in _combinations(catalog, recipe):
            open_inputs = [*map(_no_example, _open(chosen)), *_without_machine(recipe, chosen)]
            yield from open_inputs
            if not open_inputs:
                for parameters in _parameters(recipe, chosen):
                    yield from _try(catalog, _request(recipe, chosen, parameters))


def trials(catalog: Catalog, recipe: Document) -> Iterator[Request]:
    """A request for each combination of a recipe's choices, the examples standing for what a user would give."""
    for chosen in _combinations(catalog, recipe):
        if not any(_open(chosen)) and not any(_without_machine(recipe, chosen)):
            yield from (_request(recipe, chosen, parameters) for parameters in _parameters(recipe, chosen))


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


def _combinations(catalog: Catalog, recipe: Document) -> Iterator[tuple[AxisValue, ...]]:
    """Every way to choose one value on each axis; an axis that is not declared leaves the finding to composing."""
    axes = catalog.derived(Axes.of)
    return product(*(choices_of(axes[name], recipe) for name in sorted(recipe.data.get("profiles", {})) if name in axes))


def _request(recipe: Document, chosen: tuple[AxisValue, ...], parameters: Iterable[dict[str, Any]]) -> Request:
    return Request(
        recipe=recipe.name,
        profiles={value.axis: value.name for value in chosen},
        allow_unpinned=True,  # then an image without digest is a warning, as it is for the user who accepts it
        parameters={value.axis: given for value, given in zip(chosen, parameters, strict=True) if given},
    )


def _parameters(recipe: Document, chosen: tuple[AxisValue, ...]) -> Iterator[tuple[dict[str, Any], ...]]:
    """What must be given, for each of the chosen values, once with each machine that they fit."""
    return product(*([_examples(value, row) for row in _rows(recipe, value)] for value in chosen))


def _rows(recipe: Document, value: AxisValue) -> list[JsonObject]:
    """The rows of the machines that fit a value and the recipe; an empty one for a value that need not be told of a machine."""
    named = machine_parameter(value)
    if named is None or not named[1].required:
        return [{}]
    return [named[1].machines[name] for name in fitting(value, recipe.data["criteria"]["accelerator"])]


def _examples(value: AxisValue, row: JsonObject) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, parameter in _required(value):
        if parameter.machine_table is not None:
            found[name] = row["name"]
        elif parameter.keys_from is not None:
            found[name] = parameter.keyed(row[parameter.keys_from[1]]).declaration["example"]
        elif "example" in parameter.declaration:
            found[name] = parameter.declaration["example"]
    return found


def _open(chosen: tuple[AxisValue, ...]) -> Iterator[Parameter]:
    """The parameters that must be given and have no example; the table of a machine has them all."""
    for value in chosen:
        for _, parameter in _required(value):
            if "example" not in parameter.declaration and parameter.machine_table is None:
                yield parameter


def _without_machine(recipe: Document, chosen: tuple[AxisValue, ...]) -> Iterator[Finding]:
    """Values that the recipe accepts and that fit no machine of its accelerator, so that nobody can choose them."""
    for value in chosen:
        if not _rows(recipe, value):
            accelerator = recipe.data["criteria"]["accelerator"]
            yield Finding(
                rule="AICR-S034",
                message=f"recipe {recipe.name!r} accepts {value.axis}={value.name}, which fits no machine with {accelerator}",
                severity=Severity.WARNING,
                location=recipe.locate(join(("profiles", value.axis))),
                fix="take the value off the recipe's list, or add the machine to its table",
            )


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
