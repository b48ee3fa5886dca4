"""RFC 6902 patches on rendered objects, one operation at a time, none of which may miss.

The operations are the `jsonpatch` library's. What it lets pass is refused here: an empty path, unknown members, and a `test` that
takes 1 for 1.0 or for true.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NoReturn

from bundler.errors import InvalidInput
from bundler.model.pointer import child, parent, resolve, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bundler.kube.resource import Resource
    from bundler.model.composition import Patch
    from bundler.model.document import JsonObject
    from bundler.model.location import Location

__all__ = ["patched"]

_MEMBERS: Mapping[str, frozenset[str]] = {
    "add": frozenset({"op", "path", "value"}),
    "copy": frozenset({"op", "path", "from"}),
    "move": frozenset({"op", "path", "from"}),
    "remove": frozenset({"op", "path"}),
    "replace": frozenset({"op", "path", "value"}),
    "test": frozenset({"op", "path", "value"}),
}


def patched(resource: Resource, patches: Iterable[Patch]) -> Resource:
    """The resource with all operations applied in order; what a patch wrote stands where the patch stands.

    Raises:
        InvalidInput: an operation is malformed, or misses.
    """
    data = copy.deepcopy(resource.data)
    positions = dict(resource.positions)
    for patch in patches:
        for number, operation in enumerate(patch.operations, start=1):
            step = _Step(operation=operation, number=number, patch=patch, subject=resource.subject)
            step.check()
            taken = _index(data, step.source)
            step.apply(data)
            _reposition(positions, step, taken, data)
    return replace(resource, data=data, positions=positions)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """One operation of a patch.

    Attributes:
        number: its place in the patch, from 1.
        subject: the object it is applied to.
    """

    operation: JsonObject
    number: int
    patch: Patch
    subject: str

    @property
    def op(self) -> str:
        return str(self.operation["op"])

    @property
    def path(self) -> str:
        return str(self.operation["path"])

    @property
    def source(self) -> str:
        """Where the operation takes something away, if it does."""
        return str(self.operation.get("from", self.path))

    def check(self) -> None:
        members = _MEMBERS.get(self.operation.get("op", ""))
        if members is None:
            self.refuse(f"has no op of {', '.join(_MEMBERS)}", fix="state one")
        if wrong := sorted(members ^ self.operation.keys()):
            self.refuse(f"has other members than {', '.join(sorted(members))}: see {', '.join(wrong)}", fix="state exactly these")
        for member in ("path", "from"):
            pointer = self.operation.get(member, "/")
            if not isinstance(pointer, str) or not pointer.startswith("/"):
                self.refuse(f"has {pointer!r} as {member}", fix="write a JSON pointer below the root, such as /spec/template")

    def apply(self, data: JsonObject) -> None:
        # Few bundles patch a rendered object, and start-up time is budgeted.
        from jsonpatch import JsonPatch, JsonPatchException  # noqa: PLC0415
        from jsonpointer import JsonPointerException  # noqa: PLC0415

        if self.op == "test":
            self.test(data)
            return
        try:
            JsonPatch([self.operation]).apply(data, in_place=True)
        except (JsonPatchException, JsonPointerException):
            self.miss(data)

    def test(self, data: JsonObject) -> None:
        try:
            found = resolve(data, self.path)
        except LookupError:
            self.miss(data)
        if not _same(found, self.operation["value"]):
            self.refuse(f"expects {self.operation['value']!r} and finds {found!r}", rule="AICR-T020", fix="correct the patch")

    def miss(self, data: JsonObject) -> NoReturn:
        missed = self.path if _exists(data, self.source) else self.source
        self.refuse(f"misses: nothing is at {missed}", rule="AICR-T020", fix=f"the nearest path is {_nearest(data, missed)}")

    def refuse(self, problem: str, *, rule: str = "AICR-T019", fix: str) -> NoReturn:
        what = f"operation {self.number} ({self.operation.get('op')} {self.operation.get('path')}) of {self.patch.layer}"
        raise InvalidInput(rule, f"{what} {problem}", location=self.patch.location, subject=self.subject, fix=fix)


def _same(one: Any, other: Any) -> bool:
    """Equality of plain data in which a number, a boolean and a float never stand for one another."""
    if type(one) is not type(other):
        return False
    match one:
        case dict():
            return one.keys() == other.keys() and all(_same(value, other[key]) for key, value in one.items())
        case list():
            return len(one) == len(other) and all(map(_same, one, other))
        case _:
            return bool(one == other)


def _exists(data: JsonObject, pointer: str) -> bool:
    try:
        resolve(data, pointer)
    except LookupError:
        return False
    return True


def _nearest(data: JsonObject, pointer: str) -> str:
    """The longest part of `pointer` that exists, continued by the key that is most like the next step."""
    found = ""
    for step in tokens(pointer):
        if _exists(data, child(found, step)):
            found = child(found, step)
            continue
        above = resolve(data, found)
        near = get_close_matches(step, above, n=1) if isinstance(above, dict) else []
        return child(found, near[0]) if near else found or "/"
    return found


def _index(data: JsonObject, pointer: str) -> int | None:
    """The index that `pointer` ends in when it names an item of a list."""
    above, _, step = pointer.rpartition("/")
    if not _exists(data, above) or not isinstance(resolve(data, above), list):
        return None
    return int(step) if step.isascii() and step.isdigit() else None


def _reposition(positions: dict[str, Location], step: _Step, taken: int | None, data: JsonObject) -> None:
    """Keep positions true after an operation.

    Args:
        positions: changed in place.
        step: the operation that was applied.
        taken: the index of the item that the operation took from a list.
        data: the object after it.
    """
    if step.op in {"remove", "replace", "move"}:
        _forget(positions, step.source)
        if step.op != "replace" and taken is not None:
            _shift(positions, parent(step.source), taken + 1, -1)
    if step.op in {"add", "copy", "move", "replace"}:
        above, _, last = step.path.rpartition("/")
        container = resolve(data, above)
        target = step.path
        if isinstance(container, list) and step.op != "replace":
            index = len(container) - 1 if last == "-" else int(last)
            _shift(positions, above, index, 1)
            target = child(above, index)
        _forget(positions, target)
        positions[target] = step.patch.location


def _forget(positions: dict[str, Location], pointer: str) -> None:
    for known in [known for known in positions if known == pointer or known.startswith(f"{pointer}/")]:
        del positions[known]


def _shift(positions: dict[str, Location], above: str, start: int, by: int) -> None:
    """Renumber the items of the list at `above` from `start` on."""
    prefix = f"{above}/"
    moved: dict[str, Location] = {}
    for known in [known for known in positions if known.startswith(prefix)]:
        step, slash, rest = known.removeprefix(prefix).partition("/")
        if int(step) >= start:
            moved[f"{prefix}{int(step) + by}{slash}{rest}"] = positions.pop(known)
    positions.update(moved)
