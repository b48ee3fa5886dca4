"""RFC 6902 operations on values. An operation that misses its target is an error, and so is one that a later layer undoes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.compose.assignments import same
from bundler.compose.lists import item_key
from bundler.compose.targets import dead_end
from bundler.compose.wording import listed, nearest, shown
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.model.finding import Finding
from bundler.model.plain import copied
from bundler.model.pointer import at, child, join, resolve, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bundler.compose.lists import Lists
    from bundler.model.document import JsonObject
    from bundler.model.location import Location

__all__ = ["Effect", "Operation", "apply", "malformed"]

_MEMBERS = {
    "add": ("path", "value"),
    "remove": ("path",),
    "replace": ("path", "value"),
    "move": ("from", "path"),
    "copy": ("from", "path"),
    "test": ("path", "value"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation and where it was written."""

    data: JsonObject
    location: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What an operation left behind.

    Attributes:
        steps: to the target, `-` resolved to the index it got.
        pointer: the target as the trace names it, from the root of the values: list items by key where they have one.
        present: whether the value was written, rather than removed.
        value: what was written or removed.
        shift: by how much the later items of the target's list moved: 1, -1, or 0 where nothing moved.
    """

    operation: Operation
    steps: tuple[str, ...]
    pointer: str
    present: bool
    value: Any
    shift: int = 0

    def holds(self, values: JsonObject) -> bool:
        """Whether the values still show the effect. Items of a list may have moved; maps may have gained keys."""
        return _holds(values, self.steps, self)


def malformed(operations: Iterable[Operation]) -> tuple[Finding, ...]:
    """What is wrong with the form of operations, whatever they are applied to."""
    return tuple(finding for operation in operations if (finding := _malformed(operation)) is not None)


def apply(
    values: JsonObject, operations: Sequence[Operation], *, subject: str, lists: Lists | None = None
) -> tuple[JsonObject, tuple[Effect, ...]]:
    """The values after each operation in turn, and what the operations left behind.

    Args:
        values: never mutated.
        operations: in order.
        subject: what the values belong to, for messages.
        lists: which lists have keys, for the pointers of the trace.

    Raises:
        InvalidInput: an operation is malformed, misses its target, or is a test that fails.
    """
    import jsonpatch  # noqa: PLC0415  (27 ms that only a recipe with patches spends)
    import jsonpointer  # noqa: PLC0415  (its parent, already loaded)

    if findings := malformed(operations):
        raise InvalidInput.of(findings)
    patched = copied(values)
    effects: list[Effect] = []
    for operation in operations:
        if missed := _missed(patched, operation, subject):
            raise missed
        if operation.data["op"] == "test":
            # The library compares as Python does, for which 1, 1.0 and true are equal.
            _test(patched, operation, subject)
            continue
        removed = _removal(patched, operation, lists)
        try:
            patched = jsonpatch.JsonPatch.operations[operation.data["op"]](operation.data).apply(patched)
        except (jsonpatch.JsonPatchException, jsonpointer.JsonPointerException) as error:
            message = f"patch {operation.data['op']} {operation.data['path']} cannot be applied to {subject}: {error}"
            fix = "name a place outside the one that is moved"
            raise InvalidInput("AICR-C041", message, location=operation.location, fix=fix) from None
        effects.extend(removed)
        effects.extend(_addition(patched, operation, lists))
    return patched, tuple(effects)


def _malformed(operation: Operation) -> Finding | None:
    data = operation.data
    name = data.get("op")
    if name not in _MEMBERS:
        return _form(operation, f"patch operation {shown(name)} is not known", nearest(str(name), _MEMBERS))
    members = _MEMBERS[name]
    if missing := [member for member in members if member not in data]:
        return _form(operation, f"patch operation {name!r} has no {listed(missing)}", f"its members are op, {listed(members)}")
    if unknown := [member for member in data if member not in {"op", *members}]:
        return _form(operation, f"patch operation {name!r} has no member {unknown[0]!r}", nearest(unknown[0], members))
    for member in ("path", "from"):
        pointer = data.get(member)
        if member in members and (not isinstance(pointer, str) or not pointer.startswith("/")):
            problem = "would replace everything" if pointer == "" else "is no JSON pointer"
            message = f"patch operation {name!r}: {member} {shown(pointer)} {problem}"
            return _form(operation, message, "name one place, such as /driver/version")
    return None


def _form(operation: Operation, message: str, fix: str) -> Finding:
    return Finding(rule="AICR-C040", message=message, location=operation.location, fix=fix)


def _removal(values: JsonObject, operation: Operation, lists: Lists | None) -> tuple[Effect, ...]:
    """The effect of taking something away, read before it is gone."""
    member = {"remove": "path", "move": "from"}.get(operation.data["op"])
    return () if member is None else (_effect(values, operation, tokens(operation.data[member]), lists, present=False),)


def _addition(values: JsonObject, operation: Operation, lists: Lists | None) -> tuple[Effect, ...]:
    if operation.data["op"] == "remove":
        return ()
    steps = tokens(operation.data["path"])
    if steps[-1] == "-" and isinstance(above := at(values, steps[:-1]), list):
        steps = (*steps[:-1], str(len(above) - 1))
    return (_effect(values, operation, steps, lists, present=True),)


def _effect(values: JsonObject, operation: Operation, steps: tuple[str, ...], lists: Lists | None, *, present: bool) -> Effect:
    above = at(values, steps[:-1])
    moved = 0 if not isinstance(above, list) or operation.data["op"] == "replace" else 1 if present else -1
    value = copied(at(above, steps[-1:]))
    pointer = _traced(values, steps, lists)
    return Effect(operation=operation, steps=steps, pointer=pointer, present=present, value=value, shift=moved)


def _traced(values: Any, steps: tuple[str, ...], lists: Lists | None) -> str:
    if lists is None:
        return join(steps)
    pointer = ""
    for step in steps:
        name = step
        if isinstance(values, list):
            values = values[int(step)]
            if lists is not None and lists.keys:
                name = item_key(values, lists.keys) or step
            lists = lists and lists.items
        else:
            values = values[step]
            lists = lists and lists.below(step)
        pointer = child(pointer, name)
    return pointer


def _holds(value: Any, steps: tuple[str, ...], effect: Effect) -> bool:
    step, rest = steps[0], steps[1:]
    if isinstance(value, list):
        below = [_holds(item, rest, effect) if rest else _kept(effect.value, item) for item in value]
        return any(below) if rest or effect.present else not any(below)
    if not isinstance(value, dict) or step not in value:
        return not effect.present
    if rest:
        return _holds(value[step], rest, effect)
    return effect.present and _kept(effect.value, value[step])


def _kept(written: Any, found: Any) -> bool:
    """Whether what was written is still there; a map may have gained keys since."""
    if isinstance(written, dict) and isinstance(found, dict):
        return all(key in found and _kept(value, found[key]) for key, value in written.items())
    return same(written, found)


def _test(values: JsonObject, operation: Operation, subject: str) -> None:
    path, wanted = operation.data["path"], operation.data["value"]
    found = resolve(values, path)
    if not same(found, wanted):
        message = f"patch test of {subject} fails: {path} is {shown(found)}, not {shown(wanted)}"
        raise InvalidInput("AICR-C042", message, location=operation.location, fix="correct the test, or what it guards against")


def _missed(values: JsonObject, operation: Operation, subject: str) -> InvalidInput | None:
    """The error of an operation whose `from` or `path` leads nowhere, or None."""
    data = operation.data
    for member in _MEMBERS[data["op"]]:
        if member == "value":
            continue
        creates = member == "path" and data["op"] in {"add", "move", "copy"}
        problem = dead_end(values, data[member], creates=creates)
        if problem is not None:
            reason, fix = problem
            message = f"patch {data['op']} {data[member]} misses its target in {subject}: {reason}"
            return InvalidInput("AICR-C041", message, location=operation.location, fix=fix)
    return None
