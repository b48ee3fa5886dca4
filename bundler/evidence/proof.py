"""Whether logs prove that a transport was used. Only a line that says so proves it; its absence proves nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.compose.wording import listed, plural
from bundler.dataclass import dataclass
from bundler.evidence.transports import Carries, Shows
from bundler.model.check import Check, Outcome, Phase
from bundler.model.finding import Finding, Severity
from bundler.model.location import Location

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bundler.evidence.log import Log, Process, Seen
    from bundler.evidence.transports import Transport, Transports

__all__ = ["prove", "rival", "used"]

_AT_INFO = "run the job with NCCL_DEBUG=INFO, and keep its whole log: kubectl logs -c node --tail=-1"


def prove(logs: Sequence[Log], transports: Transports, expected: Transport | None, *, name: str = "transport") -> Check:
    """Whether the processes of one job used a transport.

    Args:
        logs: of the job's pods; what one of them shows is the job's.
        transports: all that are known.
        expected: the transport that the chosen attachment is for; None when any fabric will do.
        name: of the check.
    """
    job = _Job(logs=logs, transports=transports.by_name, expected=expected, users=used(logs))
    outcome, says, found = job.judge()
    return Check(
        phase=Phase.PERFORMANCE,
        name=name,
        outcome=outcome,
        says=says,
        looked=tuple(_looked(log) for log in logs),
        unseen=(*(f"{log.name} has no line of NCCL at INFO" for log in logs if not log.informs), *job.silent()),
        findings=(*found, *job.signs(Shows.DEGRADED, "AICR-E013", Severity.WARNING)),
    )


def used(logs: Sequence[Log]) -> Mapping[str, frozenset[Process]]:
    """Transport → the processes of one job that used it."""
    found: dict[str, frozenset[Process]] = {}
    for log in logs:
        for transport, processes in log.users().items():
            found[transport] = found.get(transport, frozenset()) | processes
    return found


def rival(transport: Transport, expected: Transport | None) -> bool:
    """Whether the use of a transport means that data went another way than it should."""
    if expected is None:
        return transport.carries is Carries.TCP
    # NVLink stands beside a network, whichever that is.
    return expected.carries is Carries.FABRIC and transport.carries is not Carries.NVLINK and transport.name != expected.name


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    """A job's logs, with what is expected of them.

    Attributes:
        users: transport → the processes that used it.
    """

    logs: Sequence[Log]
    transports: Mapping[str, Transport]
    expected: Transport | None
    users: Mapping[str, frozenset[Process]]

    def judge(self) -> tuple[Outcome, str, tuple[Finding, ...]]:
        """The outcome, what is said of it, and the findings."""
        rivals = [self.transports[name] for name in self.users if rival(self.transports[name], self.expected)]
        wanted = [self.transports[name] for name in self.users if self._wanted(self.transports[name])]
        if rivals:
            return self._led_astray(rivals[0], wanted)
        if wanted:
            said = [f"{one.words} carried the data of {_processes(self.users[one.name])}" for one in wanted]
            # A transport that nobody needs fails beside the one that is used.
            own = self.signs(Shows.FAILURE, "AICR-E014", Severity.WARNING) if self.expected else ()
            return Outcome.PASSED, listed(said), tuple(own)
        if failures := tuple(self.signs(Shows.FAILURE, "AICR-E010", Severity.ERROR)):
            return Outcome.FAILED, failures[0].message, failures
        return self._missing()

    def signs(self, shows: Shows, rule: str, severity: Severity) -> Iterator[Finding]:
        """What the logs show of the expected transport, or of any when none is."""
        for log in self.logs:
            for seen in log.seen:
                if seen.sign.shows is shows and (self.expected is None or seen.sign.transport == self.expected.name):
                    message = f"{seen.sign.transport}: {seen.meaning}"
                    fix = "see the lines around it in the log"
                    yield Finding(rule=rule, message=message, severity=severity, location=_at(log, seen), fix=fix)

    def silent(self) -> Iterator[str]:
        """The ranks that say nothing, where others do."""
        users = self.users.get(self.expected.name, frozenset()) if self.expected is not None else frozenset()
        ranks = max((log.ranks or 0 for log in self.logs), default=0)
        known = len([process for process in users if any(process)])
        if 0 < known < ranks:
            yield f"{ranks - known} of {plural(ranks, 'rank')}: the logs have no line that proves their transport"

    def _wanted(self, transport: Transport) -> bool:
        if self.expected is None:
            return transport.carries is Carries.FABRIC
        return transport.name == self.expected.name

    def _led_astray(self, other: Transport, wanted: Sequence[Transport]) -> tuple[Outcome, str, tuple[Finding, ...]]:
        """The failure of data that went another way, with the reason where the log has one."""
        says = f"{other.words} carried the data of {_processes(self.users[other.name])}"
        if wanted:
            says += f", and {wanted[0].name} that of {_processes(self.users[wanted[0].name])}"
        elif self.expected is not None:
            says += f"; {self.expected.words} was expected"
        place = next(_at(log, seen) for log in self.logs for seen in log.of(other.name, Shows.USE))
        fix = "see that the pods are wired as the runtime says: 'aicr validate --phase deployment'"
        finding = Finding(rule="AICR-E011", message=says, location=place, fix=fix)
        return Outcome.FAILED, says, (finding, *self.signs(Shows.FAILURE, "AICR-E010", Severity.ERROR))

    def _missing(self) -> tuple[Outcome, str, tuple[Finding, ...]]:
        """Why nothing is proved. That a line is absent is no sign of another transport."""
        what = self.expected.words if self.expected else "a fabric"
        if not any(log.nccl for log in self.logs):
            reason = "no line is of NCCL"
        elif not any(log.informs for log in self.logs):
            reason = "NCCL wrote no line at INFO, where alone it names its network"
        elif self.expected is not None and self.expected.carries is Carries.NVLINK:
            reason = "NCCL wrote at INFO, and no line shows its use"
        else:
            reason = "NCCL wrote at INFO, and no line names the network: the log is cut, or its NCCL_DEBUG_SUBSYS lacks INIT"
        says = f"nothing proves {what}: {reason}"
        name = self.expected.name if self.expected else ""
        if supports := [seen for log in self.logs for seen in log.of(name, Shows.SUPPORT)]:
            says += f"; {supports[0].text!r} shows that it was at hand, not that it was used"
        place = Location(file=self.logs[0].name)
        finding = Finding(rule="AICR-E012", message=says, severity=Severity.WARNING, location=place, fix=_AT_INFO)
        return Outcome.UNPROVEN, says, (finding,)


def _at(log: Log, seen: Seen) -> Location:
    return Location(file=log.name, line=seen.line)


def _processes(processes: frozenset[Process]) -> str:
    """How many processes on how many hosts."""
    known = {process for process in processes if any(process)}
    if not known:
        return "processes without a name"
    hosts = {host for host, _ in known}
    return f"{plural(len(known), 'process', 'processes')} on {plural(len(hosts), 'host')}"


def _looked(log: Log) -> str:
    version = f", NCCL {log.version}" if log.version else ""
    ranks = f", {plural(log.ranks, 'rank')} on {plural(log.nodes, 'node')}" if log.ranks and log.nodes else ""
    return f"{log.name}: {plural(log.lines, 'line')}{version}{ranks}"
