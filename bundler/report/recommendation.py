"""What a recipe recommends from its criteria alone: the values that attach jobs, the runtime a job names, and what each needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.compose.index import Index
from bundler.model.criteria import Criteria
from bundler.profiles.axes import Axes
from bundler.profiles.machines import as_asked, fitting, machine_parameter, misfit
from bundler.profiles.selection import choices_of
from bundler.report.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bundler.catalog.catalog import Catalog
    from bundler.model.document import Document, JsonObject
    from bundler.profiles.axes import AxisValue

__all__ = ["recommendation", "recommendation_text"]


def recommendation(catalog: Catalog, recipe: Document, machine: Mapping[str, Any] | None = None) -> JsonObject:
    """The values of every axis that ship runtimes, and the runtimes that are there whatever is chosen.

    Args:
        catalog: where the axes and the machine tables are.
        recipe: the recipe.
        machine: the row of the machine type, when it is known: values that do not fit it are left out.
    """
    criteria = Criteria.of(recipe.data["criteria"])
    index = catalog.derived(Index.of)
    layers = (index.base, *index.matching(criteria), index.recipe(recipe))
    axes = catalog.derived(Axes.of)
    declared = [axes[axis] for axis in sorted(recipe.data.get("profiles", {})) if axis in axes]
    choices = [value for axis in declared for value in choices_of(axis, recipe)]
    return {
        "attachments": [
            _attachment(value, criteria, machine) for value in choices if value.layer.runtimes and _fits(value, criteria, machine)
        ],
        "plainRuntimes": list(dict.fromkeys(runtime.name for layer in layers for runtime in layer.runtimes)),
    }


def recommendation_text(found: JsonObject) -> str:
    """The recommendation for a person: flags, runtime and needs of each value."""
    blocks = [_block(item) for item in found["attachments"]]
    plain = ", ".join(found["plainRuntimes"]) or "none"
    return "\n".join(
        [
            *(["recommended, to be attached to the fabric\n", *blocks] if blocks else ["no value attaches jobs to a fabric\n"]),
            f"without a fabric, a job names the runtime {printable(plain)}\n",
        ]
    )


def _fits(value: AxisValue, criteria: Criteria, machine: Mapping[str, Any] | None) -> bool:
    if machine is not None:
        return misfit(value, dict(machine)) is None
    return machine_parameter(value) is None or bool(fitting(value, criteria.accelerator))


def _attachment(value: AxisValue, criteria: Criteria, machine: Mapping[str, Any] | None) -> JsonObject:
    machines = fitting(value, criteria.accelerator) if machine is None else (str(machine["name"]),)
    return {
        "axis": value.axis,
        "value": value.name,
        "description": value.declaration["description"],
        "flag": value.flag,
        "machines": list(machines),
        "runtimes": [runtime.name for runtime in value.layer.runtimes],
        "parameters": list(_parameters(value, criteria, machine)),
        "components": sorted(value.brings),
        "constraints": [f"{name} {made.value}" for name, made in value.layer.constraints(criteria)],
        "transport": value.declaration.get("transport"),
    }


def _parameters(value: AxisValue, criteria: Criteria, machine: Mapping[str, Any] | None) -> Iterator[JsonObject]:
    """What has to be given; the machine not, when it is known."""
    for name, parameter in value.parameters.items():
        named = parameter.machine_table is not None
        if not parameter.required or parameter.defaults or (named and machine is not None):
            continue
        yield {
            "parameter": name,
            "description": parameter.declaration["description"],
            "flag": as_asked(value, parameter, criteria.accelerator, dict(machine or {})).flag,
            "discoveredBy": parameter.declaration.get("discoveredBy"),
        }


def _block(item: JsonObject) -> str:
    rows: Sequence[tuple[str, str]] = [
        ("machines", ", ".join(item["machines"])),
        ("runtime", ", ".join(item["runtimes"])),
        *(("needs", f"{each['flag']}  ({each['description']})") for each in item["parameters"]),
        ("brings", ", ".join(item["components"])),
        ("cluster", ", ".join(item["constraints"])),
        ("proof", f"NCCL logs 'Using network {item['transport']}'" if item["transport"] else ""),
    ]
    lines = [item["flag"], f"  {item['description']}", *(f"  {name:<9} {text}" for name, text in rows if text)]
    return "\n".join(map(printable, lines)) + "\n"
