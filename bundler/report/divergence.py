"""What was compared by the divergence guard, for a person and as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.guard.side import Role
from bundler.report.table import table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bundler.guard.guard import Verdict
    from bundler.model.document import JsonObject
    from bundler.model.finding import Finding

__all__ = ["comparisons_data", "comparisons_table"]


def comparisons_table(compared: Iterable[tuple[str, Verdict]]) -> str:
    """One row for each comparison: of what, what came of it, and for what."""
    rows = [
        (
            verdict.pair.runtime.name,
            verdict.pair.fixture.name,
            str(verdict.compared),
            "diverges" if verdict.diverges else f"{verdict.unknown} unknown" if verdict.unknown else "equal",
            label,
        )
        for label, verdict in compared
    ]
    return table(("runtime", "fixture", "fields", "result", "for"), rows) if rows else ""


def comparisons_data(compared: Iterable[tuple[str, Verdict]], rest: Iterable[Finding]) -> JsonObject:
    """Every comparison with its findings, and what else was found."""
    return {
        "comparisons": [
            {
                "for": label,
                **{str(role): _side(verdict, role) for role in Role},
                "fields": verdict.compared,
                "unknown": verdict.unknown,
                "diverges": verdict.diverges,
                "findings": [_finding(finding) for finding in verdict.findings],
            }
            for label, verdict in compared
        ],
        "findings": [_finding(finding) for finding in rest],
    }


def _side(verdict: Verdict, role: Role) -> JsonObject:
    resource = verdict.pair.runtime if role is Role.RUNTIME else verdict.pair.fixture
    return {"name": resource.name, "file": resource.template, "projection": verdict.digests[role]}


def _finding(finding: Finding) -> JsonObject:
    places = [(finding.location, finding.pointer, finding.subject)]
    places += [(place.location, place.pointer, place.subject) for place in finding.related]
    keys = ("location", "pointer", "object")
    return {
        "rule": finding.rule,
        "severity": str(finding.severity),
        "message": finding.message,
        "fix": finding.fix,
        "places": [dict(zip(keys, (str(at or ""), pointer, subject), strict=True)) for at, pointer, subject in places],
    }
