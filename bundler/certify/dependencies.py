"""How an override's objects are merged into a Workflow's dependencies.

It is a merge of its own, neither strategic merge nor JSON merge patch: a null deletes, maps are merged, two lists whose items all
have a name are merged by name, and every other list is replaced. Source: pkg/controller/workflow_detect.go of
cluster-readiness-engine. Two mounts of one volume have one name, so the second is lost; no rule of the merge can tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bundler.model.document import JsonObject

__all__ = ["merged", "merged_dependencies"]


def merged_dependencies(dependencies: Iterable[JsonObject], changes: Iterable[JsonObject]) -> list[JsonObject]:
    """Each change merged into the object of its version, kind and name, or added behind all others."""
    result = list(dependencies)
    for change in changes:
        at = next((index for index, one in enumerate(result) if _identity(one) == _identity(change)), None)
        if at is None:
            result.append(_without_nulls(change))
        else:
            result[at] = merged(result[at], change)
    return result


def merged(base: JsonObject, change: JsonObject) -> JsonObject:
    """`change` over `base`; both stay as they are."""
    result = dict(base)
    for key, value in change.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = _value(result.get(key), value)
    return result


def _value(base: Any, change: Any) -> Any:
    if isinstance(change, dict):
        return merged(base if isinstance(base, dict) else {}, change)
    if isinstance(change, list) and isinstance(base, list) and _named(base) and _named(change):
        return _by_name(base, change)
    return _without_nulls(change)


def _by_name(base: list[JsonObject], change: list[JsonObject]) -> list[JsonObject]:
    changes = {item["name"]: item for item in change}
    kept = [merged(item, changes[item["name"]]) if item["name"] in changes else item for item in base]
    present = {item["name"] for item in base}
    return [*kept, *(_without_nulls(item) for item in change if item["name"] not in present)]


def _named(items: list[Any]) -> bool:
    return bool(items) and all(isinstance(item, dict) and isinstance(item.get("name"), str) and item["name"] for item in items)


def _without_nulls(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _without_nulls(value) for key, value in data.items() if value is not None}
    return [_without_nulls(item) for item in data] if isinstance(data, list) else data


def _identity(data: JsonObject) -> tuple[Any, Any, Any]:
    return data.get("apiVersion"), data.get("kind"), (data.get("metadata") or {}).get("name")
