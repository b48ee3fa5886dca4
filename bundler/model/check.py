"""What one check of a cluster or of a log came to, and what it did not look at."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from bundler.dataclass import dataclass

if TYPE_CHECKING:
    from bundler.model.finding import Finding

__all__ = ["Check", "Outcome", "Phase"]


class Phase(StrEnum):
    """What a check is for: before the bundle is installed, after it, and of what was measured."""

    READINESS = "readiness"
    DEPLOYMENT = "deployment"
    PERFORMANCE = "performance"


class Outcome(StrEnum):
    """How a check ended. What was not seen is never passed."""

    PASSED = "passed"
    FAILED = "failed"
    UNPROVEN = "unproven"
    ADVISED = "advised"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One check.

    Attributes:
        name: short and stable, such as `networks-usable`.
        says: the result in one sentence, without a full stop.
        looked: what was looked at.
        unseen: what was not, and would be needed to say more.
        findings: errors of a failed check, warnings of an unproven one, notes of an advised one; warnings beside a pass.
    """

    phase: Phase
    name: str
    outcome: Outcome
    says: str
    looked: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
