"""Documents of one kind and name from two data directories as one: entries are added, or replaced by their name.

A later document hides no entry that it does not name, and every entry keeps the place where it was written.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bundler.model.pointer import join

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bundler.model.document import Document

__all__ = ["entries", "unite", "united"]

_UNITED: Mapping[str, tuple[str, str]] = {
    r"recipes/registry\.yaml": ("Registry", "components"),
    r"recipes/profiles/[^/]+\.yaml": ("Profile", "values"),
    r"bom/images\.yaml": ("ImageTable", "images"),
    r"bom/image-fields\.yaml": ("ImageFields", "fields"),
    r"bom/transports\.yaml": ("TransportTable", "transports"),
    r"bom/machines/[^/]+\.yaml": ("MachineTable", "machines"),
    r"manifests/validators/contract\.yaml": ("Contract", "lines"),
    r"manifests/changes\.yaml": ("ChangeTable", "lines"),
    r"manifests/certification/contract(?:-[a-z0-9-]+)?\.yaml": ("Contract", "lines"),
}


def united(path: str) -> tuple[str, str] | None:
    """The kind of a file whose entries are united, and the list or map that holds them; None for a file that is replaced whole."""
    return next((kind_and_key for pattern, kind_and_key in _UNITED.items() if re.fullmatch(pattern, path)), None)


def entries(document: Document, key: str) -> dict[str, tuple[str, Any]]:
    """The entries of a document: name, or path where entries have one instead → pointer and entry."""
    held = document.data[key]
    if isinstance(held, dict):
        return {name: (join((key, name)), entry) for name, entry in held.items()}
    return {entry.get("name", entry.get("path")): (join((key, index)), entry) for index, entry in enumerate(held)}


def unite(documents: Sequence[Document], key: str) -> Document:
    """One document with the entries of all; everything else is the last document's.

    Args:
        documents: of one kind and name, at least one, the packaged one first.
        key: the list or map that holds their entries.
    """
    last = documents[-1]
    if len(documents) == 1:
        return last
    every = {name: (document, *found) for document in documents for name, found in entries(document, key).items()}
    named = isinstance(last.data[key], dict)
    positions = {pointer: place for pointer, place in last.positions.items() if not pointer.startswith(f"/{key}/")}
    for index, (name, (document, source, _)) in enumerate(every.items()):
        target = join((key, name if named else index))
        for pointer, place in document.positions.items():
            if pointer == source or pointer.startswith(f"{source}/"):
                positions[target + pointer.removeprefix(source)] = place
    held = {name: entry for name, (_, _, entry) in every.items()}
    return replace(last, data={**last.data, key: held if named else list(held.values())}, positions=positions)
