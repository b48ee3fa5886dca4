"""What a report has to be in each format, held against what a reader of that format would refuse.

`sarif-2.1.0.json` holds what the official schema of SARIF states, `sarif.json` the part of it that is used, with nothing beside it;
`junit-10.json` holds what the schema of Jenkins states. Both were taken down from those schemas, without their texts.
"""

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema_rs

from bundler.catalog.catalog import Catalog

SARIF = jsonschema_rs.Draft202012Validator(
    json.loads(Path(__file__).with_name("sarif.json").read_text(encoding="utf-8")), validate_formats=True
)
OFFICIAL = jsonschema_rs.Draft4Validator(
    json.loads(Path(__file__).with_name("sarif-2.1.0.json").read_text(encoding="utf-8")), validate_formats=True
)
JUNIT = json.loads(Path(__file__).with_name("junit-10.json").read_text(encoding="utf-8"))
TIME = re.compile(r"(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?")
CATALOG = Catalog.load()
COUNTS = ("tests", "failures", "errors")
CASES = {"failure": {"message", "type"}, "system-out": set()}
# One command of the runner: a name, properties without a bare separator, and data without a line end.
ANNOTATION = re.compile(r"::(error|warning|notice) (?P<properties>(?:\w+=[^:,\r\n]+)(?:,\w+=[^:,\r\n]+)*)::(?P<data>[^\r\n]*)")


def read_sarif(text):
    """The run of a valid log, in which every result names its rule."""
    log = json.loads(text)
    assert [error.message for error in OFFICIAL.iter_errors(log)] == []
    assert [error.message for error in SARIF.iter_errors(log)] == []
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert [rules[result["ruleIndex"]] for result in run["results"]] == [result["ruleId"] for result in run["results"]]
    return run


def read_junit(text):
    """The test cases of a well-formed suite whose counts are right, as class, name, and what is told with which text."""
    suites = ET.fromstring(text.encode())
    assert [*junit_faults(suites)] == []
    (suite,) = suites
    assert (suites.tag, suite.tag) == ("testsuites", "testsuite")
    cases = []
    for case in suite:
        assert (case.tag, set(case.attrib)) == ("testcase", {"classname", "name"})
        told = list(case)
        assert len(told) <= 1
        assert all(set(each.attrib) == CASES[each.tag] for each in told)
        cases.append((case.get("classname"), case.get("name"), *((each.tag, each.text) for each in told)))
    failures = sum(case[2:] != () and case[2][0] == "failure" for case in cases)
    for element in (suites, suite):
        assert [int(element.get(name)) for name in COUNTS] == [len(cases), failures, 0]
    return cases


def junit_faults(element):
    """What the schema of Jenkins would refuse in an element and below it."""
    known = JUNIT[element.tag]
    needed = {name for name, how in known["attributes"].items() if how == "required"}
    yield from (f"{element.tag} lacks {name}" for name in sorted(needed - element.attrib.keys()))
    yield from (f"{element.tag} has {name}" for name in element.attrib.keys() - known["attributes"].keys())
    timed = [value for name, value in element.attrib.items() if known["attributes"].get(name) == "time"]
    yield from (f"{element.tag} takes {value!r}" for value in timed if not TIME.fullmatch(value))
    if not known["text"] and (element.text or "").strip():
        yield f"{element.tag} has a text"
    for child in element:
        if child.tag in known["children"] and not (child.tail or "").strip():
            yield from junit_faults(child)
        else:
            yield f"{element.tag} holds {child.tag}"


def read_json(text):
    """A document that keeps schemas/report.json."""
    document = json.loads(text)
    assert CATALOG.validator("report").check(document) == ()
    assert text.isascii()
    return document


def read_github(text):
    """Severity, properties and message of each annotation, as the runner takes them apart."""
    found = []
    for line in text.splitlines():
        match = ANNOTATION.fullmatch(line)
        assert match, line
        properties = dict(pair.split("=", 1) for pair in match["properties"].split(","))
        found.append((match[1], {name: unescaped(value) for name, value in properties.items()}, unescaped(match["data"])))
    return found


def read_markdown(text):
    """The text outside of code fences, and the text of each fence."""
    outside, fences, fence = [], [], None
    for line in text.splitlines():
        ticks = re.match("`{3,}", line)
        if fence is None and ticks:
            fence = ticks[0]
            fences.append([])
        elif fence is not None and re.fullmatch(rf"{fence}`*", line):
            fence = None
        elif fence is None:
            outside.append(line)
        else:
            fences[-1].append(line)
    assert fence is None
    return "\n".join(outside), ["\n".join(lines) for lines in fences]


def unescaped(text):
    for code, character in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(code, character)
    return text
