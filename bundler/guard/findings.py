"""What a comparison found, as findings that point at both files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.compose.wording import plural
from bundler.guard.difference import shown
from bundler.guard.side import ENV, Role
from bundler.model.finding import Finding, Place, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bundler.guard.comparison import Comparison
    from bundler.guard.difference import Difference
    from bundler.guard.explanation import Word
    from bundler.guard.projection import Projection

    Sides = Mapping[Role, Projection]

__all__ = ["not_compared", "not_judged", "of_difference", "of_rule"]


def of_difference(difference: Difference, reasons: Sequence[Word], sides: Sides) -> Finding:
    """A difference, with what the rules say of the side that it puts in the wrong."""
    said = "; ".join(dict.fromkeys(word.finding.message for word in reasons))
    return _about(
        sides,
        difference.at,
        rule=difference.rule,
        message=f"{difference.message}: {said}" if said else difference.message,
        severity=difference.severity,
        fix=next((f"in the {word.role}, {word.finding.fix}" for word in reasons), difference.fix),
    )


def of_rule(words: Sequence[Word], sides: Sides) -> Finding:
    """What a rule found on one side, or on both alike."""
    found = words[0].finding
    where = "both" if len(words) > 1 else f"the {words[0].role}"
    at = {word.role: sides[word.role].locate(word.path) or word.finding.pointer for word in words}
    return _about(sides, at, rule=found.rule, message=f"in {where}, {found.message}", severity=found.severity, fix=found.fix)


def not_compared(comparison: Comparison, sides: Sides) -> Iterator[Finding]:
    """Values that are not known yet: each of those that are filled in, and as one all that a script sets."""
    script = sides[Role.FIXTURE].side.sourced
    sourced = {path: at for path, at in comparison.unknown.items() if script and path[:-1] == ENV}
    for path, at in comparison.unknown.items():
        if path not in sourced:
            message = f"{shown(path)} cannot be compared: its value is filled in when the fixture is applied"
            fix = "render the fixture as it is applied, and compare that"
            yield _about(sides, at, rule="AICR-G009", message=message, severity=Severity.NOTE, fix=fix)
    if sourced:
        names = ", ".join(path[-1] for path in sourced)
        message = f"{plural(len(sourced), 'setting')} cannot be compared, which the fixture takes from {script}: {names}"
        fix = "state the settings in env of the container"
        yield _about(sides, next(iter(sourced.values())), rule="AICR-G009", message=message, severity=Severity.NOTE, fix=fix)


def not_judged(projection: Projection, fault: str) -> Finding:
    """A side that no rule can be asked about."""
    side = projection.side
    return _about(
        {side.role: projection},
        {side.role: side.pod.pointer},
        rule="AICR-G009",
        message=f"the {side.role} cannot be held against the release: {fault}",
        severity=Severity.NOTE,
        fix="correct it first",
    )


def _about(sides: Sides, at: Mapping[Role, str], *, rule: str, message: str, severity: Severity, fix: str) -> Finding:
    """A finding at a place of each side that it is about, the fixture's first."""
    first, *others = [
        Place(location=resource.locate(at[role]), pointer=at[role], subject=resource.subject)
        for role in (Role.FIXTURE, Role.RUNTIME)
        if role in at and (resource := sides[role].side.resource)
    ]
    return Finding(
        rule=rule,
        message=message,
        severity=severity,
        location=first.location,
        pointer=first.pointer,
        subject=first.subject,
        fix=fix,
        related=tuple(others),
    )
