"""Where pods may run: the placement flags, written to the value paths through which each component takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.compose.assignments import everywhere, leaves, same
from bundler.compose.layer import values_pointer
from bundler.compose.merge import merge
from bundler.compose.origins import stated
from bundler.compose.overrides import FLAGS, Overridden
from bundler.errors import InvalidInput
from bundler.model.finding import Finding
from bundler.model.pointer import resolve, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.compose.index import Index
    from bundler.compose.known import KnownComponent
    from bundler.model.document import JsonObject
    from bundler.model.location import Location
    from bundler.model.request import Request
    from bundler.model.trace import Assignment

__all__ = ["schedule"]

_NODE_CLASSES = ("accelerated", "system")


def schedule(index: Index, below: Overridden, request: Request, *, runtimes: bool) -> Overridden:
    """Write the placement that the request states over the values.

    Args:
        index: the prepared catalogue.
        below: values with the overrides over them.
        request: what was asked for.
        runtimes: whether runtimes are shipped: they take the accelerated placement themselves.

    Raises:
        InvalidInput: a flag would have no effect, or would overwrite what another flag set.
    """
    findings = list(_ineffective(index, below, request, runtimes=runtimes))
    values = dict(below.values)
    assignments: list[Assignment] = []
    for name in below.values:
        for path, value, location in _placements(index.components[name], request):
            written: JsonObject = _nested(path, value)
            values[name] = merge(values[name], written)
            assignments.extend(leaves(written, pointer=values_pointer(name), source="", layer=FLAGS, locate=everywhere(location)))
    findings.extend(_overwritten(below, values, assignments))
    if findings:
        raise InvalidInput.of(findings)
    return Overridden(values=values, assignments=(*below.assignments, *assignments), warnings=below.warnings)


def _placements(known: KnownComponent, request: Request) -> Iterator[tuple[list[str], Any, Location]]:
    """Path, value and origin of each placement that a component takes."""
    for nodes in _NODE_CLASSES:
        placement, paths = getattr(request, nodes), getattr(known.entry, nodes)
        if placement.node_selector:
            location = _origin(request, nodes, "nodeSelector")
            for path in paths.node_selector:
                yield path.split("."), dict(placement.node_selector), location
        if placement.tolerations:
            location = _origin(request, nodes, "tolerations")
            for path in paths.tolerations:
                yield path.split("."), list(placement.tolerations), location


def _ineffective(index: Index, below: Overridden, request: Request, *, runtimes: bool) -> Iterator[Finding]:
    """Placement that no component and no runtime takes."""
    for nodes in _NODE_CLASSES:
        if nodes == "accelerated" and runtimes:
            continue
        for attribute, section, words in (
            ("node_selector", "nodeSelector", "node selector"),
            ("tolerations", "tolerations", "tolerations"),
        ):
            taken = any(getattr(getattr(index.components[name].entry, nodes), attribute) for name in below.values)
            if getattr(getattr(request, nodes), attribute) and not taken:
                yield Finding(
                    rule="AICR-C056",
                    message=f"no component of this recipe takes {words} of {nodes} nodes",
                    location=_origin(request, nodes, section),
                    fix="remove the flag, or set the component's own value with --set",
                )


def _overwritten(below: Overridden, values: dict[str, JsonObject], made: list[Assignment]) -> Iterator[Finding]:
    """Overrides whose value the placement changed."""
    for assignment in below.assignments:
        at = assignment.pointer
        later = next((m for m in made if f"{m.pointer}/".startswith(f"{at}/") or at.startswith(f"{m.pointer}/")), None)
        if later is None:
            continue
        _, _, name, _, *path = at.split("/")
        pointer = "/" + "/".join(path)
        if not same(_value(below.values[name], pointer), _value(values[name], pointer)):
            yield Finding(
                rule="AICR-C055",
                message=f"{name}:{'.'.join(tokens(pointer))} is set by two flags, and {later.location} would win",
                location=assignment.location,
                fix="give one of the two",
            )


def _value(values: JsonObject, pointer: str) -> Any:
    try:
        return resolve(values, pointer)
    except LookupError:
        return None


def _origin(request: Request, nodes: str, section: str) -> Location:
    """Where the placement was stated: the first of its flags."""
    flag = f"--{nodes}-node-selector" if section == "nodeSelector" else f"--{nodes}-toleration"
    prefix = f"/{nodes}/{section}"
    first = next((location for pointer, location in request.origins.items() if pointer.startswith(f"{prefix}/")), None)
    return first or stated(request, prefix, flag)


def _nested(path: list[str], value: Any) -> JsonObject:
    for step in reversed(path):
        value = {step: value}
    assert isinstance(value, dict)
    return value
