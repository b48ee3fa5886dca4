"""How lists merge, read from a schema: `x-kubernetes-list-type` and `x-kubernetes-list-map-keys` as Kubernetes defines them.

A list of which the schema says nothing is atomic: the later one replaces the earlier.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bundler.model.pointer import resolve

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bundler.model.document import JsonObject

__all__ = ["Lists", "item_key"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lists:
    """Which lists at and below one place are not atomic.

    Attributes:
        keys: fields that identify an item when the list here is a map; empty otherwise.
        unordered: whether the list here is a set.
        properties: what stands below the keys of a map here.
        rest: what stands below any other key.
        items: what stands below the items of a list here.
    """

    keys: tuple[str, ...] = ()
    unordered: bool = False
    properties: Mapping[str, Lists] = field(default_factory=dict)
    rest: Lists | None = None
    items: Lists | None = None

    @classmethod
    def of(cls, schema: JsonObject, *, siblings: Mapping[str, JsonObject] | None = None) -> Lists | None:
        """What a schema says of lists; None when all of them are atomic, which is the common case.

        Args:
            schema: a JSON Schema.
            siblings: other schemas that may be referred to, by `$id`.
        """
        return _read(schema, schema, siblings or {}, frozenset())

    def below(self, name: str) -> Lists | None:
        """What stands below a key."""
        return self.properties.get(name, self.rest)


def item_key(item: Any, keys: tuple[str, ...]) -> str | None:
    """What identifies an item of a list map, or None when it lacks one of the keys."""
    if not isinstance(item, dict) or any(key not in item for key in keys):
        return None
    return ",".join(str(item[key]) for key in keys)


def _read(schema: Any, root: JsonObject, siblings: Mapping[str, JsonObject], seen: frozenset[str]) -> Lists | None:
    if not isinstance(schema, dict):
        return None
    if "$ref" in schema:
        reference = str(schema["$ref"])
        if reference in seen:
            return None
        base, _, fragment = reference.partition("#")
        if base:
            root = next((known for name, known in siblings.items() if name == base or name.endswith(f"/{base}")), {})
        try:
            target = resolve(root, fragment)
        except (LookupError, ValueError):
            return None
        return _read(target, root, siblings, seen | {reference})
    kind = schema.get("x-kubernetes-list-type")
    keys = tuple(schema.get("x-kubernetes-list-map-keys", ())) if kind == "map" else ()
    below = {name: _read(node, root, siblings, seen) for name, node in schema.get("properties", {}).items()}
    properties = {name: lists for name, lists in below.items() if lists is not None}
    rest = _read(schema.get("additionalProperties"), root, siblings, seen)
    items = _read(schema.get("items"), root, siblings, seen)
    if not (keys or kind == "set" or properties or rest or items):
        return None
    return Lists(keys=keys, unordered=kind == "set", properties=properties, rest=rest, items=items)
