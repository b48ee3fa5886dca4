"""Two projections against each other: every difference once, at the highest place where the two differ, with the place in both."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import field
from typing import TYPE_CHECKING

from bundler.dataclass import dataclass
from bundler.guard.contract import Order, Owner, Reads
from bundler.guard.difference import Difference, alone, differ, moved, places, repeated, shown, unclassified
from bundler.guard.images import image_difference
from bundler.guard.projection import Shape
from bundler.guard.side import ENV, Role
from bundler.guard.values import cut, may_be, plain, same, same_amount, typed
from bundler.yamlio.writer import to_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bundler.guard.projection import Node, Projection

__all__ = ["Comparison", "compare"]

_REFERENCE = re.compile(r"\$\(([-._A-Za-z0-9]+)\)")
_BOTH = "both sides have it"

_Path = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What came of comparing.

    Attributes:
        unknown: path → pointer into each, for values that the fixture gets only when it is applied, or from a script.
        compared: how many fields of the fabric were compared.
    """

    differences: tuple[Difference, ...]
    unknown: Mapping[_Path, Mapping[Role, str]] = field(default_factory=dict)
    compared: int = 0


def compare(runtime: Projection, fixture: Projection) -> Comparison:
    """Compare a fixture with the runtime that it measures."""
    walk = _Walk(sources=bool(fixture.side.sourced))
    found = tuple(walk.both((), runtime.root, fixture.root))
    return Comparison(differences=found, unknown=dict(walk.unknown), compared=walk.compared)


@dataclass(slots=True, kw_only=True)
class _Walk:
    """The way down two trees.

    Attributes:
        sources: whether a script sets settings that the fixture does not state.
    """

    sources: bool
    unknown: dict[_Path, Mapping[Role, str]] = field(default_factory=dict)
    compared: int = 0

    def both(self, path: _Path, runtime: Node, fixture: Node) -> Iterator[Difference]:
        """The differences of two nodes at one path."""
        line = runtime.cursor.line
        if line is None and not runtime.cursor.deeper:
            yield unclassified(path, places(runtime, fixture), _BOTH)
            return
        if not runtime.children and not fixture.children:
            self.compared += 1
        if runtime.shape is not fixture.shape:
            if may_be(runtime.value, fixture.value):
                self.unknown[path] = places(runtime, fixture)
            else:
                yield differ(path, runtime, fixture, (runtime.shape, fixture.shape), rule="AICR-G005")
        elif runtime.shape in {Shape.MAP, Shape.NAMED}:
            yield from self._entries(path, runtime, fixture)
        elif runtime.shape is Shape.LIST:
            yield from self._lists(path, runtime, fixture)
        elif not same(runtime.value, fixture.value):
            yield from self._scalars(path, runtime, fixture)

    def _entries(self, path: _Path, runtime: Node, fixture: Node) -> Iterator[Difference]:
        lost = [key for key in runtime.children if key not in fixture.children]
        gained = [key for key in fixture.children if key not in runtime.children]
        if path == ENV and self.sources:
            self.unknown |= {(*path, key): places(runtime.children[key], fixture) for key in lost}
            lost = []
        if len(lost) == len(gained) == 1 and _renamed(runtime.children[lost[0]], fixture.children[gained[0]]):
            pair = runtime.children[lost[0]], fixture.children[gained[0]]
            yield differ(path, *pair, (repr(lost[0]), repr(gained[0])), verb="has")
            lost, gained = [], []
        for key in lost:
            yield from _alone((*path, key), runtime.children[key], fixture, Role.RUNTIME)
        for key in gained:
            yield from _alone((*path, key), fixture.children[key], runtime, Role.FIXTURE)
        for key in runtime.children:
            if key in fixture.children:
                yield from self.both((*path, key), runtime.children[key], fixture.children[key])
        yield from _repeated(path, runtime, fixture)
        if runtime.shape is Shape.NAMED and not (path == ENV and self.sources):
            yield from _moved(path, runtime, fixture)

    def _lists(self, path: _Path, runtime: Node, fixture: Node) -> Iterator[Difference]:
        ours, theirs = list(runtime.value), list(fixture.value)
        pairs = list(zip(ours, theirs, strict=False))
        if same(ours, theirs):
            return
        if len(ours) == len(theirs) and all(same(*pair) or may_be(*pair) for pair in pairs):
            self.unknown[path] = places(runtime, fixture)
            return
        one, other = (Counter(map(to_json, entries)) for entries in (ours, theirs))
        if one == other:
            first = next(index for index, pair in enumerate(pairs) if not same(*pair))
            at = {Role.RUNTIME: f"{runtime.pointer}/{first}", Role.FIXTURE: f"{fixture.pointer}/{first}"}
            yield moved(path, cut(to_json(theirs[first])), at, matters=_order(runtime) is not Order.FREE)
            return
        changed = [pair for pair in pairs if not same(*pair)]
        if len(ours) == len(theirs) and len(changed) == 1:
            yield differ(path, runtime, fixture, (cut(to_json(changed[0][0])), cut(to_json(changed[0][1]))))
            return
        lacks, has = (cut(", ".join(sorted((more - less).elements()))) for more, less in ((one, other), (other, one)))
        said = " and ".join(text for text in (lacks and f"lacks {lacks}", has and f"has {has} besides") if text)
        message = f"{shown(path)} of the fixture {said}"
        yield Difference(rule="AICR-G001", message=message, path=path, at=places(runtime, fixture))

    def _scalars(self, path: _Path, runtime: Node, fixture: Node) -> Iterator[Difference]:
        ours, theirs = runtime.value, fixture.value
        reads = runtime.cursor.reads
        if may_be(ours, theirs):
            self.unknown[path] = places(runtime, fixture)
        elif reads is Reads.QUANTITY and same_amount(ours, theirs):
            return
        elif reads is Reads.IMAGE and isinstance(ours, str) and isinstance(theirs, str):
            for rule, said, fix in image_difference(ours, theirs):
                yield Difference(rule=rule, message=f"{shown(path)} {said}", path=path, at=places(runtime, fixture), fix=fix)
        elif type(ours) is not type(theirs):
            yield differ(path, runtime, fixture, (typed(ours), typed(theirs)), rule="AICR-G005")
        else:
            yield differ(path, runtime, fixture, (cut(to_json(ours)), cut(to_json(theirs))))


