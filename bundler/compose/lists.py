"""How lists merge, read from a schema: `x-kubernetes-list-type` and `x-kubernetes-list-map-keys` as Kubernetes defines them.

A list of which the schema says nothing is atomic: the later one replaces the earlier.
"""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bundler.dataclass import dataclass
from bundler.model.pointer import resolve

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bundler.model.document import JsonObject

__all__ = ["Lists", "item_key"]

_MAX_REFERENCES = 16


@dataclass(frozen=True, kw_only=True)
class Lists:
    """How lists at and below one place merge. A schema is read as far as the data goes that is asked about, and no further.

    Attributes:
        node: the schema of this place, references followed.
        root: the schema that `#/…` references point into.
        siblings: other schemas that may be referred to, by `$id`.
    """

    node: JsonObject = field(repr=False)
    root: JsonObject = field(repr=False)
    siblings: Mapping[str, JsonObject] = field(repr=False)
    _below: dict[str, Lists | None] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, schema: JsonObject, *, siblings: Mapping[str, JsonObject] | None = None) -> Lists | None:
        """What a schema says of lists; None when it is no more than a reference to nothing.

        Args:
            schema: a JSON Schema.
            siblings: other schemas that may be referred to, by `$id`.
        """
        return _at(schema, schema, siblings or {})

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Fields that identify an item when the list here is a map; empty otherwise."""
        return tuple(self.node.get("x-kubernetes-list-map-keys", ())) if self.node.get("x-kubernetes-list-type") == "map" else ()

    @cached_property
    def unordered(self) -> bool:
        """Whether the list here is a set."""
        return bool(self.node.get("x-kubernetes-list-type") == "set")

    @cached_property
    def items(self) -> Lists | None:
        """What stands below the items of a list here."""
        return _at(self.node.get("items"), self.root, self.siblings)

    def below(self, name: str) -> Lists | None:
        """What stands below a key."""
        if name not in self._below:
            node = self.node.get("properties", {}).get(name, self.node.get("additionalProperties"))
            self._below[name] = _at(node, self.root, self.siblings)
        return self._below[name]


def item_key(item: Any, keys: tuple[str, ...]) -> str | None:
    """What identifies an item of a list map, or None when it lacks one of the keys."""
    if not isinstance(item, dict) or any(key not in item for key in keys):
        return None
    return ",".join(str(item[key]) for key in keys)


def _at(schema: Any, root: JsonObject, siblings: Mapping[str, JsonObject]) -> Lists | None:
    """The place of a schema, or None for what is none: true, false, or a reference that leads nowhere."""
    for _ in range(_MAX_REFERENCES):
        if not isinstance(schema, dict):
            return None
        if "$ref" not in schema:
            return Lists(node=schema, root=root, siblings=siblings)
        base, _, fragment = str(schema["$ref"]).partition("#")
        if base:
            root = next((known for name, known in siblings.items() if name == base or name.endswith(f"/{base}")), {})
        try:
            schema = resolve(root, fragment)
        except (LookupError, ValueError):
            return None
    return None
