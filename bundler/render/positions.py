"""Where each value of a rendered object was written, in its template or in a patch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from bundler.model.location import Location

if TYPE_CHECKING:
    from bundler.render.origin import Rendered

__all__ = ["TemplatePositions"]


class TemplatePositions(Mapping[str, Location]):
    """The positions of a rendered document, translated to its templates when they are asked for."""

    __slots__ = ("_rendered", "_written")

    def __init__(self, written: Mapping[str, Location], rendered: Rendered) -> None:
        """Keep both sides.

        Args:
            written: JSON pointer → location in the rendered text.
            rendered: the text.
        """
        self._written = written
        self._rendered = rendered

    def __getitem__(self, pointer: str) -> Location:
        return self._rendered.locate(self._written[pointer])

    def __iter__(self) -> Iterator[str]:
        return iter(self._written)

    def __len__(self) -> int:
        return len(self._written)