def _alone(path: _Path, node: Node, other: Node, role: Role) -> Iterator[Difference]:
    """What only one side has: said of the highest node that is one's as a whole."""
    at = {role: node.pointer, role.other: other.pointer}
    line = node.cursor.line
    if line is None and node.cursor.deeper and node.shape in {Shape.MAP, Shape.NAMED}:
        for key, inner in node.children.items():
            yield from _alone((*path, key), inner, other, role)
    elif line is None:
        yield unclassified(path, at, f"the {role} has it")
    elif line.owner is Owner.FABRIC:
        yield alone(path, at, role)


def _repeated(path: _Path, runtime: Node, fixture: Node) -> Iterator[Difference]:
    """Entries that stand twice, each said once whichever sides have it twice."""
    nodes = {Role.RUNTIME: runtime, Role.FIXTURE: fixture}
    twice = {role: dict(node.repeated) for role, node in nodes.items()}
    for key in dict.fromkeys(key for entries in twice.values() for key in entries):
        at = {role: (twice[role].get(key) or node.children.get(key) or node).pointer for role, node in nodes.items()}
        yield repeated((*path, key), at, [role for role, entries in twice.items() if key in entries])


def _moved(path: _Path, runtime: Node, fixture: Node) -> Iterator[Difference]:
    """The first of the common entries that the two sides have at different places; what stands twice has no one place."""
    twice = {key for node in (runtime, fixture) for key, _ in node.repeated}
    ours = [key for key in runtime.children if key in fixture.children and key not in twice]
    theirs = [key for key in fixture.children if key in runtime.children and key not in twice]
    first = next((one for one, other in zip(ours, theirs, strict=True) if one != other), None)
    if first is not None:
        order = _order(runtime)
        matters = order is Order.FIXED or (order is Order.REFERENCES and _reference_turned(runtime, fixture))
        yield moved(path, first, places(runtime.children[first], fixture.children[first]), matters=matters)


def _reference_turned(runtime: Node, fixture: Node) -> bool:
    """Whether an entry stands after what it refers to on one side, and before it on the other."""
    orders = [list(node.children) for node in (runtime, fixture)]
    for key, node in (*runtime.children.items(), *fixture.children.items()):
        for name in _REFERENCE.findall(to_json(plain(node))):
            if len({order.index(name) < order.index(key) for order in orders if key in order and name in order}) > 1:
                return True
    return False


def _renamed(one: Node, other: Node) -> bool:
    """Whether two entries are the same but for their name."""
    return one.children.keys() == other.children.keys() and (
        sum(not same(plain(inner), plain(other.children[key])) for key, inner in one.children.items()) == 1
    )


def _order(node: Node) -> Order:
    return node.cursor.line.order if node.cursor.line else Order.FIXED
