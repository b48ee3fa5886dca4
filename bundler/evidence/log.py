"""The log of a job: which transports it shows, by which processes, and what it measured.

A line is read wherever it stands: behind the prefix of a launcher, of `kubectl logs --prefix` or of a time.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import field
from typing import TYPE_CHECKING

from bundler.dataclass import dataclass
from bundler.evidence.bandwidth import Table, TableReader
from bundler.evidence.transports import Shows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bundler.evidence.transports import Sign, Transports

__all__ = ["Log", "Process", "Seen", "read_log"]

_LONGEST = 4096
_PREFIX = re.compile(r"([\w.-]+):(\d+):\d+ \[-?\d+\] NCCL ")
_NODES = re.compile(r"\bnRanks (\d+) nNodes (\d+)\b")
_VERSION = re.compile(r"NCCL version (\d+\.\d+\.\d+\S*)")

Process = tuple[str, str]
"""Host and process id; both empty for a line without NCCL's prefix."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A sign that a log shows.

    Attributes:
        line: number of the first line.
        text: that line, from the sign on.
        meaning: what it means, of a failure or degradation.
        times: how many lines show it.
        processes: which processes wrote them.
    """

    sign: Sign
    line: int
    text: str
    meaning: str = ""
    times: int = 1
    processes: frozenset[Process] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """What one log says.

    Attributes:
        name: of the file, for messages.
        lines: how many lines it has.
        informs: whether NCCL wrote at INFO, where alone it names its network.
        nccl: whether NCCL wrote at all.
        version: of NCCL, or the empty string.
        seen: every sign, in the order of the log.
        nodes: over how many nodes NCCL's ranks are, or None where the log does not say.
        ranks: how many ranks there are, or None.
    """

    name: str
    lines: int
    informs: bool = False
    nccl: bool = False
    version: str = ""
    seen: tuple[Seen, ...] = ()
    nodes: int | None = None
    ranks: int | None = None
    table: Table | None = field(default=None, repr=False)

    def of(self, transport: str, shows: Shows) -> tuple[Seen, ...]:
        """The signs of a transport that show this."""
        return tuple(seen for seen in self.seen if seen.sign.transport == transport and seen.sign.shows is shows)

    def users(self) -> Mapping[str, frozenset[Process]]:
        """Transport → the processes that used it, in the order of the log."""
        found: dict[str, frozenset[Process]] = {}
        for seen in self.seen:
            if seen.sign.shows is Shows.USE:
                found[seen.sign.transport] = found.get(seen.sign.transport, frozenset()) | seen.processes
        return found


def read_log(lines: Iterable[str], name: str, transports: Transports) -> Log:
    """Read a log. Lines are taken one by one, so that its length does not matter.

    Args:
        lines: of the log, with or without line ends.
        name: for messages.
        transports: what is looked for.
    """
    found: dict[Sign, Seen] = {}
    times: Counter[Sign] = Counter()
    writers: dict[Sign, set[Process]] = {}
    reader = TableReader()
    number, informs, nccl, version = 0, False, False, ""
    nodes: set[int] = set()
    ranks: set[int] = set()
    for number, whole in enumerate(lines, start=1):
        line = whole[:_LONGEST].rstrip("\r\n")
        reader.read(line, number)
        if "NCCL" in line:
            nccl = True
            informs = informs or "NCCL INFO" in line
            version = version or (match[1] if (match := _VERSION.search(line)) else "")
        if match := _NODES.search(line):
            ranks.add(int(match[1]))
            nodes.add(int(match[2]))
        for sign, matched in transports.read(line):
            times[sign] += 1
            prefix = _PREFIX.search(line)
            writers.setdefault(sign, set()).add((prefix[1], prefix[2]) if prefix else ("", ""))
            if sign not in found:
                meaning = sign.meaning(matched) if sign.says else ""
                found[sign] = Seen(sign=sign, line=number, text=matched[0], meaning=meaning)
    table = reader.table()
    hosts = table.hosts if table else {}
    return Log(
        name=name,
        lines=number,
        informs=informs,
        nccl=nccl,
        version=version,
        seen=tuple(
            Seen(
                sign=sign,
                line=seen.line,
                text=seen.text,
                meaning=seen.meaning,
                times=times[sign],
                processes=frozenset(writers[sign]),
            )
            for sign, seen in found.items()
        ),
        nodes=max(nodes) if nodes else len(set(hosts.values())) or None,
        ranks=max(ranks) if ranks else len(hosts) or None,
        table=table,
    )
