"""What a recipe has to be told: required choices and parameters as data, so that no one has to read them off error messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.compose.criteria import choose_recipe
from bundler.compose.index import Index
from bundler.errors import InvalidInput
from bundler.model.criteria import Criteria
from bundler.profiles.axes import Axes
from bundler.profiles.machine_type import stated_machine
from bundler.profiles.machines import as_asked, fitting, misfit, named_machine
from bundler.profiles.selection import choices_of, select
from bundler.report.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bundler.catalog.catalog import Catalog
    from bundler.model.document import Document, JsonObject
    from bundler.model.request import Request
    from bundler.profiles.axes import Axis, AxisValue
    from bundler.profiles.inputs import Parameter

__all__ = ["inputs_text", "recipe_inputs"]

_MISSING = {"AICR-P002", "AICR-P006"}
"""The rules of a choice and of a parameter that is not given: what this report lists is no mistake."""


def recipe_inputs(catalog: Catalog, request: Request, *, everything: bool = False) -> JsonObject:
    """The inputs of the recipe that a request chooses.

    Args:
        catalog: where the recipe comes from.
        request: the recipe or criteria, and what is given already.
        everything: list what has a default or is given already, too.

    Raises:
        NotFound: there is no such recipe.
        InvalidInput: what is given already is wrong.
    """
    axes = catalog.derived(Axes.of)
    recipe = choose_recipe(catalog.derived(Index.of), request)
    machine, _ = stated_machine(catalog, Criteria.of(recipe.data["criteria"]), request)
    try:
        select(axes, recipe, request)
    except InvalidInput as error:
        if mistakes := [finding for finding in error.findings if finding.rule not in _MISSING]:
            raise InvalidInput.of(mistakes) from None
    inputs = [item for name in sorted(recipe.data.get("profiles", {})) for item in _of_axis(axes[name], recipe, request, machine)]
    return {
        "recipe": recipe.name,
        "criteria": recipe.data["criteria"],
        "inputs": [item for item in inputs if everything or (item["required"] and not item["given"])],
    }


def inputs_text(inputs: Sequence[Mapping[str, object]]) -> str:
    """The inputs as flags, each with what it is for."""
    return "\n".join(printable(block, keep="\n") for block in map(_block, inputs)) or "nothing has to be given\n"


def _of_axis(axis: Axis, recipe: Document, request: Request, machine: JsonObject) -> Iterator[JsonObject]:
    """The choice on an axis, then the parameters of the value chosen, or of every value while none is."""
    declared = recipe.data["profiles"][axis.name]
    choices = [value for value in choices_of(axis, recipe) if not machine or misfit(value, machine) is None]
    accelerator = recipe.data["criteria"]["accelerator"]
    chosen = request.profiles.get(axis.name, declared.get("default"))
    yield {
        "kind": "profile",
        "axis": axis.name,
        "value": None,
        "parameter": None,
        "required": "default" not in declared,
        "given": axis.name in request.profiles,
        "description": axis.document.data["metadata"]["description"],
        "schema": {"type": "string", "enum": [value.name for value in choices]},
        "default": declared.get("default"),
        "example": choices[-1].name if choices else None,
        "discoveredBy": None,
        "flag": f"--profile {axis.name}=VALUE",
        "values": {value.name: value.declaration["description"] for value in choices},
        "machines": {value.name: _machines(value, accelerator, machine) for value in choices if fitting(value, accelerator)},
    }
    given = request.parameters.get(axis.name, {})
    for value in choices:
        if chosen in {None, value.name}:
            for name, parameter in value.parameters.items():
                row = machine or named_machine(value, given)
                yield _parameter(value, name, as_asked(value, parameter, accelerator, row), given, machine)


def _machines(value: AxisValue, accelerator: str, machine: JsonObject) -> list[str]:
    return [machine["name"]] if machine else list(fitting(value, accelerator))


def _parameter(value: AxisValue, name: str, parameter: Parameter, given: Mapping[str, object], machine: JsonObject) -> JsonObject:
    declaration = parameter.declaration
    known = parameter.machine_table is not None and bool(machine)
    default = machine["name"] if known else parameter.defaults[0] if parameter.defaults else None
    return {
        "kind": "parameter",
        "axis": value.axis,
        "value": value.name,
        "parameter": name,
        "required": parameter.required and not parameter.defaults,
        "given": name in given or known,
        "description": declaration["description"],
        "schema": {**parameter.schema, **({"enum": list(parameter.releases)} if parameter.table else {})},
        "default": default,
        "example": declaration.get("example", default),
        "discoveredBy": declaration.get("discoveredBy"),
        "flag": parameter.flag,
    }


def _block(item: Mapping[str, object]) -> str:
    lines = [str(item["flag"]), f"  {item['description']}"]
    if isinstance(values := item.get("values"), dict):
        width = max(map(len, values), default=0)
        machines: Any = item["machines"]
        for value, description in values.items():
            lines.append(f"    {value:<{width}}  {description}")
            if value in machines:
                lines.append(f"    {'':<{width}}  on {', '.join(machines[value])}")
    if item["value"] is not None:
        lines.append(f"  with --profile {item['axis']}={item['value']}")
    schema: Any = item["schema"]
    if item["value"] is not None and "enum" in schema:
        lines.append(f"  one of: {', '.join(map(str, schema['enum']))}")
    if item["discoveredBy"] is not None:
        lines.append(f"  found with: {item['discoveredBy']}")
    return "\n".join(lines) + "\n"
