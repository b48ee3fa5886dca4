"""Profile axes for a person: the list of all, and one with its values and their parameters."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bundler.compose.wording import pairs
from bundler.profiles.inputs import as_flag
from bundler.profiles.machines import fitting
from bundler.report.printable import printable
from bundler.report.recipes import choice
from bundler.report.table import table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bundler.model.document import Document, JsonObject
    from bundler.profiles.axes import Axis

__all__ = ["profile_data", "profile_text", "profiles_table"]


def profile_data(document: Document, recipes: Iterable[Document]) -> JsonObject:
    """What the list of profiles says of one axis."""
    return {
        "axis": document.name,
        "description": document.data["metadata"]["description"],
        "values": {value: declared["description"] for value, declared in document.data["values"].items()},
        "recipes": {recipe.name: recipe.data["profiles"][document.name] for recipe in _declaring(document.name, recipes)},
        "file": document.file,
    }


def profiles_table(profiles: Iterable[Document]) -> str:
    """Axis, values and description of each profile."""
    rows = [(document.name, ", ".join(document.data["values"]), document.data["metadata"]["description"]) for document in profiles]
    return table(("axis", "values", "description"), rows)


def profile_text(axis: Axis, recipes: Iterable[Document]) -> str:
    """One axis: each value with what it is for, which machines it fits, what it brings and what it asks."""
    document = axis.document
    parts = [f"{printable(document.name)}\n{printable(document.data['metadata']['description'])}\n"]
    for value, declared in document.data["values"].items():
        lines = [f"{document.name}={value}", f"  {declared['description']}"]
        lines += [f"  {name:<12} {text}" for name, text in _facts(declared, fitting(axis.values[value]))]
        for name, parameter in declared.get("parameters", {}).items():
            lines += _parameter(document.name, name, parameter)
        parts.append("\n".join(map(printable, lines)) + "\n")
    if declaring := list(_declaring(document.name, recipes)):
        rows = [(recipe.name, choice(document.name, recipe.data["profiles"][document.name])) for recipe in declaring]
        parts.append(table(("recipe", "choice"), rows))
    return "\n".join(parts)


def _facts(declared: Mapping[str, Any], machines: Sequence[str]) -> Iterator[tuple[str, str]]:
    applies = declared.get("appliesTo", {})
    if criteria := applies.get("criteria"):
        yield "applies to", "; ".join(f"{name} {' or '.join(values)}" for name, values in criteria.items())
    if machines:
        yield "machines", ", ".join(machines)
    if runtimes := declared.get("runtimes"):
        yield "runtimes", ", ".join(runtime["name"] for runtime in runtimes)
    if brings := declared.get("brings"):
        yield "brings", ", ".join(brings)
    if components := declared.get("components"):
        yield "sets", ", ".join(path for component in components for path in _paths(component["name"], component.get("values", {})))
    if constraints := declared.get("constraints"):
        yield "needs", ", ".join(map(_constraint, constraints))
    if transport := declared.get("transport"):
        yield "transport", transport
    if floor := declared.get("floor"):
        yield "floor", f"{floor['collective']} {floor['metric']} {floor['gbps']} GB/s"


def _constraint(constraint: Mapping[str, Any]) -> str:
    where = pairs(constraint.get("criteria", {}))
    return f"{constraint['name']} {constraint['value']}" + (f" (with {where})" if where else "")


def _paths(component: str, values: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    for key, value in values.items():
        path = f"{prefix}.{key}" if prefix else key
        if isinstance(value, dict) and value:
            yield from _paths(component, value, path)
        else:
            yield f"{component}:{path}={json.dumps(value)}"


def _parameter(axis: str, name: str, parameter: Mapping[str, Any]) -> list[str]:
    if "releases" in parameter:
        need = f"a row of bom/releases/{parameter['releases']}.yaml; the table's default when left out"
    elif "machines" in parameter:
        facts = f" with {' and '.join(parameter['requires'])}" if "requires" in parameter else ""
        need = f"a row of bom/machines/{parameter['machines']}.yaml{facts}; the machine type when left out"
    elif "keysFrom" in parameter:
        need = f"required, one entry for each of {parameter['keysFrom']}"
    elif parameter.get("required"):
        need = "required"
    else:
        need = f"default {json.dumps(parameter['default'])}" if "default" in parameter else "optional"
    example = as_flag(parameter["example"]) if "example" in parameter else "VALUE"
    lines = [f"  --param {axis}.{name}={example}", f"    {parameter['description']} ({need})"]
    if command := parameter.get("discoveredBy"):
        lines.append(f"    found with: {command}")
    return lines


def _declaring(axis: str, recipes: Iterable[Document]) -> Iterator[Document]:
    return (recipe for recipe in recipes if axis in recipe.data.get("profiles", {}))
