"""What one command found, as every report format takes it: in one order, once each, without secrets, the same on every machine."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from bundler.dataclass import dataclass
from bundler.model.finding import Finding, Place, Severity
from bundler.model.location import Location
from bundler.model.pointer import tokens
from bundler.model.rules import RULES, Rule
from bundler.report.printable import printable, shortened
from bundler.report.redaction import HIDDEN, redacted, secrets_in, telling
from bundler.report.text import gravest_first

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

__all__ = ["Report", "in_file", "places", "rule_of"]

_LIMIT = 2000
_QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"")


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The findings of one command, ready to be written in any format.

    Attributes:
        command: what ran, such as `aicr bundle`.
        version: of aicr.
        exit_code: what it ended with; more than 1 when it came to no result.
        findings: gravest first. No text in them acts on a reader's terminal, shows a secret or names this machine's directories.
    """

    command: str
    version: str
    exit_code: int
    findings: tuple[Finding, ...]

    @classmethod
    def of(
        cls,
        findings: Iterable[Finding],
        *,
        command: str,
        version: str,
        exit_code: int,
        words: Sequence[str] = (),
        root: str = "",
    ) -> Report:
        """The report of a command that has ended.

        A command that failed without a finding is given one: an unfinished check is never taken for a clean one.

        Args:
            findings: in any order, some perhaps twice.
            command: what ran.
            version: of aicr.
            exit_code: what it ended with.
            words: what was given on the command line, where secrets are looked for.
            root: the absolute directory that paths are relative to.
        """
        known = secrets_in(words)
        # Not the end of a longer path that happens to hold the root's.
        below_root = re.compile(rf"(?<![\w./-]){re.escape(root)}/") if root.strip("/") else None

        def clean(text: str) -> str:
            plain = below_root.sub("", text) if below_root else text
            return printable(shortened(redacted(plain, known), _LIMIT))

        every = [*findings]
        if exit_code > 1 and not any(finding.severity is Severity.ERROR for finding in every):
            message = f"ended with exit code {exit_code} before it came to a result"
            place = Location(file=command)
            every.append(Finding(rule="AICR-U036", message=message, location=place, fix="see what it said on stderr"))
        cleaned = gravest_first(_cleaned(finding, clean, root) for finding in every)
        return cls(command=command, version=version, exit_code=exit_code, findings=cleaned)

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules of the findings, by id."""
        return tuple(rule_of(name) for name in sorted({finding.rule for finding in self.findings}))


def rule_of(name: str) -> Rule:
    """What is known of a rule."""
    return RULES.get(name) or Rule(id=name, title=name, why="")


def places(finding: Finding) -> tuple[Place, ...]:
    """Every place that a finding is about; one without a location stands nowhere and is told by pointer or object."""
    first = Place(location=finding.location or Location(file=""), pointer=finding.pointer, subject=finding.subject)
    return (first, *finding.related)


def in_file(location: Location) -> bool:
    """Whether a location is in a file: a flag or a command is none."""
    return bool(location.file) and not location.file.startswith("-") and location.file.split(" ")[0] != "aicr"


def _cleaned(finding: Finding, clean: Callable[[str], str], root: str) -> Finding:
    message = _unquoted(finding) if telling(finding.pointer) else finding.message
    return replace(
        finding,
        message=clean(message),
        location=finding.location and _placed(finding.location, clean, root),
        pointer=clean(finding.pointer),
        subject=clean(finding.subject),
        fix=clean(finding.fix),
        related=tuple(
            Place(location=_placed(place.location, clean, root), pointer=clean(place.pointer), subject=clean(place.subject))
            for place in finding.related
        ),
    )


def _unquoted(finding: Finding) -> str:
    """The message about a key that tells a secret, without the values that it quotes; keys on the way to it stay."""
    keys = set(tokens(finding.pointer))
    return _QUOTED.sub(
        lambda match: match[0] if (match[1] or match[2] or "") in keys else f"{match[0][0]}{HIDDEN}{match[0][0]}", finding.message
    )


def _placed(location: Location, clean: Callable[[str], str], root: str) -> Location:
    """A location relative to the root; of a file that stands elsewhere only the name is kept."""
    if not in_file(location):
        return replace(location, file=clean(location.file))
    path = PurePath(location.file)
    if path.is_absolute():
        path = path.relative_to(root) if root and path.is_relative_to(root) else PurePath(path.name)
    return replace(location, file=clean(path.as_posix()))
