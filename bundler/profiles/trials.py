"""Requests for every combination of a recipe's choices, the parameters taken from their examples."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from bundler.model.request import Request
from bundler.profiles.axes import Axes
from bundler.profiles.machines import fitting, machine_parameter
from bundler.profiles.selection import choices_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.catalog.catalog import Catalog
    from bundler.model.document import Document, JsonObject
    from bundler.profiles.axes import AxisValue
    from bundler.profiles.inputs import Parameter

__all__ = ["combinations", "machine_rows", "requests", "trials", "undecided"]


def trials(catalog: Catalog, recipe: Document) -> Iterator[Request]:
    """A request for each combination of a recipe's choices, the examples standing for what a user would give."""
    for chosen in combinations(catalog, recipe):
        if not any(undecided(chosen)) and all(machine_rows(recipe, value) for value in chosen):
            yield from requests(recipe, chosen)


def combinations(catalog: Catalog, recipe: Document) -> Iterator[tuple[AxisValue, ...]]:
    """Every way to choose one value on each axis; an axis that is not declared leaves the finding to composing."""
    axes = catalog.derived(Axes.of)
    return product(*(choices_of(axes[name], recipe) for name in sorted(recipe.data.get("profiles", {})) if name in axes))


def requests(recipe: Document, chosen: tuple[AxisValue, ...]) -> Iterator[Request]:
    """A request for the chosen values with what must be given, once with each machine that they fit."""
    for parameters in product(*([_examples(value, row) for row in machine_rows(recipe, value)] for value in chosen)):
        yield Request(
            recipe=recipe.name,
            profiles={value.axis: value.name for value in chosen},
            allow_unpinned=True,  # then an image without digest is a warning, as it is for the user who accepts it
            parameters={value.axis: given for value, given in zip(chosen, parameters, strict=True) if given},
        )


def machine_rows(recipe: Document, value: AxisValue) -> list[JsonObject]:
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


def undecided(chosen: tuple[AxisValue, ...]) -> Iterator[Parameter]:
    """The parameters that must be given and have no example; the table of a machine has them all."""
    for value in chosen:
        for _, parameter in _required(value):
            if "example" not in parameter.declaration and parameter.machine_table is None:
                yield parameter


def _required(value: AxisValue) -> Iterator[tuple[str, Parameter]]:
    return ((name, parameter) for name, parameter in value.parameters.items() if parameter.required and not parameter.defaults)
