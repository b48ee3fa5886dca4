"""How the Trainer writes into lists: an entry replaces the first that it is taken for, whole, or is appended.

Source: pkg/apply/apply.go of github.com/kubeflow/trainer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bundler.model.document import JsonObject

__all__ = ["Same", "by_mount_path", "by_name", "by_number", "by_number_or_name", "converted_env", "upsert"]

_SOURCES = ("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef")
"""Kinds of `valueFrom` that the Trainer hands on."""

Same = Callable[["JsonObject", "JsonObject"], bool]
"""Whether one entry of a list is taken for another."""


def upsert(entries: Iterable[JsonObject] | None, new: Iterable[JsonObject], same: Same) -> list[JsonObject]:
    """`entries` with the `new` ones written into them."""
    written = list(entries or ())
    for entry in new:
        at = next((index for index, one in enumerate(written) if same(one, entry)), len(written))
        written[at : at + 1] = [entry]
    return written


def by_name(one: JsonObject, other: JsonObject) -> bool:
    """Variables and volumes."""
    return bool(one["name"] == other["name"])


def by_mount_path(one: JsonObject, other: JsonObject) -> bool:
    """Mounts."""
    return bool(one["mountPath"] == other["mountPath"])


def by_number_or_name(one: JsonObject, other: JsonObject) -> bool:
    """Ports, up to 2.3: two ports without a name are one port, and so are two protocols of one number."""
    return bool(one["containerPort"] == other["containerPort"] or (one.get("name") or "") == (other.get("name") or ""))


def by_number(one: JsonObject, other: JsonObject) -> bool:
    """Ports, as planned for 2.4 (pull request 3926): only a name that is there can be equal."""
    return bool(one["containerPort"] == other["containerPort"] or (one.get("name") and one.get("name") == other.get("name")))


def converted_env(entries: Iterable[JsonObject] | None) -> list[JsonObject]:
    """Variables of a TrainJob as the Trainer writes them: a value is always stated, a reference has all or fewer of its fields.

    A value beside a source vanishes, and so does a source of another kind (pkg/apply/apply.go of github.com/kubeflow/trainer).
    """
    return [_converted(entry) for entry in entries or ()]


def _converted(entry: JsonObject) -> JsonObject:
    stated = entry.get("valueFrom")
    if stated is None:
        return {"name": entry["name"], "value": entry.get("value", "")}
    source = {kind: stated[kind] for kind in _SOURCES if kind in stated}
    if "fieldRef" in source:
        source["fieldRef"] = {"fieldPath": source["fieldRef"]["fieldPath"]}
    if "resourceFieldRef" in source:
        reference = {"containerName": "", "divisor": "0", **source["resourceFieldRef"]}
        source["resourceFieldRef"] = {**reference, "divisor": str(reference["divisor"])}
    return {"name": entry["name"], "valueFrom": source}
