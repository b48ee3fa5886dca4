"""The result table of nccl-tests.

Source: NVIDIA/nccl-tests src/common.cu: twelve or thirteen columns, of which the last eight are time, algbw, busbw, #wrong,
first out of place, then in place; `#wrong` was `error` before. `# Avg bus bandwidth` and `# Out of bounds values` end the run.
"""

from __future__ import annotations

import re
from dataclasses import field
from typing import TYPE_CHECKING

from bundler.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Measured", "Row", "Table", "TableReader"]

_NUMBER = r"(?:-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|N/A)"
_HALF = rf"({_NUMBER})\s+({_NUMBER})\s+({_NUMBER})\s+({_NUMBER})"
_TYPES = r"(?:u?int(?:8|32|64)|half|float|double|bfloat16|f8e4m3|f8e5m2|fp8_e4m3|fp8_e5m2)"
_ROW = re.compile(rf"(?:^|\s|:|>)(\d+)\s+(\d+)\s+{_TYPES}(?:\s+[a-z][a-z0-9]*)?(?:\s+-?\d+)?\s+{_HALF}\s+{_HALF}\s*$")
_LARGEST = re.compile(r"# nThread \d+ nGpus \d+ minBytes \d+ maxBytes (\d+)")
_RANK = re.compile(r"#\s+Rank\s+(\d+)\b.*?\bon\s+(\S+)\s+device")
_AVERAGE = re.compile(r"# Avg bus bandwidth\s*:\s*(\d+(?:\.\d+)?)")
_OUT_OF_BOUNDS = re.compile(r"# Out of bounds values\s*:\s*(\d+)\s+(OK|FAILED)")
_COLLECTIVE = re.compile(r"# Collective test (?:starting|concluded): (\w+?)_perf\b|\b(\w+?)_perf(?:_mpi)?\s+-")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One of the two measurements of a row, in GB/s; None for what was not measured.

    Attributes:
        wrong: how many values were wrong, or None where they were not checked.
    """

    algbw: float | None
    busbw: float | None
    wrong: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The measurements at one message size, in bytes."""

    size: int
    line: int
    out_of_place: Measured
    in_place: Measured


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """What one run printed.

    Attributes:
        rows: in the order of the log.
        largest: the message size that the run was asked to reach, or None where the log does not say.
        average: the average bus bandwidth over all sizes, which ends a run; None where the log ends before.
        collective: such as `all-reduce`, or the empty string where the log does not say.
        hosts: rank → host, as the head of the table lists them.
        out_of_bounds: how many wrong values the run counted, or None.
    """

    rows: tuple[Row, ...]
    largest: int | None = None
    average: float | None = None
    collective: str = ""
    hosts: Mapping[int, str] = field(default_factory=dict)
    out_of_bounds: int | None = None

    @property
    def top(self) -> Row:
        """The row of the largest message."""
        return max(self.rows, key=lambda row: row.size)

    @property
    def complete(self) -> bool:
        """Whether the run came to its end: the average stands there, or the row of the largest message."""
        return self.average is not None or (self.largest is not None and self.top.size * 2 > self.largest)

    @property
    def wrong(self) -> int:
        """How many wrong values were counted."""
        counted = sum(side.wrong or 0 for row in self.rows for side in (row.out_of_place, row.in_place))
        return max(counted, self.out_of_bounds or 0)


@dataclass(slots=True, kw_only=True)
class TableReader:
    """Reads a table line by line."""

    rows: list[Row] = field(default_factory=list)
    largest: int | None = None
    average: float | None = None
    collective: str = ""
    hosts: dict[int, str] = field(default_factory=dict)
    out_of_bounds: int | None = None

    def read(self, text: str, number: int) -> None:
        """Take in one line of a log, whatever a tool put before it."""
        if "#" in text:
            self._head(text)
        if not self.collective and "_perf" in text and (match := _COLLECTIVE.search(text)):
            self.collective = (match[1] or match[2]).rpartition("/")[2].replace("_", "-")
        if match := _ROW.search(text):
            halves = _measured(*match.groups()[2:6]), _measured(*match.groups()[6:10])
            self.rows.append(Row(size=int(match[1]), line=number, out_of_place=halves[0], in_place=halves[1]))

    def table(self) -> Table | None:
        """What was read; None when there was no measurement."""
        if not self.rows and self.average is None:
            return None
        return Table(
            rows=tuple(self.rows),
            largest=self.largest,
            average=self.average,
            collective=self.collective,
            hosts=dict(self.hosts),
            out_of_bounds=self.out_of_bounds,
        )

    def _head(self, text: str) -> None:
        if match := _RANK.search(text):
            self.hosts[int(match[1])] = match[2]
        elif match := _LARGEST.search(text):
            self.largest = int(match[1])
        elif match := _AVERAGE.search(text):
            self.average = float(match[1])
        elif match := _OUT_OF_BOUNDS.search(text):
            self.out_of_bounds = int(match[1])


def _measured(_time: str, algbw: str, busbw: str, wrong: str) -> Measured:
    return Measured(algbw=_number(algbw), busbw=_number(busbw), wrong=int(wrong) if wrong.isdigit() else None)


def _number(text: str) -> float | None:
    return None if text == "N/A" else float(text)
