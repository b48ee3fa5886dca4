"""Why a value is what it is: every layer's word on it, oldest first, with file and line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bundler.compose.wording import nearest, shown
from bundler.dataclass import dataclass
from bundler.errors import NotFound
from bundler.model.pointer import join, resolve, tokens
from bundler.report.composition import composition_data
from bundler.report.printable import printable, shortened
from bundler.report.table import table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bundler.kube.resource import Resource
    from bundler.model.composition import Composition
    from bundler.model.document import JsonObject
    from bundler.model.location import Location
    from bundler.model.trace import Assignment

__all__ = ["Explanation", "explain_resource", "explain_value", "explanation_data", "explanation_text", "find_resource"]

_SHOWN = 60
_ABSENT = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """One pointer, what stands there, and who said so.

    Attributes:
        subject: the rendered object, as `Kind/name`; empty for the composed tree.
        value: what stands there now; None for what was deleted.
        present: whether anything stands there.
        location: the template line that wrote it; None for the composed tree.
        assignments: oldest first within each pointer; the last one counts.
    """

    subject: str = ""
    pointer: str
    value: Any
    present: bool = True
    location: Location | None = None
    assignments: tuple[Assignment, ...] = ()


def explain_value(composition: Composition, pointer: str, *, place: Location) -> Explanation:
    """Explain a value of the composed tree, such as `/components/gpu-operator/values/driver/enabled`.

    Args:
        composition: with its trace.
        pointer: into the composed tree; items of keyed lists by their key.
        place: what an error names as the place of the pointer.

    Raises:
        NotFound: no layer ever said anything about the pointer.
    """
    assignments = composition.trace.of(pointer)
    value = _value(_tree(composition), pointer)
    present = value is not _ABSENT
    if not present and not any(made.action == "delete" or f"{made.pointer}/".startswith(f"{pointer}/") for made in assignments):
        raise _nothing_at(pointer, composition.trace.assignments, place)
    return Explanation(pointer=pointer, value=value if present else None, present=present, assignments=assignments)


def explain_resource(composition: Composition, resource: Resource, pointer: str, *, place: Location) -> Explanation:
    """Explain a value of a rendered object: the template line that wrote it, and the patches that layers applied there.

    Raises:
        NotFound: nothing stands at the pointer.
    """
    try:
        value = resolve(resource.data, pointer)
    except LookupError:
        raise _nothing_at(pointer, resource.positions, place) from None
    root = join(("runtimes", resource.name))
    patches = tuple(made for made in composition.trace.of(root + pointer) if made.action == "patch")
    return Explanation(
        subject=resource.subject, pointer=pointer, value=value, location=resource.locate(pointer), assignments=patches
    )


def find_resource(resources: Iterable[Resource], name: str, *, place: Location) -> Resource:
    """The object that `Kind/name`, `Kind/namespace/name` or an unambiguous name means; letter case of the kind is no difference.

    Raises:
        NotFound: there is none, or several have the name.
    """
    every = tuple(resources)
    found = [item for item in every if name.casefold() in {known.casefold() for known in _names(item)}]
    if len(found) == 1:
        return found[0]
    known = sorted(item.subject for item in (found or every))
    problem = f"{len(found)} objects are named {shown(name)}" if found else f"this recipe renders no object {shown(name)}"
    fix = f"name one of {', '.join(known)}" if found else nearest(name, known, label="objects")
    raise NotFound("AICR-U018", problem, location=place, fix=fix)


def explanation_data(explanation: Explanation) -> JsonObject:
    """The explanation as plain data."""
    data: JsonObject = {"pointer": explanation.pointer, "present": explanation.present, "value": explanation.value}
    if explanation.subject:
        data = {"object": explanation.subject, **data}
    if explanation.location is not None:
        data["location"] = _location(explanation.location)
    data["assignments"] = [
        {
            "layer": made.layer,
            "action": made.action,
            "pointer": made.pointer,
            "value": made.value,
            "location": _location(made.location),
        }
        for made in explanation.assignments
    ]
    return data


def explanation_text(explanation: Explanation) -> str:
    """The explanation for a person: the value, then every word on it; in the last line of a pointer stands what counts."""
    head = f"{explanation.subject} {explanation.pointer or '(the whole document)'}".strip()
    value = _short(explanation.value, 10 * _SHOWN) if explanation.present else "(deleted)"
    lines = [printable(head), f"  value: {value}"]
    if explanation.location is not None:
        lines.append(f"  --> {printable(str(explanation.location))}")
    text = "\n".join(lines) + "\n"
    if explanation.assignments:
        rows = [
            (made.pointer, made.action, _short(made.value, _SHOWN), made.layer, str(made.location))
            for made in explanation.assignments
        ]
        text += "\n" + table(("pointer", "action", "value", "layer", "where"), rows)
    return text


def _tree(composition: Composition) -> JsonObject:
    """The composed tree as the trace points into it: sets and runtimes by name."""
    data = composition_data(composition)
    for component in data["components"].values():
        for section in ("dependencies", "manifests"):
            component[section] = {name: name for name in component[section]}
    data["runtimes"] = {name: name for name in data["runtimes"]}
    return data


def _value(tree: Any, pointer: str) -> Any:
    """What stands at a pointer whose steps name the items of keyed lists; a marker when nothing does."""
    for step in tokens(pointer):
        match tree:
            case dict() if step in tree:
                tree = tree[step]
            case list() if step.isdecimal() and int(step) < len(tree):
                tree = tree[int(step)]
            case list():
                tree = next((item for item in tree if step == (item.get("name") if isinstance(item, dict) else item)), _ABSENT)
            case _:
                return _ABSENT
    return tree


def _names(resource: Resource) -> tuple[str, ...]:
    return resource.name, resource.subject, f"{resource.kind}/{resource.namespace}/{resource.name}"


def _nothing_at(pointer: str, known: Iterable[str], place: Location) -> NotFound:
    return NotFound("AICR-U019", f"nothing is at {shown(pointer)}", location=place, fix=nearest(pointer, known, label="pointers"))


def _location(location: Location) -> JsonObject:
    return {"file": location.file, "line": location.line, "column": location.column}


def _short(value: Any, limit: int) -> str:
    return printable(shortened(json.dumps(value, ensure_ascii=False), limit))
