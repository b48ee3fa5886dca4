"""One side of a diff: its files as items, which are Kubernetes objects, other YAML documents, and texts.

Objects are told apart as a cluster does, by group, kind, namespace and name, wherever they stand; everything else by its path.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.yamlio.reader import MAX_BYTES, read_stream

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from bundler.model.document import Document, JsonObject
    from bundler.model.location import Location

__all__ = ["Item", "Side", "Tree", "read_sides"]

_YAML = (".yaml", ".yml", ".json")
_PROSE = (".html", ".j2", ".md", ".py", ".sh", ".tpl", ".txt")
_HEAD = re.compile(rb"^(?:apiVersion|kind):", re.MULTILINE)
"""What stands in an object; `kubectl diff` names its files after objects, without a suffix."""

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """What is compared with its namesake of the other side.

    Attributes:
        key: what it is told apart by.
        title: `Kind/name`, with the namespace before the name where it has one, or its path.
        kind: the kind of an object, or the file's name: what the paths of classes begin with.
        file: path relative to the root of its side.
        data: plain data, or a text, or None for what is neither.
        size: bytes of a file that is neither.
        digest: of such a file, so that two differ when their bytes do.
        pointer: where it stands in its document.
    """

    key: Key
    title: str
    kind: str
    file: str
    data: Any = field(repr=False)
    size: int = 0
    digest: str = ""
    pointer: str = ""
    is_object: bool = False
    document: Document | None = field(default=None, repr=False, compare=False)

    def locate(self, pointer: str) -> Location | None:
        """Where the value at a pointer into the item was written; None in a text."""
        return self.document.locate(self.pointer + pointer) if self.document is not None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """The files of one side.

    Attributes:
        label: what the side is called.
        files: path → bytes.
        notes: what about the files their bytes do not show, such as a link; path → phrase.
        root: the directory that the files stand in, relative to the current one; None where they stand in none.
        single: whether it is one file, which is compared with another whatever their names are.
    """

    label: str
    files: Mapping[str, bytes] = field(repr=False)
    notes: Mapping[str, str] = field(default_factory=dict)
    root: str | None = None
    single: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """The items of one side, in the order of its files, and the files that could not be read as data, each with the reason."""

    items: tuple[Item, ...] = field(repr=False)
    unread: Mapping[str, str] = field(default_factory=dict)


def read_sides(before: Tree, after: Tree) -> tuple[Side, Side]:
    """The items of the files that do not hold the same bytes on both sides.

    A file that is no data on one side is a text on both.
    """
    differing = {path for path in before.files.keys() | after.files.keys() if before.files.get(path) != after.files.get(path)}
    sides = _read(before, differing, frozenset()), _read(after, differing, frozenset())
    if unread := {**sides[0].unread, **sides[1].unread}:
        read = [_read(tree, differing, unread.keys()) for tree in (before, after)]
        sides = replace(read[0], unread=unread), replace(read[1], unread=unread)
    return sides


def _read(tree: Tree, paths: set[str], texts: Collection[str]) -> Side:
    items: list[Item] = []
    unread: dict[str, str] = {}
    for path in sorted(paths & tree.files.keys()):
        try:
            items += _items(path, tree.files[path], as_text=path in texts)
        except InvalidInput as error:
            first = error.findings[0]
            unread[path] = f"{first.message} ({first.location})" if first.location else first.message
    return Side(items=tuple(_numbered(items)), unread=unread)


def _items(path: str, content: bytes, *, as_text: bool) -> Iterator[Item]:
    if as_text or not _is_data(path, content):
        yield _text(path, content)
        return
    number = 0
    for document in read_stream(content, path):
        for pointer, data in _listed(document.data):
            yield _item(path, number, pointer, data, document)
            number += 1


def _is_data(path: str, content: bytes) -> bool:
    if len(content) > MAX_BYTES or path.lower().endswith(_PROSE):
        return False
    return path.lower().endswith(_YAML) or len({*_HEAD.findall(content)}) > 1


def _listed(data: Any) -> Iterator[tuple[str, Any]]:
    """The objects of a List of any kind, else the document itself."""
    items = data.get("items") if isinstance(data, dict) and str(data.get("kind", "")).endswith("List") else None
    if isinstance(items, list) and all(_named(item) for item in items):
        yield from ((f"/items/{index}", item) for index, item in enumerate(items))
    else:
        yield "", data


def _named(data: Any) -> bool:
    if not isinstance(data, dict) or not isinstance(data.get("kind"), str) or not isinstance(data.get("apiVersion"), str):
        return False
    metadata = data.get("metadata")
    return isinstance(metadata, dict) and isinstance(metadata.get("name") or metadata.get("generateName"), str)


def _item(path: str, number: int, pointer: str, data: Any, document: Document) -> Item:
    if _named(data):
        return _object(path, pointer, data, document)
    place = f"{path}#{number + 1}" if number else path
    return Item(
        key=("file", place), title=place, kind=path.rpartition("/")[2], file=path, data=data, pointer=pointer, document=document
    )


def _object(path: str, pointer: str, data: JsonObject, document: Document) -> Item:
    metadata = data["metadata"]
    name = metadata.get("name") or f"{metadata['generateName']}*"
    namespace = str(metadata.get("namespace") or "")
    group = data["apiVersion"].rpartition("/")[0]
    return Item(
        key=("object", group, data["kind"], namespace, name),
        title=f"{data['kind']}/{namespace}/{name}" if namespace else f"{data['kind']}/{name}",
        kind=data["kind"],
        file=path,
        data=data,
        pointer=pointer,
        is_object=True,
        document=document,
    )


def _text(path: str, content: bytes) -> Item:
    try:
        data = content.decode() if len(content) <= MAX_BYTES and b"\x00" not in content else None
    except UnicodeDecodeError:
        data = None
    digest = "" if data is not None else f"sha256:{hashlib.sha256(content).hexdigest()}"
    return Item(
        key=("file", path),
        title=path,
        kind=path.rpartition("/")[2],
        file=path,
        data=data,
        size=len(content),
        digest=digest,
    )


def _numbered(items: list[Item]) -> Iterator[Item]:
    """The items, each with a key of its own: what stands twice is told apart by its place among its namesakes."""
    seen: dict[Key, int] = {}
    for item in items:
        seen[item.key] = seen.get(item.key, 0) + 1
        if seen[item.key] == 1:
            yield item
        else:
            yield replace(item, key=(*item.key, str(seen[item.key])), title=f"{item.title} ({seen[item.key]})")
