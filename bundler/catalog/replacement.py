"""What a `--data` directory replaces: nothing is replaced in silence, and no profile is hidden."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bundler.catalog.uniting import entries, united
from bundler.errors import InvalidInput
from bundler.model.finding import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.catalog.store import Store
    from bundler.model.document import Document
    from bundler.model.location import Location

__all__ = ["replacements"]

_RECIPE = re.compile(r"recipes/(?!base\.|registry\.)[^/]+\.yaml")


def replacements(store: Store, overlays: dict[str, tuple[Document, ...]]) -> Iterator[Finding]:
    """One note for each authored thing that the `--data` directory replaces.

    Args:
        store: a store of two sources.
        overlays: overlay name → its documents, the packaged one first.

    Raises:
        InvalidInput: a recipe replaces a packaged one and drops a profile that it declares.
    """
    packaged, extra = store.sources
    for path in extra.paths:
        # A lock is of one directory's data with what lies below it, and hides nothing of another's.
        if path not in packaged.paths or path.startswith("overlays/") or path == "bom/lock.yaml":
            continue
        if how := united(path):
            kind, key = how
            before, after = store.every(path, kind=kind)
            yield from _entries(path, before, after, key)
            continue
        if _RECIPE.fullmatch(path):
            _refuse_lost_profiles(*store.every(path, kind="Recipe"))
        yield _replaced(path, extra.location(path))
    for name, documents in overlays.items():
        if len(documents) > 1:
            yield _replaced(f"overlay {name}", documents[-1].locate("/metadata/name"))


def _entries(path: str, before: Document, after: Document, key: str) -> Iterator[Finding]:
    known = entries(before, key)
    for name, (pointer, _) in entries(after, key).items():
        if name in known:
            yield _replaced(f"entry {name} of {path}", after.locate(pointer))


def _refuse_lost_profiles(before: Document, after: Document) -> None:
    lost = sorted(set(before.data.get("profiles", {})) - set(after.data.get("profiles", {})))
    if lost:
        message = f"recipe replaces a packaged one and no longer declares the profile {', '.join(lost)}"
        fix = "declare the same profiles, or give the recipe another name"
        raise InvalidInput("AICR-S020", message, location=after.locate("/profiles"), pointer="/profiles", fix=fix)


def _replaced(what: str, location: Location) -> Finding:
    fix = "give it another name to add instead of replacing"
    return Finding(rule="AICR-S021", message=f"replaces the packaged {what}", severity=Severity.NOTE, location=location, fix=fix)
