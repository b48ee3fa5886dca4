"""Which template line wrote each rendered line.

Before a template is compiled, each of its lines is given a marker that names it; the markers travel through loops and includes and
are taken off the rendered text, which is then exactly what it would have been. Markers are made of control characters, which
cannot come from a template, whose layout check refuses them, nor from a value, since JSON escapes them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bundler.dataclass import dataclass
from bundler.model.location import Location

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bundler.render.layout import Token

__all__ = ["VALUE", "Rendered", "marked"]

_LINE = "\x1e"
VALUE = "\x1f"
"""Stands before the text of each output expression."""
_MARKER = re.compile(f"{_LINE}[^{_LINE}]*{_LINE}[0-9]+{_LINE}|{VALUE}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """Rendered text without its markers.

    Attributes:
        origins: each line of the text that a template line wrote, with its markers, which are read when they are asked for.
        file_of: the file of a template by its name.
    """

    text: str
    origins: tuple[str, ...]
    file_of: Callable[[str], str]

    @classmethod
    def of(cls, text: str, file_of: Callable[[str], str]) -> Rendered:
        """Take the markers off a rendered text."""
        return cls(text=_MARKER.sub("", text), origins=tuple(filter(None, text.split("\n"))), file_of=file_of)

    def locate(self, location: Location) -> Location:
        """The template location of a location in the text.

        Up to its output expression a rendered line is the template's line, column by column; all of an expression's text stands for
        the expression.
        """
        _, template, line, written = self.origins[min(max(location.line, 1), len(self.origins)) - 1].split(_LINE, 3)
        value = written.find(VALUE) + 1
        column = min(location.column, value) if value else location.column
        return Location(file=self.file_of(template), line=int(line), column=column)


def marked(tokens: Iterable[Token], template: str) -> Iterator[Token]:
    """The tokens of a template with a marker before each line of its text."""
    fresh = True
    for line, kind, text in tokens:
        if kind == "data":
            yield line, kind, _marked(text, line, template, fresh=fresh)
            fresh = text.endswith("\n")
        else:
            fresh = fresh and kind != "variable_begin"
            yield line, kind, text


def _marked(text: str, line: int, template: str, *, fresh: bool) -> str:
    """Mark the lines that begin in `text`; the last piece, when empty, begins in the next token."""
    pieces = text.split("\n")
    first = 0 if fresh else 1
    last = len(pieces) if pieces[-1] else len(pieces) - 1
    for index in range(first, last):
        pieces[index] = f"{_LINE}{template}{_LINE}{line + index}{_LINE}{pieces[index]}"
    return "\n".join(pieces)
