"""Recipes for a person: the list of all, and one as authored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.report.printable import printable
from bundler.report.table import table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bundler.model.document import Document, JsonObject

__all__ = ["choice", "recipe_data", "recipe_text", "recipes_table"]


def recipe_data(document: Document) -> JsonObject:
    """What the list of recipes says of one."""
    return {
        "name": document.name,
        "description": document.data["metadata"]["description"],
        "criteria": document.data["criteria"],
        "profiles": document.data.get("profiles", {}),
        "file": document.file,
    }


def recipes_table(recipes: Iterable[Document]) -> str:
    """Name, profile axes and description of each recipe."""
    rows = [
        (document.name, " ".join(choice(axis, declared) for axis, declared in _profiles(document)), _description(document))
        for document in recipes
    ]
    return table(("name", "profiles", "description"), rows)


def recipe_text(document: Document) -> str:
    """One recipe as authored."""
    data = document.data
    criteria = " ".join(f"{name}={value}" for name, value in data["criteria"].items())
    parts = [
        f"{printable(document.name)}\n{printable(_description(document))}\n",
        f"file      {printable(document.file)}\ncriteria  {printable(criteria)}\n",
    ]
    if axes := list(_profiles(document)):
        rows = [
            (
                axis,
                "required" if declared.get("required") else f"default {declared['default']}",
                ", ".join(declared.get("values", ())),
            )
            for axis, declared in axes
        ]
        parts.append(table(("profile", "choice", "values"), rows))
    if constraints := data.get("constraints"):
        rows = [(constraint["name"], constraint["value"], constraint.get("reason", "")) for constraint in constraints]
        parts.append(table(("constraint", "value", "reason"), rows))
    named = {section: ", ".join(item["name"] for item in data.get(section, ())) for section in ("components", "runtimes")}
    parts += [f"{section}  {printable(names)}\n" for section, names in named.items() if names]
    return "\n".join(parts)


def choice(axis: str, declared: Mapping[str, Any]) -> str:
    """An axis with its default, or a question mark where a value must be stated."""
    return f"{axis}={declared.get('default', '?')}"


def _profiles(document: Document) -> Iterable[tuple[str, Mapping[str, Any]]]:
    axes: Mapping[str, Mapping[str, Any]] = document.data.get("profiles", {})
    return axes.items()


def _description(document: Document) -> str:
    return str(document.data["metadata"]["description"])
