"""Tables as a terminal shows them best: as wide as it is, the head set off, long cells folded and never cut."""

from __future__ import annotations

import os
from io import StringIO
from typing import TYPE_CHECKING

from bundler.report.table import drawn

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

__all__ = ["drawn_for_a_terminal"]

_GAP = 3
_LEAST = 6
"""Characters of the narrowest column."""


def drawn_for_a_terminal() -> AbstractContextManager[None]:
    """While it is open, every table is drawn for the terminal that stdout is."""
    return drawn(_table)


def _widths(wanted: Sequence[int], total: int) -> list[int]:
    """A width for each column: what it wants where all fit, else the first half at most and the others a fair share of the rest.

    A terminal too narrow for any table gets one that it breaks, since what is cut would be lost.
    """
    widths, left = [0] * len(wanted), max(total, _LEAST * len(wanted))
    if sum(wanted) <= left:
        return list(wanted)
    # The first column names what a row is about: it is folded last.
    widths[0] = min(wanted[0], max(_LEAST, left // 2)) if len(wanted) > 1 else left
    left -= widths[0]
    narrow_first = sorted(range(1, len(wanted)), key=wanted.__getitem__)
    for done, column in enumerate(narrow_first):
        widths[column] = min(wanted[column], left // (len(narrow_first) - done))
        left -= widths[column]
    return widths


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    from rich.box import SIMPLE_HEAD
    from rich.cells import cell_len
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    text = StringIO()
    # Wider than the terminal only where that is too narrow: rich would cut what does not fit.
    console = Console(file=text, force_terminal=True, no_color=bool(os.environ.get("NO_COLOR")))
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    wanted = [max(map(cell_len, column)) for column in zip(header, *rows, strict=True)]
    for name, width in zip(header, _widths(wanted, console.width - _GAP * (len(header) - 1)), strict=True):
        table.add_column(Text(name), overflow="fold", width=width)
    for row in rows:
        table.add_row(*map(Text, row))
    console.print(table, width=max(console.width, sum(column.width or 0 for column in table.columns) + _GAP * (len(header) - 1)))
    return "".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines())
