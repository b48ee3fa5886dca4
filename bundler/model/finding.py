"""One rule's result."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from bundler.dataclass import dataclass

if TYPE_CHECKING:
    from bundler.model.location import Location

__all__ = ["Finding", "Place", "Severity"]


class Severity(StrEnum):
    """How much a finding weighs. Only errors stop a bundle."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A further place that a finding is about, such as the other side of a comparison.

    Attributes:
        pointer: JSON pointer into the document at `location`.
        subject: the Kubernetes object there, as `Kind/name`.
    """

    location: Location
    pointer: str = ""
    subject: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one rule found, where, and how to mend it.

    Attributes:
        rule: stable id such as `AICR-P004`, declared in `bundler.model.rules`.
        message: one sentence naming the offending value; no trailing full stop.
        location: where the cause was written.
        pointer: JSON pointer into the document at `location`.
        subject: the Kubernetes object concerned, as `Kind/name`.
        fix: what to do, as an imperative phrase.
        related: further places, each as much the finding's as `location`.
    """

    rule: str
    message: str
    severity: Severity = Severity.ERROR
    location: Location | None = None
    pointer: str = ""
    subject: str = ""
    fix: str = ""
    related: tuple[Place, ...] = ()
