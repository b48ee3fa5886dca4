"""What is said of objects that could not be read: which, why, and what is therefore not proven."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.model.finding import Finding, Severity
from bundler.model.snapshot import GapReason

if TYPE_CHECKING:
    from bundler.model.snapshot import Gap

__all__ = ["unread"]

_WHY = {
    GapReason.FORBIDDEN: "reading it is forbidden",
    GapReason.ABSENT: "the cluster does not have it",
    GapReason.UNAVAILABLE: "it could not be reached",
    GapReason.TIMEOUT: "reading it took too long",
    GapReason.NOT_ASKED: "the snapshot does not have it",
}
_FIX = {
    # A live cluster and snapshots are not combined, so the second way is one without the cluster.
    GapReason.FORBIDDEN: (
        "grant list on it, or take `kubectl get {kind} -A -o yaml` of who may, and --snapshot in place of the cluster"
    ),
    GapReason.NOT_ASKED: "add the output of `kubectl get {kind} -A -o yaml` as another --snapshot",
}


def unread(gap: Gap, unproven: str) -> Finding:
    """A warning on a gap.

    Args:
        gap: what is not known.
        unproven: what follows, as the end of a sentence.
    """
    why = f"{_WHY[gap.reason]} ({gap.message})" if gap.message else _WHY[gap.reason]
    fix = _FIX.get(gap.reason, "").format(kind=gap.resource)
    return Finding(rule="AICR-N002", message=f"{gap.resource}: {why}; {unproven}", severity=Severity.WARNING, fix=fix)
