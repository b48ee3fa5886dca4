"""A report as JSON, in the form that schemas/report.json states."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bundler.model.finding import Place, Severity
from bundler.model.location import Location
from bundler.report.report import in_file, places

if TYPE_CHECKING:
    from bundler.model.document import JsonObject
    from bundler.model.finding import Finding
    from bundler.report.report import Report

__all__ = ["finding_data", "json_report", "place_data", "read_place"]


def json_report(report: Report) -> str:
    """A document of kind Report; all but ASCII is escaped, so that no value acts on a terminal."""
    severities = [finding.severity for finding in report.findings]
    document = {
        "apiVersion": "aicr.run/v2",
        "kind": "Report",
        "version": report.version,
        "command": report.command,
        "exitCode": report.exit_code,
        "summary": {severity.value: severities.count(severity) for severity in Severity},
        "findings": [finding_data(finding) for finding in report.findings],
        "rules": [{"id": rule.id, "title": rule.title, "why": rule.why} for rule in report.rules],
    }
    return json.dumps(document, indent=2) + "\n"


def finding_data(finding: Finding) -> JsonObject:
    """A finding as a report holds it."""
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "message": finding.message,
        "fix": finding.fix,
        "places": [stated for place in places(finding) if (stated := place_data(place))],
    }


def place_data(place: Place) -> JsonObject:
    """What is known of a place; a field that would be empty is left out."""
    at = place.location
    stated = {
        "file" if in_file(at) else "flag": at.file,
        "line": at.line,
        "column": at.column,
        "pointer": place.pointer,
        "object": place.subject,
    }
    return {key: value for key, value in stated.items() if value}


def read_place(data: JsonObject) -> Place:
    """The place that `place_data` wrote."""
    location = Location(file=data.get("file") or data.get("flag") or "", line=data.get("line", 0), column=data.get("column", 0))
    return Place(location=location, pointer=data.get("pointer", ""), subject=data.get("object", ""))
