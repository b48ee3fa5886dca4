"""The page of documents, made from their JSON Schemas."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bundler.model.pointer import resolve as pointed
from generator.text import code, listed, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["schemas"]

_FOLDER = Path(__file__).resolve().parents[2] / "schemas"


def schemas() -> Iterator[str]:
    """The page `schemas.md`."""
    yield "# Documents"
    yield ""
    yield "What people write and what a bundle holds: one JSON Schema (draft 2020-12) for each kind, in `schemas/`."
    yield "`aicr schema NAME` prints one. No field is accepted that is not listed here. In a path, `[]` is an item of a list"
    yield "and `<name>` is a key of your choice. Layers merge a list whose items are told apart, unite a set, and replace a"
    yield "list that is one value as a whole."
    documents = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(_FOLDER.glob("*.json"))}
    for name, schema in documents.items():
        if "properties" in schema:
            yield ""
            yield f"## {schema.get('title', name.removesuffix('.json'))}"
            yield ""
            yield f"{schema.get('description', '')} Schema: [`schemas/{name}`](../../schemas/{name})."
            yield ""
            yield from table(("field", "type", "required", "meaning"), _fields(_Place(documents=documents, file=name), schema, ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where a piece of schema stands: its file, which a `$ref` is relative to, and the references that led there."""

    documents: Mapping[str, Any]
    file: str
    above: tuple[str, ...] = ()

    def follow(self, schema: dict[str, Any]) -> tuple[_Place, dict[str, Any]]:
        """The schema with its reference replaced by what it names, which the fields beside the reference win over.

        JSON Schema's own schema, which a parameter's `schema` refers to, is not followed.
        """
        if "$ref" not in schema or "://" in schema["$ref"]:
            return self, schema
        file, _, pointer = schema["$ref"].partition("#")
        target = _Place(documents=self.documents, file=file or self.file, above=(*self.above, f"{file or self.file}#{pointer}"))
        place, inner = target.follow(pointed(self.documents[target.file], pointer))
        return place, inner | {key: value for key, value in schema.items() if key != "$ref"}

    @property
    def recursive(self) -> bool:
        """Whether the last reference was followed before."""
        return len(set(self.above)) < len(self.above)


def _fields(place: _Place, schema: dict[str, Any], path: str) -> Iterator[tuple[str, str, str, str]]:
    """A row for every field below a schema, parents first."""
    required = schema.get("required", [])
    prefix = f"{path}." if path else ""
    for name, child in schema.get("properties", {}).items():
        if isinstance(child, dict):
            yield from _field(place, child, f"{prefix}{name}", required="yes" if name in required else "")
    others = schema.get("additionalProperties")
    if isinstance(others, dict) and others:
        yield from _field(place, others, f"{prefix}<name>", required="")
    items = schema.get("items")
    if isinstance(items, dict):
        there, item = place.follow(items)
        if not there.recursive:
            yield from _fields(there, item, f"{path}[]")


def _field(place: _Place, child: dict[str, Any], path: str, *, required: str) -> Iterator[tuple[str, str, str, str]]:
    there, schema = place.follow(child)
    yield code(path), _type(schema), required, _meaning(schema)
    if not there.recursive:
        yield from _fields(there, schema, path)


def _type(schema: dict[str, Any]) -> str:
    if "const" in schema:
        return code(schema["const"])
    if "enum" in schema:
        return " or ".join(code(value) for value in schema["enum"])
    kind = schema.get("type", "any")
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _meaning(schema: dict[str, Any]) -> str:
    parts = [schema.get("description", "").rstrip(".")]
    match schema.get("x-kubernetes-list-type"):
        case "map":
            parts.append(f"items are told apart by {listed(schema.get('x-kubernetes-list-map-keys', []))}")
        case "set":
            parts.append("a set")
        case "atomic":
            parts.append("one value as a whole")
    return "; ".join(part for part in parts if part)
