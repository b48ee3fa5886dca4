"""One authored YAML document as plain data that remembers where each value was written."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from bundler.dataclass import dataclass
from bundler.model.location import Location
from bundler.model.pointer import parent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bundler.model.finding import Finding

__all__ = ["Document", "JsonObject"]

JsonObject = dict[str, Any]
"""Plain parsed data: maps with string keys, lists, strings, integers, finite floats, booleans, None. Never mutated once read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A parsed file.

    Attributes:
        file: the path that messages show.
        data: plain data.
        positions: JSON pointer of each value → where its key (in a map) or its first character (in a list) stands.
        digest: `sha256:<hex>` of the bytes read.
        notes: what was accepted and should still be said, such as Windows line ends.
    """

    file: str
    data: Any
    positions: Mapping[str, Location] = field(repr=False)
    digest: str = ""
    notes: tuple[Finding, ...] = ()

    @property
    def kind(self) -> str:
        """The document's `kind`, or the empty string."""
        return str(self.data.get("kind", "")) if isinstance(self.data, dict) else ""

    @property
    def name(self) -> str:
        """The document's `metadata.name`, or the empty string."""
        metadata = self.data.get("metadata") if isinstance(self.data, dict) else None
        return str(metadata.get("name", "")) if isinstance(metadata, dict) else ""

    def locate(self, pointer: str) -> Location:
        """Where `pointer`, or its nearest ancestor that was written, stands."""
        while (place := self.positions.get(pointer)) is None and pointer:
            pointer = parent(pointer)
        return place or Location(file=self.file, line=1, column=1)
