"""What became of one cluster, and of the whole fleet."""

from __future__ import annotations

from collections import Counter
from dataclasses import field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from bundler.dataclass import dataclass
from bundler.exitcodes import ExitCode
from bundler.model.finding import Place
from bundler.model.location import Location

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bundler.model.finding import Finding

__all__ = ["Outcome", "Status", "counted", "exit_code", "told"]

_NAMED = 3
_NOWHERE = Location(file="")


class Status(StrEnum):
    """How a cluster ended."""

    WRITTEN = "written"
    UNCHANGED = "unchanged"
    CURRENT = "current"
    DRIFTED = "drifted"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one cluster.

    Attributes:
        name: of the cluster.
        output: POSIX path of its bundle relative to the fleet's root.
        status: how it ended.
        note: what was done or found, as a phrase.
        exit_code: what a run for this cluster alone would end with.
        location: where the cluster is written.
        findings: what was said about it.
    """

    name: str
    output: str
    status: Status
    note: str = ""
    exit_code: int = ExitCode.OK
    location: Location
    findings: tuple[Finding, ...] = field(default=(), repr=False)


def exit_code(outcomes: Iterable[Outcome]) -> int:
    """The gravest of the clusters' exit codes: the exit codes rise with what they mean."""
    return max((outcome.exit_code for outcome in outcomes), default=ExitCode.OK)


def told(outcomes: Iterable[Outcome]) -> tuple[Finding, ...]:
    """Every finding once, with the first clusters that it is about and the number of the others."""
    about: dict[Finding, list[Outcome]] = {}
    for outcome in outcomes:
        for finding in dict.fromkeys(outcome.findings):
            about.setdefault(finding, []).append(outcome)
    return tuple(
        replace(finding, related=(*finding.related, *_clusters(concerned, finding.location)))
        for finding, concerned in about.items()
    )


def counted(outcomes: Iterable[Outcome]) -> str:
    """How many clusters ended in which way, such as `198 current, 2 drifted`."""
    numbers = Counter(outcome.status for outcome in outcomes)
    return ", ".join(f"{numbers[status]:,} {status}" for status in Status if numbers[status]) or "no clusters"


def _clusters(concerned: list[Outcome], said: Location | None) -> Iterable[Place]:
    """The clusters that a finding is about, each with its place where that is not said already."""
    for outcome in concerned[:_NAMED]:
        yield Place(location=_NOWHERE if outcome.location == said else outcome.location, subject=f"cluster {outcome.name}")
    if (more := len(concerned) - _NAMED) > 0:
        yield Place(location=_NOWHERE, subject=f"{more:,} more")
