"""Strategic merge: a patch over an object, lists of named things merged element by element.

Which lists merge, and by which field, is `MERGE_KEYS`; every other list is replaced. Source: the patch tags of k8s.io/api core/v1,
batch/v1 and jobset v1alpha2, and k8s.io/apimachinery/pkg/util/strategicpatch, whose results are recorded in the tests.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from bundler.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bundler.model.document import JsonObject

__all__ = ["MERGE_KEYS", "merge"]

MERGE_KEYS: Mapping[str, str] = MappingProxyType(
    {
        # core/v1 PodSpec
        "containers": "name",
        "ephemeralContainers": "name",
        "hostAliases": "ip",
        "imagePullSecrets": "name",
        "initContainers": "name",
        "resourceClaims": "name",
        "schedulingGates": "name",
        "topologySpreadConstraints": "topologyKey",
        "volumes": "name",
        # core/v1 Container
        "env": "name",
        "ports": "containerPort",
        "volumeDevices": "devicePath",
        "volumeMounts": "mountPath",
        # meta/v1 ObjectMeta
        "finalizers": "",
        "ownerReferences": "uid",
        # jobset v1alpha2 JobSetSpec, from v0.12
        "dependsOn": "name",
        "replicatedJobs": "name",
    }
)
"""Field → what its elements are told apart by; the empty string for a list of plain values, of which the union is taken."""

_DIRECTIVE = "$patch"


def merge(original: JsonObject, patch: JsonObject, keys: Mapping[str, str] = MERGE_KEYS) -> JsonObject:
    """`patch` over `original`; both stay as they are.

    A null deletes. In a map, `$patch: replace` takes the patch alone and `$patch: delete` empties; in a list with keys, an element
    with `$patch: delete` removes its namesake and one with `$patch: replace` puts the other elements in place of the list.

    Raises:
        InvalidInput: an unknown directive, or an element of a list with keys that lacks its key.
    """
    match patch.get(_DIRECTIVE):
        case None:
            pass
        case "replace":
            return {key: value for key, value in patch.items() if key != _DIRECTIVE}
        case "delete":
            return {}
        case directive:
            raise _unusable(f"directive $patch: {directive!r} is not known", "write replace or delete")
    merged = dict(original)
    for key, value in patch.items():
        if key.startswith("$"):
            raise _unusable(f"directive {key!r} is not accepted in a patch that somebody wrote", "remove it")
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = _value(merged.get(key), value, keys.get(key), keys)
    return merged


def _value(original: Any, patch: Any, key: str | None, keys: Mapping[str, str]) -> Any:
    if isinstance(patch, dict):
        return merge(original if isinstance(original, dict) else {}, patch, keys)
    if isinstance(patch, list) and isinstance(original, list) and key is not None:
        return _named(original, patch, key, keys) if key else _union(original, patch)
    return patch


def _named(original: list[JsonObject], patch: list[JsonObject], key: str, keys: Mapping[str, str]) -> list[JsonObject]:
    """Two lists of maps with keys. Of several originals with one key only the first is patched."""
    if any(key not in element and _DIRECTIVE not in element for element in patch):
        raise _unusable(f"an element of a merged list has no {key!r}", f"add {key!r}")
    if any(element.get(_DIRECTIVE) == "replace" for element in patch):
        return [element for element in patch if _DIRECTIVE not in element]
    removed = [element.get(key) for element in patch if element.get(_DIRECTIVE) == "delete"]
    patch = [element for element in patch if _DIRECTIVE not in element]
    merged = [element for element in original if element.get(key) not in removed]
    for element in patch:
        at = next((index for index, one in enumerate(merged) if one.get(key) == element[key]), None)
        if at is None:
            merged.append(merge({}, element, keys))
        else:
            merged[at] = merge(merged[at], element, keys)
    return _ordered(merged, original, patch, lambda element: element.get(key))


def _union(original: list[Any], patch: list[Any]) -> list[Any]:
    return _ordered(list(dict.fromkeys([*original, *patch])), original, patch, lambda element: element)


def _ordered(merged: list[Any], original: list[Any], patch: list[Any], key: Callable[[Any], Any]) -> list[Any]:
    """Elements of the patch in its order, the others in theirs; one of the others goes first only where it already did.

    So what is new stands before what is untouched.
    """
    placed = _first_places(original, key)
    wanted = _first_places(patch, key)
    patched = sorted((one for one in merged if key(one) in wanted), key=lambda one: wanted[key(one)])
    others = [one for one in merged if key(one) not in wanted]
    ordered: list[Any] = []
    while patched and others:
        theirs, ours = placed.get(key(others[0])), placed.get(key(patched[0]))
        earlier = theirs is not None and ours is not None and theirs < ours
        ordered.append((others if earlier else patched).pop(0))
    return [*ordered, *patched, *others]


def _first_places(elements: list[Any], key: Callable[[Any], Any]) -> dict[Any, int]:
    places: dict[Any, int] = {}
    for index, element in enumerate(elements):
        places.setdefault(key(element), index)
    return places


def _unusable(message: str, fix: str) -> InvalidInput:
    return InvalidInput("AICR-K070", message, fix=fix)
