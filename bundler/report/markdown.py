"""A report as Markdown, for a comment or a job summary.

Whatever a finding says stands in a code fence, where no value is a heading, a mention, a link, a table or HTML.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bundler.compose.wording import plural
from bundler.report.report import rule_of
from bundler.report.text import count, findings_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bundler.report.report import Report

__all__ = ["LIMIT", "fenced", "markdown"]

LIMIT = 65_536
"""What GitHub takes as one comment. It counts characters; bytes are counted here, which are never fewer."""

_TICKS = re.compile("`+")
_SHORTEST_FENCE = 3
_LAST_LINE = 100


def markdown(report: Report) -> str:
    """A heading with the counts, a table of the rules, and every finding, gravest first.

    Where the whole would be longer than `LIMIT`, the findings that fit stand there, and the last line counts the others.
    """
    head = [f"### {report.command}: {count(report.findings)}", "", *_rules(report)]
    written = "\n".join(head)
    room = LIMIT - len(written.encode()) - _LAST_LINE
    blocks: list[str] = []
    for finding in report.findings:
        block = f"\n{fenced(findings_text([finding]))}"
        room -= len(block.encode()) + 1
        if room < 0:
            break
        blocks.append(block)
    left = len(report.findings) - len(blocks)
    tail = [f"\n{plural(left, 'more finding')} would make this too long."] if left else []
    return "\n".join([written, *blocks, *tail]).rstrip("\n") + "\n"


def fenced(text: str, language: str = "text") -> str:
    """A code block that nothing in the text can end."""
    longest = max(map(len, _TICKS.findall(text)), default=0)
    fence = "`" * max(_SHORTEST_FENCE, longest + 1)
    return "\n".join([f"{fence}{language}", text.removesuffix("\n"), fence])


def _rules(report: Report) -> Iterable[str]:
    """How often each rule found something, in the order of the findings."""
    if not report.findings:
        return
    yield "| severity | rule | what | findings |"
    yield "| --- | --- | --- | --- |"
    kinds = [(finding.severity.value, finding.rule) for finding in report.findings]
    for severity, rule in dict.fromkeys(kinds):
        title = rule_of(rule).title.replace("|", "\\|")
        yield f"| {severity} | {rule} | {title} | {kinds.count((severity, rule))} |"
