"""Whether a measured bandwidth reaches the floor of a fabric, and whether it is of that fabric at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.compose.wording import listed, plural
from bundler.dataclass import dataclass
from bundler.evidence.proof import rival, used
from bundler.model.check import Check, Outcome, Phase
from bundler.model.finding import Finding, Severity
from bundler.model.location import Location

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bundler.evidence.bandwidth import Measured, Table
    from bundler.evidence.log import Log
    from bundler.evidence.transports import Transport, Transports
    from bundler.model.document import JsonObject

__all__ = ["Floor", "figure", "measure", "sized"]

_NAME = "bandwidth"
_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")
_KIBI = 1024
_AGAIN = "run the fixture of the bundle: an all-reduce up to 16 GiB, over all GPUs of at least two nodes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """What a measurement must reach.

    Attributes:
        metric: `busbw` or `algbw`.
        transport: what the figure is of; None where the attachment states no transport.
    """

    metric: str
    gbps: float
    collective: str
    source: str
    transport: Transport | None

    @classmethod
    def of(cls, declared: JsonObject, transport: Transport | None) -> Floor:
        """The floor of a profile value."""
        keys = ("metric", "gbps", "collective", "source")
        return cls(**{key: declared[key] for key in keys}, transport=transport)

    def __str__(self) -> str:
        return f"{self.metric} of {_shown(self.gbps)} GB/s ({self.collective})"


def measure(logs: Sequence[Log], transports: Transports, floor: Floor | None, why: str = "the attachment states no floor") -> Check:
    """Hold what was measured against the floor.

    Args:
        logs: of one job.
        transports: all that are known.
        floor: of the chosen attachment, or None.
        why: there is none.
    """
    tables = [(log, log.table) for log in logs if log.table is not None]
    if not tables:
        return _unproven("no log has a table of nccl-tests", logs[0].name, ())
    looked = tuple(f"{log.name}: {_contents(table)}" for log, table in tables)
    for log, table in tables:
        if table.wrong:
            message = f"{plural(table.wrong, 'value')} came out wrong: what was measured did not carry the data as it was"
            finding = Finding(rule="AICR-E020", message=message, location=Location(file=log.name), fix="check the hardware")
            return Check(
                phase=Phase.PERFORMANCE,
                name=_NAME,
                outcome=Outcome.FAILED,
                says=message,
                looked=looked,
                findings=(finding,),
            )
    if floor is None:
        return _bare(tables, why, looked)
    return _held(tables, floor, logs, transports, looked)


def figure(table: Table, metric: str) -> tuple[float, str, int] | None:
    """What a run is judged by: the figure of the largest message, out of place where that was measured.

    Returns:
        The figure, what it is of, and the line that it stands in.
    """
    if not table.rows:
        return None
    for side, said in ((table.top.out_of_place, "out of place"), (table.top.in_place, "in place")):
        value = _metric(side, metric)
        if value is not None:
            return value, f"{sized(table.top.size)} {said}", table.top.line
    return None


def sized(size: int) -> str:
    """A message size as people write it, such as `16 GiB`."""
    amount, unit = float(size), 0
    while amount >= _KIBI and unit < len(_UNITS) - 1:
        amount, unit = amount / _KIBI, unit + 1
    return f"{_shown(round(amount, 1))} {_UNITS[unit]}"


def _bare(tables: Sequence[tuple[Log, Table]], why: str, looked: tuple[str, ...]) -> Check:
    """What was measured, where nothing says what it should be."""
    figures = [figure(table, "busbw") for _, table in tables]
    said = next((f"busbw {_shown(one[0])} GB/s at {one[1]}" for one in figures if one), "no row of the table is left")
    return Check(phase=Phase.PERFORMANCE, name=_NAME, outcome=Outcome.SKIPPED, says=f"{said}; {why}", looked=looked)


def _held(
    tables: Sequence[tuple[Log, Table]], floor: Floor, logs: Sequence[Log], transports: Transports, looked: tuple[str, ...]
) -> Check:
    found = [(one, log, table) for log, table in tables if (one := figure(table, floor.metric)) is not None]
    if not found:
        averages = [f"{_shown(table.average)} GB/s" for _, table in tables if table.average is not None]
        says = f"the rows of the table are missing; their average, {averages[0]}, is of all sizes and no figure of the fabric"
        return _unproven(says, tables[0][0].name, looked)
    (value, at, line), log, table = min(found, key=lambda lowest: lowest[0][0])
    said = f"{floor.metric} {_shown(value)} GB/s at {at}"
    if reason := _not_of_it(floor, log, table, logs, transports):
        return _unproven(f"{said}, and {reason}", log.name, looked)
    if value < floor.gbps:
        message = f"{said}, below the floor: {floor}"
        finding = Finding(rule="AICR-E021", message=message, location=Location(file=log.name, line=line), fix=_AGAIN)
        return Check(phase=Phase.PERFORMANCE, name=_NAME, outcome=Outcome.FAILED, says=message, looked=looked, findings=(finding,))
    says = f"{said}, not below the floor: {floor}"
    unseen = () if table.collective else (f"the log does not say which collective ran; {floor.collective} is assumed",)
    return Check(phase=Phase.PERFORMANCE, name=_NAME, outcome=Outcome.PASSED, says=says, looked=looked, unseen=unseen)


def _not_of_it(floor: Floor, log: Log, table: Table, logs: Sequence[Log], transports: Transports) -> str:
    """Why a figure says nothing about the floor; the empty string when it does."""
    if table.collective and table.collective != floor.collective:
        return f"the floor is of {floor.collective}, not of {table.collective}"
    if not table.complete:
        asked = f" of {sized(table.largest)}" if table.largest else ""
        return f"the run did not end: the table stops at {sized(table.top.size)}{asked}"
    nodes = [one.nodes for one in (log, *logs) if one.nodes is not None]
    if nodes and max(nodes) == 1:
        return "one node measured itself: nothing crossed a network"
    return _not_of_transport(floor.transport, logs, transports) if floor.transport is not None else ""


def _not_of_transport(transport: Transport, logs: Sequence[Log], transports: Transports) -> str:
    users = used(logs)
    if transport.name not in users:
        return f"nothing proves that it is of {transport.words}"
    others = [name for name in users if rival(transports.by_name[name], transport)]
    return f"part of it is of {listed(others)}" if others else ""


def _unproven(says: str, name: str, looked: tuple[str, ...]) -> Check:
    finding = Finding(rule="AICR-E022", message=says, severity=Severity.WARNING, location=Location(file=name), fix=_AGAIN)
    return Check(phase=Phase.PERFORMANCE, name=_NAME, outcome=Outcome.UNPROVEN, says=says, looked=looked, findings=(finding,))


def _contents(table: Table) -> str:
    rows = plural(len(table.rows), "row")
    sizes = f", {sized(table.rows[0].size)} to {sized(table.top.size)}" if table.rows else ""
    average = f", average {_shown(table.average)} GB/s" if table.average is not None else ", no average at its end"
    return f"{table.collective or 'a collective'}, {rows}{sizes}{average}"


def _metric(side: Measured, metric: str) -> float | None:
    return side.busbw if metric == "busbw" else side.algbw


def _shown(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
