"""Machine tables: which facts a row may state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.catalog.store import nearest
from bundler.catalog.uniting import entries
from bundler.model.finding import Finding
from bundler.model.pointer import child

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bundler.model.document import Document, JsonObject

__all__ = ["undeclared_facts"]


def undeclared_facts(documents: Sequence[Document], schema: JsonObject) -> Iterator[Finding]:
    """Facts that neither the schema describes nor a table under `facts`: each is a typo, or nobody knows what it means.

    Args:
        documents: the tables of one name, the packaged one first.
        schema: `schemas/machinetable.json`.
    """
    declared = {name for document in documents for name in document.data.get("facts", {})}
    known = {*schema["$defs"]["machine"]["properties"], *declared}
    for document in documents:
        for name, (pointer, row) in entries(document, "machines").items():
            for fact in sorted(row.keys() - known):
                at = child(pointer, fact)
                yield Finding(
                    rule="AICR-S023",
                    message=f"machine {name!r} states {fact!r}, which is no described fact",
                    location=document.locate(at),
                    pointer=at,
                    fix=f"{nearest(fact, known)}; or describe it under facts",
                )
