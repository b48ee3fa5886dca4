"""Plain aligned columns for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import combining, east_asian_width

from bundler.report.printable import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["table"]

_GAP = "  "


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows below an upper-case header, each column as wide as its widest cell, the last one not padded.

    Returns:
        Lines that end with a newline; without rows only the header.
    """
    lines = [[name.upper() for name in header], *([printable(cell) or "-" for cell in row] for row in rows)]
    widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
    return "".join(_line(line, widths) + "\n" for line in lines)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [cell + " " * (width - _width(cell)) for cell, width in zip(cells, widths, strict=True)]
    return _GAP.join(padded).rstrip()


def _width(text: str) -> int:
    """How many terminal columns the text takes: wide East Asian characters take two, combining marks none."""
    return sum(0 if combining(character) else 2 if east_asian_width(character) in "WF" else 1 for character in text)
