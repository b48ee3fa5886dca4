"""Overlays that no order tells apart must not contradict each other: the name of a file is no reason to win."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from bundler.compose.assignments import same
from bundler.compose.layer import values_pointer
from bundler.compose.wording import shown
from bundler.errors import InvalidInput
from bundler.model.finding import Finding
from bundler.model.pointer import join, parent
from bundler.model.trace import Assignment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bundler.compose.layer import AuthoredLayer
    from bundler.model.document import JsonObject
    from bundler.model.location import Location

__all__ = ["refuse_disagreement"]


def refuse_disagreement(overlays: Sequence[AuthoredLayer]) -> None:
    """Refuse overlays of equal specificity that write different values to one path, or to a path and one below it.

    Args:
        overlays: those that apply, by rising specificity.

    Raises:
        InvalidInput: two of them disagree; one finding a path.
    """
    findings: list[Finding] = []
    for _, group in groupby(overlays, key=lambda overlay: overlay.criteria.specificity):
        if len(equals := list(group)) > 1:
            findings.extend(_disagreements(equals))
    if findings:
        raise InvalidInput.of(findings)


def _disagreements(overlays: list[AuthoredLayer]) -> Iterator[Finding]:
    written: dict[str, Assignment] = {}
    above: dict[str, Assignment] = {}
    for overlay in overlays:
        mine = list(_written(overlay))
        for assignment in mine:
            other = _contradicted(assignment, written, above)
            if other is not None:
                yield _finding(assignment, other)
        for assignment in mine:
            written[assignment.pointer] = assignment
            pointer = parent(assignment.pointer)
            while pointer and pointer not in above:
                above[pointer] = assignment
                pointer = parent(pointer)


def _contradicted(assignment: Assignment, written: dict[str, Assignment], above: dict[str, Assignment]) -> Assignment | None:
    """The earlier assignment that this one contradicts. An empty map asks only that a map is there."""
    pointer = assignment.pointer
    if pointer in written:
        other = written[pointer]
        agreed = other.action == assignment.action and same(other.value, assignment.value)
        return None if agreed else other
    if pointer in above and assignment.value != {}:
        return above[pointer]
    while pointer := parent(pointer):
        if pointer in written and written[pointer].value != {}:
            return written[pointer]
    return None


def _written(overlay: AuthoredLayer) -> Iterator[Assignment]:
    """What an overlay writes by replacing. Sets unite and constraints intersect, so neither can contradict."""
    for part in overlay.components:
        yield from (assignment for assignment in part.assignments if assignment.action != "add")
        for operation in part.patches:
            yield from _patched(operation.data, values_pointer(part.name), overlay.label, operation.location)
    for runtime in overlay.runtimes:
        for operation in runtime.patches:
            yield from _patched(operation.data, join(("runtimes", runtime.name)), overlay.label, operation.location)


def _patched(data: JsonObject, root: str, layer: str, location: Location) -> Iterator[Assignment]:
    """The place that an operation writes. Appending to a list contradicts nothing, and a test writes nothing."""
    path = data["path"]
    if data["op"] == "test" or path.endswith("/-"):
        return
    yield Assignment(pointer=root + path, value=data.get("value"), action=data["op"], layer=layer, location=location)


def _finding(assignment: Assignment, other: Assignment) -> Finding:
    path = assignment.pointer if len(assignment.pointer) >= len(other.pointer) else other.pointer
    message = (
        f"{other.layer} and {assignment.layer} are equally specific and disagree on {path}: "
        f"{_word(other)} ({other.location}), {_word(assignment)} ({assignment.location})"
    )
    fix = "state the value in one of them, or in an overlay that names more criteria"
    return Finding(rule="AICR-C010", message=message, location=assignment.location, pointer=path, fix=fix)


def _word(assignment: Assignment) -> str:
    if assignment.action in {"delete", "remove"}:
        return "deleted"
    return f"{assignment.action} {shown(assignment.value)}"
