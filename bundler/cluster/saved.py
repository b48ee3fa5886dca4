"""Saved facts of a cluster: snapshots of ours, and lists that kubectl printed → one Snapshot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.catalog.files import read_file
from bundler.cluster.document import KIND, read_snapshot
from bundler.cluster.facts import Fact, facts
from bundler.cluster.parsing import parse
from bundler.cluster.trimming import Trimmer, TrimmingError
from bundler.cluster.uniting import Uniting
from bundler.compose.wording import listed, shown
from bundler.errors import InvalidInput
from bundler.model.location import Location

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from bundler.catalog.catalog import Catalog
    from bundler.model.document import JsonObject
    from bundler.model.snapshot import Snapshot

__all__ = ["MAX_BYTES", "read"]

MAX_BYTES = 512 * 1024 * 1024
"""Size of one file: the full objects of some ten thousand nodes."""


def read(paths: Sequence[Path], catalog: Catalog) -> Snapshot:
    """What files say of one cluster.

    A snapshot of ours says what was read and what could not be. A list says only what is in it: it proves nothing of a resource
    of which it holds no object, an empty one nothing at all, unless the list is of that kind alone, such as NodeList. Pods outside
    kube-system are not read.

    Args:
        paths: snapshots, and lists of objects as JSON or YAML, of one document or several.
        catalog: says which resources and fields are read.

    Raises:
        NotFound: a file does not exist.
        InvalidInput: a file holds no objects of a cluster that are read, or two files disagree about one object.
    """
    known = facts(catalog)
    uniting = Uniting(known)
    for path in paths:
        text = read_file(path, shown=str(path), most=MAX_BYTES)
        _File(str(path), Trimmer(len(text)), known, uniting).take(parse(text, str(path)))
    return uniting.snapshot()


class _File:
    """One file that is read."""

    def __init__(self, file: str, trimmer: Trimmer, known: Mapping[str, Fact], uniting: Uniting) -> None:
        self.file = file
        self.trimmer = trimmer
        self.uniting = uniting
        self.known = known
        self.kinds = {(fact.group, fact.kind): fact for fact in known.values()}
        self.found: list[str] = []

    def take(self, documents: Iterator[Any]) -> None:
        """Keep every object that is read, and refuse a file that holds none."""
        read_any = False
        for document in documents:
            if document is not None:
                read_any |= self._document(document)
        if not read_any:
            holds = f": it holds {listed(dict.fromkeys(self.found))}" if self.found else ""
            names = listed(fact.resource for fact in self.kinds.values())
            raise InvalidInput(
                "AICR-Q003",
                f"nothing in {shown(self.file)} is read from a cluster{holds}",
                location=Location(file=self.file),
                fix=f"save some of {names} with: kubectl get RESOURCE -o json",
            )
        self.uniting.source(self.file)

    def _document(self, data: Any) -> bool:
        if not isinstance(data, dict) or not isinstance(data.get("kind"), str) or not isinstance(data.get("apiVersion"), str):
            message = "not a list of cluster objects: it has no apiVersion and kind"
            fix = "save it with: kubectl get RESOURCE -o json"
            raise InvalidInput("AICR-Q002", message, location=Location(file=self.file), fix=fix)
        if data["kind"] == KIND:
            read_snapshot(data, self.file, self.trimmer, self.known, self.uniting)
            return True
        items = data.get("items")
        if not data["kind"].endswith("List") or not isinstance(items, list):
            return self._object(data)
        typed = self.kinds.get((_group(data["apiVersion"]), data["kind"].removesuffix("List")))
        if typed is not None and typed.namespace is None:
            self.uniting.read(typed)
        kept = [self._item(item, data, typed) for item in items]
        # What `kubectl get` finds nothing of, it prints as an empty List.
        return any(kept) or typed is not None or not items

    def _item(self, item: Any, parent: JsonObject, typed: Fact | None) -> bool:
        """An item of a list. In a list of one kind, as the API server answers, items need not repeat it."""
        if not isinstance(item, dict):
            raise InvalidInput(
                "AICR-Q002",
                "not a list of cluster objects: an item is no object",
                location=Location(file=self.file),
                fix="save it anew",
            )
        if typed is not None and "kind" not in item:
            return self._object({"apiVersion": parent["apiVersion"], "kind": typed.kind, **item})
        return self._object(item)

    def _object(self, data: JsonObject) -> bool:
        kind, version = data.get("kind"), data.get("apiVersion")
        fact = self.kinds.get((_group(version), kind)) if isinstance(kind, str) and isinstance(version, str) else None
        self.found.append(str(kind))
        if fact is None:
            return False
        try:
            kept = self.trimmer.trim(data, fact)
        except TrimmingError as error:
            raise InvalidInput(
                "AICR-Q002", f"not a list of cluster objects: {error}", location=Location(file=self.file), fix="save it anew"
            ) from None
        return self.uniting.add(fact, kept, self.file)


def _group(api_version: str) -> str:
    return api_version.rpartition("/")[0]
