"""The catalogue's lock as `--locked` and `aicr lock --check` read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.bom.catalogue import PATH
from bundler.bom.lock_check import corruption, unlocked
from bundler.catalog.files import read_file
from bundler.errors import InvalidInput
from bundler.yamlio.reader import read

if TYPE_CHECKING:
    from pathlib import Path

    from bundler.catalog.catalog import Catalog
    from bundler.model.bundle import Bundle
    from bundler.model.document import Document, JsonObject

__all__ = ["read_lock", "require_locked"]


def read_lock(path: Path) -> Document:
    """The lock at `path`.

    Raises:
        NotFound: there is none.
        InvalidInput: it is not as `aicr lock` wrote it.
    """
    document = read(read_file(path, shown=str(path)), str(path))
    if finding := corruption(document):
        raise InvalidInput.of([finding])
    return document


def require_locked(bundle: Bundle, catalog: Catalog) -> None:
    """Refuse a bundle that is made from, or pulls, anything that is not in the catalogue's lock.

    Raises:
        NotFound: the catalogue has no lock.
        InvalidInput: something is not locked.
    """
    if findings := [*unlocked(bundle.lock, catalog.derived(_lock))]:
        raise InvalidInput.of(findings)


def _lock(catalog: Catalog) -> JsonObject:
    root = catalog.data or catalog.sources[0].root
    locked: JsonObject = read_lock(root / PATH).data
    return locked
