"""A report as JUnit XML, as Jenkins, GitLab and others take it: one test case for each finding.

An error is a test that failed. A warning or a note is one that passed and printed something, for the format knows no such weights;
where warnings alone made the command end with 1, they failed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from bundler.model.finding import Severity
from bundler.report.printable import shortened
from bundler.report.report import rule_of
from bundler.report.text import findings_text

if TYPE_CHECKING:
    from bundler.model.finding import Finding
    from bundler.report.report import Report

__all__ = ["characters", "junit"]

# What is no character of XML 1.0 (production 2), and cannot be written in it by any escape.
_NO_CHARACTER = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NAME = 300


def junit(report: Report) -> str:
    """One suite, named for the command; without findings it has one test, which passed."""
    fatal = _fatal(report)
    cases = [_case(finding, failed=finding.severity in fatal) for finding in report.findings]
    cases = cases or [f"    <testcase classname={_value(report.command)} name={_value('no findings')}/>"]
    failures = sum(finding.severity in fatal for finding in report.findings)
    counts = f'tests="{len(cases)}" failures="{failures}" errors="0"'
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f"<testsuites name={_value('aicr')} {counts}>",
            f'  <testsuite name={_value(report.command)} {counts} skipped="0">',
            *cases,
            "  </testsuite>",
            "</testsuites>\n",
        ]
    )


def _fatal(report: Report) -> set[Severity]:
    """The severities that are failures: errors, or else warnings if something was fatal."""
    if any(finding.severity is Severity.ERROR for finding in report.findings) or report.exit_code == 0:
        return {Severity.ERROR}
    return {Severity.WARNING}


def _case(finding: Finding, *, failed: bool) -> str:
    place = " ".join(part for part in (str(finding.location or ""), finding.pointer) if part)
    name = shortened(f"{place}: {finding.message}" if place else finding.message, _NAME)
    text = escape(characters(findings_text([finding])))
    kind = _value(f"{finding.severity.value}: {rule_of(finding.rule).title}")
    told = (
        f"<failure message={_value(finding.message)} type={kind}>{text}</failure>" if failed else f"<system-out>{text}</system-out>"
    )
    return f"    <testcase classname={_value(finding.rule)} name={_value(name)}>\n      {told}\n    </testcase>"


def _value(text: str) -> str:
    return quoteattr(characters(text))


def characters(text: str) -> str:
    """The text without what XML has no way to write."""
    return _NO_CHARACTER.sub("", text)
