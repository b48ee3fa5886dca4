"""Places in a JSON Schema: what may stand at a path, of which type, and how lists there merge.

Validation is the work of `bundler.catalog.validation`; this module only answers questions about a schema.
"""

from __future__ import annotations

import re
from dataclasses import field
from typing import TYPE_CHECKING, Any

from bundler.dataclass import dataclass
from bundler.model.pointer import resolve

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bundler.model.document import JsonObject

__all__ = ["Place", "type_name"]

_MAX_REFERENCES = 16
_MAX_NESTING = 4
_TYPES = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}
_COMBINING = ("allOf", "anyOf", "oneOf")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One place in a schema, references followed.

    Attributes:
        node: the schema of this place; an empty one accepts anything.
        root: the schema that `#/…` references point into.
        siblings: other schemas that may be referred to, by `$id`.
        nesting: how many combined schemas (`allOf` …) lead here; bounded, as they can refer to themselves.
    """

    node: JsonObject
    root: JsonObject = field(repr=False)
    siblings: Mapping[str, JsonObject] = field(default_factory=dict, repr=False)
    nesting: int = 0

    @classmethod
    def of(cls, schema: JsonObject, *, siblings: Mapping[str, JsonObject] | None = None) -> Place:
        """The root of a schema."""
        nowhere = cls(node={}, root=schema, siblings=siblings or {})
        return nowhere._at(schema)

    def below(self, name: str) -> Place | None:
        """The place below a key, or None where the schema knows no such key.

        A map that lists its properties and is silent on others knows only those. One that lists none is open.
        """
        node = self.node
        if name in node.get("properties", {}):
            return self._at(node["properties"][name])
        for pattern, schema in node.get("patternProperties", {}).items():
            if re.search(pattern, name):
                return self._at(schema)
        for branch in self._branches():
            if "properties" in branch.node and (place := branch.below(name)) is not None:
                return place
        if self.types and "object" not in self.types:
            return None
        rest = node.get("additionalProperties", "properties" not in node and not self.names)
        return self._at(rest) if isinstance(rest, dict) else (self._at({}) if rest else None)

    def at(self, path: tuple[str, ...]) -> Place | None:
        """The place at a path of keys, or None where a step is unknown."""
        place: Place | None = self
        for step in path:
            place = place.below(step) if place is not None else None
        return place

    @property
    def items(self) -> Place:
        """The place of a list's items."""
        items = self.node.get("items")
        return self._at(items if isinstance(items, dict) else {})

    @property
    def names(self) -> tuple[str, ...]:
        """The keys that the schema lists here, in its order."""
        found = dict.fromkeys(self.node.get("properties", ()))
        for branch in self._branches():
            found |= dict.fromkeys(branch.names)
        return tuple(found)

    @property
    def types(self) -> frozenset[str]:
        """JSON types that may stand here; empty when the schema does not say."""
        node = self.node
        if "type" in node:
            return frozenset([node["type"]] if isinstance(node["type"], str) else node["type"])
        if "const" in node or "enum" in node:
            return frozenset(type_name(value) for value in node.get("enum", [node.get("const")]))
        branches = [branch.types for branch in self._branches()]
        return frozenset().union(*branches) if all(branches) else frozenset()

    @property
    def required(self) -> tuple[str, ...]:
        """Keys that must be present."""
        return tuple(self.node.get("required", ()))

    @property
    def description(self) -> str:
        """What the schema says in words, without the full stop."""
        return str(self.node.get("description", "")).strip().removesuffix(".")

    def paths(self, limit: int) -> Iterator[tuple[str, ...]]:
        """Paths of keys that the schema lists, breadth first, at most `limit` of them."""
        queue: list[tuple[tuple[str, ...], Place]] = [((), self)]
        count = 0
        for prefix, place in queue:
            for name in place.names:
                lower = place.below(name)
                if lower is None:
                    continue
                if count == limit:
                    return
                count += 1
                yield (*prefix, name)
                queue.append(((*prefix, name), lower))

    def _branches(self) -> list[Place]:
        if self.nesting == _MAX_NESTING:
            return []
        return [self._at(branch, self.nesting + 1) for key in _COMBINING for branch in self.node.get(key, ())]

    def _at(self, schema: Any, nesting: int = 0) -> Place:
        node: JsonObject = schema if isinstance(schema, dict) else {}
        root = self.root
        for _ in range(_MAX_REFERENCES):
            if "$ref" not in node:
                break
            base, _, fragment = str(node["$ref"]).partition("#")
            if base:
                root = self._sibling(base)
            target = _resolve(root, fragment)
            node = {**target, **{key: value for key, value in node.items() if key != "$ref"}}
        return Place(node=node, root=root, siblings=self.siblings, nesting=nesting)

    def _sibling(self, base: str) -> JsonObject:
        if base in self.siblings:
            return self.siblings[base]
        return next((schema for name, schema in self.siblings.items() if name.endswith(f"/{base}")), {})


def type_name(value: Any) -> str:
    """The JSON type of plain data."""
    return _TYPES[type(value)]


def _resolve(root: JsonObject, fragment: str) -> JsonObject:
    try:
        target = resolve(root, fragment)
    except (LookupError, ValueError):
        return {}
    return target if isinstance(target, dict) else {}
