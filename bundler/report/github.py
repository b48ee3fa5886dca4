"""A report as annotations of a GitHub workflow: one command of the runner on a line for each finding, which it reads from the log.

The escapes are those that the runner undoes (`%25`, `%0D`, `%0A`; in a property `%3A` and `%2C` as well).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.model.finding import Finding, Severity
from bundler.report.report import in_file, rule_of

if TYPE_CHECKING:
    from bundler.report.report import Report

__all__ = ["DATA", "PROPERTY", "github"]

_COMMAND = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
PROPERTY = DATA | str.maketrans({":": "%3A", ",": "%2C"})


def github(report: Report) -> str:
    """The annotations, gravest first: the runner shows only the first ten of a kind."""
    return "".join(f"{_annotation(finding)}\n" for finding in report.findings)


def _annotation(finding: Finding) -> str:
    at = finding.location
    stated = {"title": f"{finding.rule} {rule_of(finding.rule).title}"}
    if at is not None and in_file(at):
        stated |= {"file": at.file} | ({"line": str(at.line)} if at.line else {}) | ({"col": str(at.column)} if at.column else {})
    properties = ",".join(f"{name}={value.translate(PROPERTY)}" for name, value in stated.items())
    related = [" ".join(filter(None, (str(place.location), place.pointer))) for place in finding.related]
    where = [str(at)] if at is not None and not in_file(at) else []
    lines = [finding.message, *where, finding.pointer, finding.subject, *related, finding.fix and f"fix: {finding.fix}"]
    data = "\n".join(filter(None, lines)).translate(DATA)
    return f"::{_COMMAND[finding.severity]} {properties}::{data}"
