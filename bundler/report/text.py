"""Findings as text for a person: the one message shape of every command (docs/reference/exit-codes.md).

error[AICR-P004]: profile fabricAttachment is required
  --> recipes/h100-gke-cos-training-kubeflow.yaml:12:3 /profiles/fabricAttachment
  fix: add --profile fabricAttachment=VALUE

A finding about two files has a `-->` line for each.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bundler.compose.wording import plural
from bundler.model.finding import Finding, Severity
from bundler.model.location import Location
from bundler.report.printable import printable, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["count", "findings_text", "gravest_first"]

_LIMIT = 2000
_WEIGHT = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}
_COLOUR = {Severity.ERROR: "\x1b[1;31m", Severity.WARNING: "\x1b[1;33m", Severity.NOTE: "\x1b[1;36m"}
_RESET = "\x1b[0m"


def findings_text(findings: Iterable[Finding], *, colour: bool = False) -> str:
    """All findings, gravest first, then by place; a last line counts them when there are several.

    Args:
        findings: in any order; equal ones are shown once.
        colour: whether severities are coloured.

    Returns:
        Text that ends with a newline, or the empty string when there is nothing to say.
    """
    ordered = gravest_first(findings)
    blocks = [_block(finding, colour=colour) for finding in ordered]
    if len(blocks) > 1:
        blocks.append(count(ordered) + "\n")
    return "".join(blocks)


def gravest_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings by weight, then by place, each once."""
    return tuple(sorted(set(findings), key=_order))


def count(findings: Iterable[Finding]) -> str:
    """How many findings of each severity, such as `2 errors, 1 warning`."""
    numbers = Counter(finding.severity for finding in findings)
    return ", ".join(plural(numbers[severity], severity.value) for severity in _WEIGHT if numbers[severity]) or "no findings"


def _order(finding: Finding) -> tuple[int, Location, str, str, str, str, tuple[tuple[Location, str], ...]]:
    place = finding.location or Location(file="")
    related = tuple((other.location, other.pointer) for other in finding.related)
    return _WEIGHT[finding.severity], place, finding.pointer, finding.rule, finding.message, finding.subject, related


def _block(finding: Finding, *, colour: bool) -> str:
    head = f"{finding.severity}[{finding.rule}]"
    if colour:
        head = f"{_COLOUR[finding.severity]}{head}{_RESET}"
    lines = [f"{head}: {_line(finding.message)}"]
    for location, pointer in ((finding.location, finding.pointer), *((place.location, place.pointer) for place in finding.related)):
        if place := " ".join(part for part in (str(location or ""), pointer) if part):
            lines.append(f"  --> {_line(place)}")
    if subjects := ", ".join(filter(None, (finding.subject, *(place.subject for place in finding.related)))):
        lines.append(f"  object: {_line(subjects)}")
    if finding.fix:
        lines.append(f"  fix: {_line(finding.fix)}")
    return "\n".join(lines) + "\n"


def _line(text: str) -> str:
    return printable(shortened(text, _LIMIT))
