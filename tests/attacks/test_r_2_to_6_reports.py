"""R2, R3, R5, R6: whatever a value holds, a report stays what its format says, and carries no secret away.

Each hostile text stands in every field of a finding that a value can reach.
"""

import re

import pytest

from bundler.model.finding import Finding, Place
from bundler.model.location import Location
from bundler.report.github import github
from bundler.report.json_report import json_report
from bundler.report.junit import junit
from bundler.report.markdown import LIMIT, markdown
from bundler.report.report import Report
from bundler.report.sarif import sarif
from tests.unit.report.forms import read_github, read_json, read_junit, read_markdown, read_sarif

HOSTILE = {
    "annotation": "x\n::error file=a.py,line=1::forged",
    "encoded line end": "%0A::error::forged",
    "encoded per cent": "%250A",
    "separators": "a,line=1,title=x::y",
    "stop commands": "::stop-commands::x",
    "fence": "```\n# forged\n</details>",
    "long fence": "`" * 50,
    "tildes": "~~~\n# forged",
    "details": "</details></summary><script>alert(1)</script>",
    "mention": "@someone please look",
    "table": "a | b |\n| --- |",
    "link": "[click](https://example.com/x) ![x](https://example.com/y)",
    "placeholder": "{0} {{1}} {x}",
    "xml": "]]></failure><testcase name='forged'/>&amp;<!--",
    "controls": "".join(map(chr, [*range(32), *range(127, 160)])),
    "no characters": "\ud800\udfff\ufffe\uffff",
    "terminal": "\x1b]0;owned\x07\x9b2J",
    "right to left": "\u202egnp.exe",
    "beyond the plane": "\U0001f600",
    "long": "x" * 100_000,
}


def hostile_report(text):
    finding = Finding(
        rule="AICR-S002",
        message=f"not an integer: {text}",
        location=Location(file=f"{text}.yaml", line=3, column=1),
        pointer=f"/a/{text}",
        subject=f"ConfigMap/{text}",
        fix=f"change {text}",
        related=(Place(location=Location(file=f"--set x:a={text}"), pointer=f"/{text}", subject=text),),
    )
    return Report.of([finding], command="aicr bundle", version="1.0", exit_code=2)


@pytest.fixture(params=HOSTILE.values(), ids=HOSTILE)
def hostile(request):
    return hostile_report(request.param)


def assert_harmless(text):
    assert not [character for character in text if character != "\n" and not character.isprintable()]


def test_r2_a_finding_is_one_annotation_whatever_it_says(hostile):
    ((kind, properties, message),) = read_github(github(hostile))
    assert (kind, set(properties)) == ("error", {"file", "line", "col", "title"})
    assert properties["file"] == hostile.findings[0].location.file
    assert message.startswith(f"{hostile.findings[0].message}\n")
    assert_harmless(github(hostile))


def test_r3_all_that_a_finding_says_is_fenced(hostile):
    text = markdown(hostile)
    outside, fences = read_markdown(text)
    assert len(fences) == 1
    assert outside.split() == markdown(hostile_report("")).split("```")[0].split()
    assert len(text.encode()) <= LIMIT
    assert_harmless(text)


def test_r3_the_budget_holds_for_any_number_of_hostile_findings():
    findings = [hostile_report(text + str(number)).findings[0] for text in HOSTILE.values() for number in range(10)]
    text = markdown(Report.of(findings, command="aicr bundle", version="1.0", exit_code=2))
    assert len(text.encode()) <= LIMIT
    read_markdown(text)


def test_r5_sarif_is_valid_whatever_a_finding_says(hostile):
    (result,) = read_sarif(sarif(hostile))["results"]
    assert not re.search(r"(?<!\{)\{\d+\}(?!\})", result["message"]["text"])
    assert not re.search(r"(?<!\\)\[[^\]]*\]\(", result["message"]["text"])
    assert sarif(hostile).isascii()


def test_r5_junit_is_well_formed_without_control_characters(hostile):
    text = junit(hostile)
    ((rule, _, (told, said)),) = read_junit(text)
    assert (rule, told) == ("AICR-S002", "failure")
    assert said.startswith("error[AICR-S002]: not an integer: ")
    assert_harmless(text)


def test_r5_json_keeps_its_schema(hostile):
    (finding,) = read_json(json_report(hostile))["findings"]
    assert finding["message"] == hostile.findings[0].message


@pytest.mark.parametrize("write", [sarif, junit, json_report, markdown, github])
def test_r6_a_secret_is_in_no_report(write):
    secret = "correct-horse, battery"
    findings = [
        Finding(
            rule="AICR-S002", message=f"'{secret}' is not an integer", location=Location(file=f"--set nfd:auth.token={secret}")
        ),
        Finding(rule="AICR-S002", message=f"not one of 'a', 'b': '{secret}'", pointer="/auth/token", fix=f"change {secret}"),
        Finding(rule="AICR-U020", message="differs", fix=f"run aicr bundle '--set=nfd:auth.token={secret}' -o out"),
    ]
    words = ["bundle", "--set", f"nfd:auth.token={secret}"]
    written = write(Report.of(findings, command="aicr bundle", version="1.0", exit_code=2, words=words))
    assert "horse" not in written
    assert "battery" not in written
    assert "[redacted]" in written


def test_r6_a_value_quoted_under_a_telling_key_is_hidden_although_no_flag_gave_it():
    finding = Finding(rule="AICR-S002", message="'token' takes an integer, not 'hunter2'", pointer="/values/auth/token")
    (cleaned,) = Report.of([finding], command="aicr lint", version="1.0", exit_code=1).findings
    assert cleaned.message == "'token' takes an integer, not '[redacted]'"
