"""Checks by their outcome: what failed is an error, what was not seen a warning, an advice a note."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.model.check import Check, Outcome
from bundler.model.finding import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bundler.model.check import Phase
    from bundler.model.snapshot import Snapshot

__all__ = ["failed", "passed", "skipped", "unproven", "unread"]


def passed(phase: Phase, name: str, says: str, looked: Sequence[str] = (), unseen: Sequence[str] = ()) -> Check:
    """Seen to be right."""
    return Check(phase=phase, name=name, outcome=Outcome.PASSED, says=says, looked=tuple(looked), unseen=tuple(unseen))


def skipped(phase: Phase, name: str, says: str, looked: Sequence[str] = ()) -> Check:
    """Does not apply."""
    return Check(phase=phase, name=name, outcome=Outcome.SKIPPED, says=says, looked=tuple(looked))


def failed(phase: Phase, name: str, findings: Iterable[Finding], looked: Sequence[str] = ()) -> Check:
    """Seen to be wrong, in one way or several."""
    every = tuple(findings)
    says = every[0].message + (f", and {len(every) - 1} more" if len(every) > 1 else "")
    return Check(phase=phase, name=name, outcome=Outcome.FAILED, says=says, looked=tuple(looked), findings=every)


def unproven(phase: Phase, name: str, says: str, *, fix: str, subject: str = "", looked: Sequence[str] = ()) -> Check:
    """Not seen."""
    finding = Finding(rule="AICR-V010", message=f"{name}: {says}", severity=Severity.WARNING, subject=subject, fix=fix)
    return Check(
        phase=phase,
        name=name,
        outcome=Outcome.UNPROVEN,
        says=says,
        looked=tuple(looked),
        unseen=(f"{name}: {says}",),
        findings=(finding,),
    )


def unread(phase: Phase, name: str, snapshot: Snapshot, *resources: str) -> Check | None:
    """The check as not proved, when a resource that it needs was not read; else None."""
    for resource in resources:
        if gap := snapshot.gap(resource):
            why = f"{gap.reason}: {gap.message}" if gap.message else str(gap.reason)
            return unproven(phase, name, f"{resource} were not read ({why})", fix=f"add them to the snapshot: {resource}")
    return None
