"""Tables: plain aligned columns, unless whoever shows them has a way of drawing of its own."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING
from unicodedata import combining, east_asian_width

from bundler.report.printable import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Draw = Callable[[Sequence[str], Sequence[Sequence[str]]], str]

__all__ = ["drawn", "table"]

_GAP = "  "


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows below an upper-case header. Plain, each column is as wide as its widest cell, the last one not padded.

    Returns:
        Lines that end with a newline; without rows only the header.
    """
    return _DRAW.get()([name.upper() for name in header], [[printable(cell) or "-" for cell in row] for row in rows])


@contextmanager
def drawn(draw: Draw) -> Iterator[None]:
    """Draw tables in another way while this is open.

    Args:
        draw: makes the lines of a header and of rows of printable cells.
    """
    token = _DRAW.set(draw)
    try:
        yield
    finally:
        _DRAW.reset(token)


def _plain(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, *rows]
    widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
    return "".join(_line(line, widths) + "\n" for line in lines)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [cell + " " * (width - _width(cell)) for cell, width in zip(cells, widths, strict=True)]
    return _GAP.join(padded).rstrip()


def _width(text: str) -> int:
    """How many terminal columns the text takes: wide East Asian characters take two, combining marks none."""
    return sum(0 if combining(character) else 2 if east_asian_width(character) in "WF" else 1 for character in text)


_DRAW: ContextVar[Draw] = ContextVar("_DRAW", default=_plain)
"""How the tables of this run are drawn. A report says what is in a table; what shows it knows how wide it may be."""
