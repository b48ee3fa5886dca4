"""What was measured against its budget, as a Markdown table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Line", "table"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One budget.

    Attributes:
        figure: what was measured, in the budget's unit.
        limit: the budget; None when the figure is only told.
        at_least: whether the budget is a floor.
    """

    work: str
    measured: str
    figure: float
    limit: float | None = None
    at_least: bool = False

    @property
    def kept(self) -> bool:
        """Whether the budget is kept."""
        return self.limit is None or (self.figure >= self.limit if self.at_least else self.figure <= self.limit)


def table(lines: Iterable[Line]) -> str:
    """The table, one row a line."""
    rows = ["| work | measured | figure | budget | kept |", "| --- | --- | --- | --- | --- |"]
    for line in lines:
        budget = "" if line.limit is None else f"{'≥' if line.at_least else '≤'} {line.limit:g}"
        kept = "" if line.limit is None else "yes" if line.kept else "**no**"
        rows.append(f"| {line.work} | {line.measured} | {line.figure:.2f} | {budget} | {kept} |")
    return "\n".join(rows)
