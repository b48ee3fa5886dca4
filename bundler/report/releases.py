"""Release tables for a person: which images a vendor couples, since when, and where that is published."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.render.functions import reference
from bundler.report.printable import printable
from bundler.report.table import table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bundler.model.document import Document, JsonObject

__all__ = ["release_data", "release_text", "releases_data", "releases_table"]


def releases_table(tables: Iterable[Document]) -> str:
    """One line a release, the newest first; a star marks the one that is taken when none is chosen."""
    rows = [
        (
            document.name,
            ("* " if row["name"] == document.data["default"] else "  ") + row["name"],
            row.get("date", ""),
            ", ".join(f"{role} {part['tag']}" for role, part in _images(row)),
            "yes" if all("digest" in part for _, part in _images(row)) else "no",
            row["source"],
        )
        for document in tables
        for row in reversed(document.data["releases"])
    ]
    return table(("table", "  release", "date", "images that belong together", "pinned", "source"), rows)


def releases_data(tables: Iterable[Document]) -> list[JsonObject]:
    """The tables as plain data."""
    return [
        {
            "table": document.name,
            "description": document.data["metadata"]["description"],
            "source": document.data["metadata"]["source"],
            "default": document.data["default"],
            "releases": [release_data(row) for row in document.data["releases"]],
        }
        for document in tables
    ]


def release_data(row: JsonObject) -> JsonObject:
    """One release: its images as references, and the rest as authored."""
    images = {role: reference(part) for role, part in _images(row)}
    return {**row, "images": images}


def release_text(document: Document, row: JsonObject) -> str:
    """Everything that is known of one release."""
    default = ", taken when none is chosen" if row["name"] == document.data["default"] else ""
    lines = [f"{document.name} {row['name']}{default}", document.data["metadata"]["description"], f"source: {row['source']}", ""]
    for role, part in _images(row):
        lines.append(f"{role}: {reference(part)}")
        if part.get("args"):
            lines.append(f"  arguments: {' '.join(part['args'])}")
    lines += [f"{name}: {value}" for name, value in _facts(row)]
    text = "\n".join(printable(line) for line in lines) + "\n"
    if row.get("env"):
        rows = [(setting["name"], setting["value"], setting["class"], setting["source"]) for setting in row["env"]]
        text += "\n" + table(("variable", "value", "class", "source"), rows)
    return text


def _images(row: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    return ((role, part) for role, part in row.items() if isinstance(part, dict) and "repository" in part)


def _facts(row: JsonObject) -> Iterator[tuple[str, str]]:
    """What the row states besides its images and variables."""
    shown = {role for role, _ in _images(row)} | {"name", "source", "env"}
    for key, value in row.items():
        if key not in shown and value:
            yield key, _words(value)


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {item}" for key, item in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
