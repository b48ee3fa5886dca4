"""Requirements on what reports are held against: it refuses what the official schemas refuse, so that to pass means something."""

import json
from xml.etree import ElementTree as ET

import pytest

from tests.unit.report.forms import OFFICIAL, SARIF, junit_faults

LOG = {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": [{"message": {"text": "x"}}]}]}


def changed(**changes):
    log = json.loads(json.dumps(LOG))
    result = log["runs"][0]["results"][0]
    result.update(changes)
    return log


def test_a_small_log_is_valid():
    assert OFFICIAL.is_valid(LOG)


@pytest.mark.parametrize(
    "log",
    [
        {},
        {"version": "2.0.0", "runs": []},
        {"version": "2.1.0", "runs": [{}]},
        {"version": "2.1.0", "runs": [{"tool": {}}]},
        {**LOG, "more": 1},
        # SARIF 2.1.0: 3.27.10 level, 3.27.11 message, 3.30.5 startLine, 3.28.3 physicalLocation.
        changed(level="fatal"),
        changed(message={}),
        changed(locations=[{"physicalLocation": {"artifactLocation": {"uri": "a"}, "region": {"startLine": 0}}}]),
        changed(locations=[{"physicalLocation": {"region": {"startLine": 1}}}]),
        changed(ruleIndex=-2),
        changed(partialFingerprints={"a": 1}),
        changed(severity="high"),
    ],
)
def test_what_the_schema_of_sarif_refuses(log):
    assert not OFFICIAL.is_valid(log)
    assert not SARIF.is_valid(log)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("<testsuites/>", []),
        ('<testsuites time="1,234.5"/>', []),
        ('<testsuites time="soon"/>', ["testsuites takes 'soon'"]),
        ('<testsuites skipped="0"/>', ["testsuites has skipped"]),
        ("<testsuites>x</testsuites>", ["testsuites has a text"]),
        ("<testsuites><testcase/></testsuites>", ["testsuites holds testcase"]),
        ('<testsuite name="a" tests="1" errors="0"/>', ["testsuite lacks failures"]),
        ('<testsuite name="a" tests="1" errors="0" failures="0"><testcase/></testsuite>', ["testcase lacks name"]),
        ('<testcase name="a"><failure level="x"/></testcase>', ["failure has level"]),
        ('<testcase name="a"><warning/></testcase>', ["testcase holds warning"]),
        ('<testcase name="a"><system-out><b/></system-out></testcase>', ["system-out holds b"]),
    ],
)
def test_what_the_schema_of_junit_reports_refuses(text, fault):
    assert [*junit_faults(ET.fromstring(text))] == fault
