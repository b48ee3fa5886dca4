"""Small pieces of Markdown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["code", "listed", "table"]


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """The lines of a table."""
    yield _row(head)
    yield _row(("---",) * len(head))
    yield from map(_row, rows)


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(' '.join(cell.split()).replace('|', chr(92) + '|') for cell in cells)} |"


def code(value: Any) -> str:
    """A value as it would be written in a file or on the command line."""
    return f"`{value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}`"


def listed(values: Iterable[Any]) -> str:
    """Values one after the other."""
    return ", ".join(map(code, values))
