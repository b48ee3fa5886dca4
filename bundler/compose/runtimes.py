"""The runtimes to ship, with the operations that layers apply to them once they are rendered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.compose.assignments import same
from bundler.compose.patches import malformed
from bundler.errors import InvalidInput
from bundler.model.composition import Patch, Runtime
from bundler.model.finding import Finding
from bundler.model.pointer import join
from bundler.model.trace import Assignment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bundler.compose.layer import AuthoredLayer, RuntimePart
    from bundler.model.document import JsonObject

__all__ = ["runtimes"]


def runtimes(layers: Sequence[AuthoredLayer]) -> tuple[tuple[Runtime, ...], tuple[Assignment, ...]]:
    """The runtimes to ship, by name, and the assignments that say so.

    Raises:
        InvalidInput: a patch operation is malformed, or a later layer's overwrites it.
    """
    parts: dict[str, list[tuple[AuthoredLayer, RuntimePart]]] = {}
    for layer in layers:
        for part in layer.runtimes:
            parts.setdefault(part.name, []).append((layer, part))
    every = [operation for stated in parts.values() for _, part in stated for operation in part.patches]
    if findings := malformed(every) or [finding for name in sorted(parts) for finding in _overwritten(name, parts[name])]:
        raise InvalidInput.of(findings)
    found = tuple(_runtime(name, parts[name]) for name in sorted(parts))
    return found, tuple(assignment for name in sorted(parts) for assignment in _runtime_assignments(name, parts[name]))


def _overwritten(name: str, stated: Sequence[tuple[AuthoredLayer, RuntimePart]]) -> Iterator[Finding]:
    """Operations on a runtime whose target an operation of a later layer replaces or removes."""
    for position, (layer, part) in enumerate(stated):
        for operation in part.patches:
            later = next(
                (
                    (other, after)
                    for other, following in stated[position + 1 :]
                    for after in following.patches
                    if _overwrites(after.data, operation.data)
                ),
                None,
            )
            if later is not None:
                other, after = later
                message = (
                    f"patch {operation.data['op']} {operation.data['path']} on runtime {name} by {layer.label} is undone by "
                    f"{other.label}, which writes {after.data['path']} ({after.location})"
                )
                fix = f"move the patch to {other.label}, or write the whole value there"
                yield Finding(rule="AICR-C043", message=message, location=operation.location, fix=fix)


def _overwrites(after: JsonObject, before: JsonObject) -> bool:
    """Whether one operation writes at or above the place that another wrote. Adding a list item overwrites nothing."""
    last = after["path"].rpartition("/")[2]
    if "test" in {after["op"], before["op"]} or (after["op"] == "add" and (last == "-" or last.isdigit())):
        return False
    if after["path"] == before["path"]:
        return not (after["op"] == before["op"] and same(after.get("value"), before.get("value")))
    return bool(before["path"].startswith(f"{after['path']}/"))


def _runtime(name: str, stated: Sequence[tuple[AuthoredLayer, RuntimePart]]) -> Runtime:
    patches = tuple(
        Patch(operations=tuple(operation.data for operation in part.patches), layer=layer.label, location=part.location)
        for layer, part in stated
        if part.patches
    )
    axis = next((layer.axis for layer, _ in stated if layer.axis), "")
    return Runtime(name=name, axis=axis, patches=patches)


def _runtime_assignments(name: str, stated: Sequence[tuple[AuthoredLayer, RuntimePart]]) -> Iterator[Assignment]:
    pointer = join(("runtimes", name))
    layer, first = stated[0]
    yield Assignment(pointer=pointer, value=name, action="add", layer=layer.label, location=first.location)
    for layer, part in stated:
        for operation in part.patches:
            yield Assignment(
                pointer=pointer + operation.data["path"],
                value=operation.data.get("value"),
                action="patch",
                layer=layer.label,
                location=operation.location,
            )
