"""A report as SARIF 2.1.0 (OASIS Static Analysis Results Interchange Format), as GitHub code scanning takes it."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import TYPE_CHECKING
from urllib.parse import quote

from bundler.report.report import in_file, places

if TYPE_CHECKING:
    from bundler.model.document import JsonObject
    from bundler.model.finding import Finding, Place
    from bundler.model.rules import Rule
    from bundler.report.report import Report

__all__ = ["sarif"]

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_PLACEHOLDER = re.compile(r"\{(\d+)\}")
_LINK = re.compile(r"\[(?=[^\]]*\]\()")


def sarif(report: Report) -> str:
    """One log with one run."""
    rules = report.rules
    index = {rule.id: number for number, rule in enumerate(rules)}
    run = {
        "tool": {"driver": {"name": "aicr", "version": report.version, "rules": [_rule(rule) for rule in rules]}},
        # The category under which code scanning keeps one command's results apart from another's.
        "automationDetails": {"id": f"{report.command.replace(' ', '/')}/"},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": report.exit_code <= 1, "exitCode": report.exit_code}],
        "results": [_result(finding, index[finding.rule]) for finding in report.findings],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(rule: Rule) -> JsonObject:
    why = rule.why or rule.title
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": why},
        "help": {"text": f"{rule.title}. {why}", "markdown": f"**{rule.title}**\n\n{why}"},
    }


def _result(finding: Finding, index: int) -> JsonObject:
    every = places(finding)
    related = [_location(place) | {"id": number} for number, place in enumerate(every[1:], start=1)]
    text = "\n".join([finding.message, *([f"fix: {finding.fix}"] if finding.fix else [])])
    return {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": finding.severity.value,
        "message": {"text": _literal(text)},
        "locations": [_location(every[0])],
        **({"relatedLocations": related} if related else {}),
        "partialFingerprints": {"aicrFinding/v1": _fingerprint(finding)},
    }


def _location(place: Place) -> JsonObject:
    """A place in a file; one on the command line stands in the artifact `aicr`.

    Code scanning refuses a whole upload for one result without an artifact.
    """
    at = place.location
    physical: JsonObject = {"artifactLocation": {"uri": quote(at.file, safe="/") if in_file(at) else "aicr"}}
    if at.line:
        physical["region"] = {"startLine": at.line, **({"startColumn": at.column} if at.column else {})}
    names = [
        *([{"name": at.file, "kind": "parameter"}] if at.file and not in_file(at) else []),
        *([{"fullyQualifiedName": place.pointer, "kind": "member"}] if place.pointer else []),
        *([{"fullyQualifiedName": place.subject, "kind": "resource"}] if place.subject else []),
    ]
    return {"physicalLocation": physical, **({"logicalLocations": names} if names else {})}


def _literal(text: str) -> str:
    """Text in which nothing is taken for a placeholder or a link (SARIF 2.1.0, 3.11.5 and 3.11.6)."""
    return _LINK.sub(r"\\[", _PLACEHOLDER.sub(r"{{\1}}", text))


def _fingerprint(finding: Finding) -> str:
    """What stays the same while lines move: the rule, the file, the place in it and what is said."""
    told = [finding.rule, finding.location.file if finding.location else "", finding.pointer, finding.subject, finding.message]
    return sha256("\0".join(told).encode()).hexdigest()
