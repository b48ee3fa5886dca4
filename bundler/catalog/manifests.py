"""Kubernetes objects from a file of the user's, with the place of every value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.catalog.files import read_file
from bundler.kube.resource import Resource
from bundler.yamlio.reader import read_stream

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["read_objects"]


def read_objects(path: Path) -> tuple[Resource, ...]:
    """The objects in a file; a document that is no object is left out.

    Raises:
        NotFound: there is no such file.
        InvalidInput: it is not YAML that every reader takes alike.
    """
    documents = read_stream(read_file(path, shown=str(path)), str(path))
    return tuple(
        Resource(data=document.data, template=document.file, positions=document.positions, owner="")
        for document in documents
        if document.kind and isinstance(document.data.get("metadata"), dict)
    )
