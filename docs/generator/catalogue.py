"""Pages made from the shipped catalogue: recipes and profiles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.catalog.catalog import Catalog
from bundler.profiles.axes import Axes
from bundler.profiles.machines import fitting
from generator.text import code, listed, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["profiles", "recipes"]


def recipes() -> Iterator[str]:
    """The page `recipes.md`."""
    catalog = Catalog.load()
    yield "# Recipes"
    yield ""
    yield "A recipe is a combination of hardware, cloud and workload that is qualified as a whole. Criteria that match no"
    yield "recipe are an error that lists the nearest ones."
    for name, document in catalog.recipes.items():
        data = document.data
        yield ""
        yield f"## {name}"
        yield ""
        yield data["metadata"].get("description", "")
        yield ""
        yield from table(("criterion", "value"), ((key, code(value)) for key, value in data["criteria"].items()))
        if data.get("profiles"):
            yield ""
            yield from table(("profile", "default", "values"), (_axis(axis, rule) for axis, rule in data["profiles"].items()))
    yield ""
    yield "## Overlays"
    yield ""
    yield "Layers between the base and the recipe, for every recipe whose criteria they name."
    yield ""
    yield from table(
        ("overlay", "criteria", "what it does"),
        (
            (
                overlay.name,
                ", ".join(f"{key}={value}" for key, value in overlay.data["criteria"].items()),
                overlay.data["metadata"].get("description", ""),
            )
            for overlay in catalog.overlays
        ),
    )


def _axis(axis: str, rule: dict[str, Any]) -> tuple[str, str, str]:
    return (
        axis,
        code(rule["default"]) if "default" in rule else "none: one must be chosen",
        listed(rule.get("values", [])) or "all that apply",
    )


def profiles() -> Iterator[str]:
    """The page `profiles.md`."""
    yield "# Profiles"
    yield ""
    yield "An axis is a decision that is made once for a bundle: `--profile AXIS=VALUE`. A parameter is an input of one value:"
    yield "`--param AXIS.NAME=VALUE`."
    for axis in Catalog.load().derived(Axes.of).values():
        yield ""
        yield f"## {axis.name}"
        yield ""
        yield axis.document.data["metadata"].get("description", "")
        for name, value in axis.values.items():
            yield ""
            yield f"### {axis.name}={name}"
            yield ""
            yield value.declaration.get("description", "")
            yield from _declaration(value.declaration, fitting(value))


def _declaration(declaration: dict[str, Any], machines: Iterable[str]) -> Iterator[str]:
    applies = declaration.get("appliesTo", {})
    floor = declaration.get("floor")
    facts = {
        "Applies to": "; ".join(f"{key} {listed(values)}" for key, values in applies.get("criteria", {}).items()),
        "Machine types": listed(machines),
        "Brings": listed(declaration.get("brings", [])),
        "Runtimes": listed(runtime["name"] for runtime in declaration.get("runtimes", [])),
        "Needs": "; ".join(map(_constraint, declaration.get("constraints", []))),
        "Transport": declaration.get("transport", ""),
        "Floor": f"{floor['metric']} of at least {floor['gbps']} GB/s" if floor else "",
    }
    if any(facts.values()):
        yield ""
        yield from (f"* {fact}: {text}." for fact, text in facts.items() if text)
    if declaration.get("parameters"):
        yield ""
        yield from table(
            ("parameter", "meaning", "default", "example", "find it with"), map(_parameter, declaration["parameters"].items())
        )


def _constraint(constraint: dict[str, Any]) -> str:
    where = ", ".join(f"{key}={value}" for key, value in constraint.get("criteria", {}).items())
    return f"{code(constraint['name'])} {code(constraint['value'])}" + (f" with {where}" if where else "")


def _parameter(item: tuple[str, dict[str, Any]]) -> tuple[str, str, str, str, str]:
    name, parameter = item
    default = "required" if parameter.get("required") else code(parameter["default"]) if "default" in parameter else ""
    if "releases" in parameter:
        default = f"the default row of `bom/releases/{parameter['releases']}.yaml`"
    if "machines" in parameter:
        default = f"a row of `bom/machines/{parameter['machines']}.yaml`; the machine type when it is stated"
    if "keysFrom" in parameter:
        default = f"required, one entry for each of {code(parameter['keysFrom'])}"
    return (
        name,
        parameter.get("description", ""),
        default,
        code(parameter["example"]) if "example" in parameter else "",
        code(parameter["discoveredBy"]) if "discoveredBy" in parameter else "",
    )
