"""What checks came to: as text for a person, as plain data (schemas/validation.json), and as JUnit XML with one test for each."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from bundler.compose.wording import plural
from bundler.evidence.floor import sized
from bundler.model.check import Outcome
from bundler.report.json_report import finding_data
from bundler.report.junit import characters
from bundler.report.table import table
from bundler.report.text import findings_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bundler.evidence.bandwidth import Measured, Table
    from bundler.evidence.log import Log
    from bundler.model.check import Check
    from bundler.model.document import JsonObject

__all__ = ["checks_data", "checks_junit", "checks_text"]

_SHOWN_ROWS = 6


def checks_text(checks: Sequence[Check], logs: Iterable[Log] = ()) -> str:
    """The result of each check, what was measured, what was looked at, and what was not."""
    parts = [table(("phase", "check", "result", "what"), [(one.phase, one.name, one.outcome, one.says) for one in checks])]
    parts += [_measured(log.name, log.table) for log in logs if log.table is not None and log.table.rows]
    for title, lines in (
        ("looked at", dict.fromkeys(line for check in checks for line in check.looked)),
        ("not looked at", dict.fromkeys(line for check in checks for line in check.unseen)),
    ):
        if lines:
            parts.append(f"{title}\n" + "".join(f"  {line}\n" for line in lines))
    counted = Counter(check.outcome for check in checks)
    parts.append(", ".join(f"{counted[outcome]} {outcome}" for outcome in Outcome if counted[outcome]) + "\n")
    return "\n".join(parts)


def checks_data(checks: Sequence[Check], *, target: str, sources: Sequence[str] = (), logs: Sequence[Log] = ()) -> JsonObject:
    """A document of kind Validation.

    Args:
        checks: in the order in which they ran.
        target: the recipe or bundle that was validated against; empty when there was none.
        sources: where the facts of the cluster come from.
        logs: that were read.
    """
    counted = Counter(check.outcome for check in checks)
    return {
        "apiVersion": "aicr.run/v2",
        "kind": "Validation",
        "target": target,
        "cluster": list(sources),
        "summary": {str(outcome): counted[outcome] for outcome in Outcome},
        "checks": [
            {
                "phase": str(check.phase),
                "name": check.name,
                "outcome": str(check.outcome),
                "says": check.says,
                "looked": list(check.looked),
                "unseen": list(check.unseen),
                "findings": [finding_data(finding) for finding in check.findings],
            }
            for check in checks
        ],
        "measurements": [
            {"log": log.name, "collective": log.table.collective, "average": log.table.average, "rows": _rows(log.table)}
            for log in logs
            if log.table is not None
        ],
    }


def checks_junit(checks: Sequence[Check], fatal: frozenset[str]) -> str:
    """One suite for each phase, one test for each check; what was not proved is skipped, never passed.

    Args:
        checks: in the order in which they ran.
        fatal: severities of findings that fail a check.
    """
    suites = []
    for phase in dict.fromkeys(check.phase for check in checks):
        cases = [_case(check, fatal) for check in checks if check.phase is phase]
        counted = Counter(kind for kind, _ in cases)
        head = f'tests="{len(cases)}" failures="{counted["failure"]}" errors="0" skipped="{counted["skipped"]}"'
        body = "\n".join(text for _, text in cases)
        suites.append(f"  <testsuite name={quoteattr(f'aicr validate {phase}')} {head}>\n{body}\n  </testsuite>")
    body = "\n".join(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="aicr">\n{body}\n</testsuites>\n'


def _case(check: Check, fatal: frozenset[str]) -> tuple[str, str]:
    """What became of a check in JUnit's words, and its element."""
    if any(finding.severity in fatal for finding in check.findings):
        kind = "failure"
    elif check.outcome in {Outcome.UNPROVEN, Outcome.SKIPPED}:
        kind = "skipped"
    else:
        kind = "system-out"
    told = [check.says, *(f"looked at {line}" for line in check.looked), *(f"not looked at: {line}" for line in check.unseen)]
    text = characters("\n".join([*told, findings_text(check.findings)]).rstrip("\n"))
    message = "" if kind == "system-out" else f" message={quoteattr(characters(check.says))}"
    name = f"classname={quoteattr(check.phase)} name={quoteattr(check.name)}"
    return kind, f"    <testcase {name}>\n      <{kind}{message}>{escape(text)}</{kind}>\n    </testcase>"


def _measured(name: str, found: Table) -> str:
    rows = sorted(found.rows, key=lambda row: row.size)[-_SHOWN_ROWS:]
    shown = [(sized(row.size), *_figures(row.out_of_place), *_figures(row.in_place)) for row in rows]
    head = ("size", "algbw", "busbw", "wrong", "in place: algbw", "busbw", "wrong")
    left = len(found.rows) - len(rows)
    title = f"{name}, GB/s" + (f"; {plural(left, 'smaller size')} left out" if left else "")
    return f"{title}\n{table(head, shown)}"


def _figures(side: Measured) -> list[str]:
    return ["" if value is None else str(value) for value in (side.algbw, side.busbw, side.wrong)]


def _rows(found: Table) -> list[JsonObject]:
    return [{"bytes": row.size, "outOfPlace": _side(row.out_of_place), "inPlace": _side(row.in_place)} for row in found.rows]


def _side(side: Measured) -> JsonObject:
    return {"algbw": side.algbw, "busbw": side.busbw, "wrong": side.wrong}
