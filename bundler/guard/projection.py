"""The projection of a runtime: a tree of what the contract covers, in which an entry of a list is named and not counted.

A list of things with names is a map of them; a text that is read as data is that data; null is absent, as it is for a server.
"""

from __future__ import annotations

import json
from dataclasses import field
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.guard.contract import Owner, Reads
from bundler.kube.strategic_merge import MERGE_KEYS
from bundler.model.pointer import child
from bundler.yamlio.reader import read

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bundler.guard.contract import Contract, Cursor
    from bundler.guard.side import Side

__all__ = ["KEYS", "Node", "Projection", "Shape", "project"]

KEYS: Mapping[str, str] = {**{field: key for field, key in MERGE_KEYS.items() if key}, "claims": "name"}
"""Field → what its entries are told apart by. `claims` of a container are a map for servers, though no strategic merge knows it."""


class Shape(StrEnum):
    """What a node is."""

    MAP = "a map"
    NAMED = "a list by name"
    LIST = "a list"
    SCALAR = "a scalar"


_NO_CHILDREN: Mapping[str, Node] = {}


class Node(NamedTuple):
    """One value. A plain tuple, for there are hundreds in each projection.

    Attributes:
        pointer: where it stands in the object.
        cursor: the contract as seen from here.
        value: the scalar, or the entries of a list without names.
        children: of a map or a list by name, in the order written; of two entries with one name the last, as a kubelet takes it.
        repeated: earlier entries whose name comes again.
    """

    pointer: str
    cursor: Cursor
    shape: Shape
    value: Any = None
    children: Mapping[str, Node] = _NO_CHILDREN
    repeated: tuple[tuple[str, Node], ...] = ()

    def walk(self) -> Iterator[Node]:
        """This node and all below it."""
        yield self
        for inner in self.children.values():
            yield from inner.walk()


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """The projection of one side.

    Attributes:
        lines: paths of the contract's lines that cover something of it.
    """

    side: Side
    root: Node = field(repr=False)
    lines: frozenset[str] = field(repr=False)

    def locate(self, path: Sequence[str]) -> str | None:
        """Pointer into the object of what stands at a path; None where the projection has nothing there."""
        node: Node | None = self.root
        for step in path:
            node = node.children.get(step) if node is not None else None
        return node.pointer if node is not None else None


def project(side: Side, contract: Contract) -> Projection:
    """Project one side. What the benchmark owns is left out; what nobody classified is in, for that has to be said."""
    builder = _Builder(side=side)
    roots = {
        "object": builder.node(side.resource.data, contract.start.child("object"), ""),
        "pod": builder.node(side.pod.data, contract.start.child("pod"), side.pod.pointer),
    }
    children = {name: node for name, node in roots.items() if node is not None}
    root = Node(pointer="", cursor=contract.start, shape=Shape.MAP, children=children)
    return Projection(side=side, root=root, lines=frozenset(builder.lines))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Builder:
    side: Side
    lines: set[str] = field(default_factory=set)

    def node(self, data: Any, cursor: Cursor, pointer: str, name: str = "") -> Node | None:
        """The node of a value; None for null and for what is wholly the benchmark's."""
        if data is None:
            return None
        line = cursor.line
        if line is not None:
            self.lines.add(line.path)
            if line.owner is Owner.BENCHMARK and not cursor.deeper:
                return None
        match data:
            case dict():
                return _unless_emptied(self._map(data, cursor, pointer), data)
            case list():
                items = [(f"{pointer}/{index}", item) for index, item in enumerate(data)]
                return _unless_emptied(self._list(items, cursor, pointer, name), data)
            case str() if line and line.reads is not Reads.TEXT and (parsed := _read_as(data, line.reads)) is not None:
                return _whole(parsed, cursor, pointer)
        return Node(pointer=pointer, cursor=cursor, shape=Shape.SCALAR, value=data)

    def _map(self, data: dict[str, Any], cursor: Cursor, pointer: str) -> Node:
        children: dict[str, Node] = {}
        pod, has_settings = self.side.pod.pointer, pointer == self.side.at
        for key, value in data.items():
            at = child(pointer, key)
            if at == pod or (has_settings and key == "env"):
                continue  # the pod template is a root of its own, and the environment is more than what stands here
            inner = self.node(value, cursor.child(key), at, key)
            if inner is not None:
                children[key] = inner
        if has_settings and (env := self._settings(data.get("env"), cursor.child("env"), child(pointer, "env"))) is not None:
            children["env"] = env
        return Node(pointer=pointer, cursor=cursor, shape=Shape.MAP, children=children)

    def _settings(self, own: Any, cursor: Cursor, pointer: str) -> Node | None:
        """The environment of the processes; None where the fabric has no part in it."""
        if own is not None and cursor.line is not None:
            self.lines.add(cursor.line.path)
        env = self._list(self.side.settings(), cursor, pointer, "env")
        return env if env.children or env.shape is Shape.LIST else None

    def _list(self, items: Sequence[tuple[str, Any]], cursor: Cursor, pointer: str, name: str) -> Node:
        key = KEYS.get(name, "")
        if not key or not all(isinstance(item, dict) and isinstance(item.get(key), str | int) for _, item in items):
            return Node(pointer=pointer, cursor=cursor, shape=Shape.LIST, value=tuple(item for _, item in items))
        children: dict[str, Node] = {}
        repeated: list[tuple[str, Node]] = []
        for at, item in items:
            named = str(item[key])
            inner = self.node(item, cursor.child(named), at)
            if inner is None:
                continue
            if named in children:
                repeated.append((named, children[named]))
            children[named] = inner
        return Node(pointer=pointer, cursor=cursor, shape=Shape.NAMED, children=children, repeated=tuple(repeated))


def _unless_emptied(node: Node, data: Any) -> Node | None:
    """None for what held something, all of which is the benchmark's."""
    emptied = data and node.shape in {Shape.MAP, Shape.NAMED} and not node.children and not node.repeated
    return None if emptied else node


def _read_as(text: str, reads: Reads) -> Any:
    """The data that a text holds where the contract reads it as such; None where it does not, or where it does not parse."""
    try:
        match reads:
            case Reads.JSON:
                return json.loads(text)
            case Reads.YAML:
                return _yaml(text)
    except (ValueError, RecursionError, InvalidInput):
        pass
    return None


@lru_cache(maxsize=256)
def _yaml(text: str) -> Any:
    """What a text of YAML holds; both sides have most of their texts in common, and so have many bundles."""
    return read(text.encode(), "text").data


def _whole(data: Any, cursor: Cursor, pointer: str) -> Node:
    """Data inside a text: it has no places of its own, and is compared as a whole."""
    if isinstance(data, list):
        return Node(pointer=pointer, cursor=cursor, shape=Shape.LIST, value=tuple(data))
    return Node(pointer=pointer, cursor=cursor, shape=Shape.SCALAR, value=data)
