"""One map over another. Maps merge deep, `null` deletes, lists replace unless the schema gives them keys or calls them sets.

The rule is RFC 7396 (JSON merge patch) plus list keys. Nothing is mutated: the result shares what did not change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.compose.lists import item_key

if TYPE_CHECKING:
    from bundler.compose.lists import Lists
    from bundler.model.document import JsonObject

__all__ = ["merge"]


def merge(below: JsonObject, above: JsonObject, lists: Lists | None = None) -> JsonObject:
    """The lower map with the upper one over it.

    Args:
        below: the values so far.
        above: what a layer writes.
        lists: which lists are not atomic; None when all are.
    """
    merged = dict(below)
    for key, value in above.items():
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, dict):
            under = merged.get(key)
            merged[key] = merge(under if isinstance(under, dict) else {}, value, lists and lists.below(key))
        elif lists is not None and isinstance(value, list):
            merged[key] = _merge_lists(merged.get(key), value, lists.below(key))
        else:
            merged[key] = value
    return merged


def _merge_lists(below: Any, above: list[Any], lists: Lists | None) -> list[Any]:
    if lists is None or not (lists.unordered or lists.keys):
        return above
    under = below if isinstance(below, list) else []
    if lists.unordered:
        return [*under, *(item for item in above if item not in under)]
    merged = {_key(item, lists): item for item in under}
    for item in above:
        key = _key(item, lists)
        known = merged.get(key)
        merged[key] = merge(known if isinstance(known, dict) else {}, item, lists.items) if isinstance(item, dict) else item
    return list(merged.values())


def _key(item: Any, lists: Lists) -> object:
    """What identifies an item; one without its keys is like no other, and left to validation."""
    key = item_key(item, lists.keys)
    return object() if key is None else key
