"""Requirements on reports: one content in five formats, each as its readers take it, the same on every machine."""

import json

import pytest

from bundler.model.finding import Finding, Place, Severity
from bundler.model.location import Location
from bundler.report.github import github
from bundler.report.json_report import json_report
from bundler.report.junit import junit
from bundler.report.markdown import LIMIT, fenced, markdown
from bundler.report.report import Report, in_file
from bundler.report.sarif import sarif
from tests.unit.report.forms import read_github, read_json, read_junit, read_markdown, read_sarif

FORMATS = {"sarif": sarif, "junit": junit, "json": json_report, "markdown": markdown, "github": github}
DIVERGED = Finding(
    rule="AICR-G001",
    message="image of node differs",
    location=Location(file="runtimes/tcpxo.yaml", line=41, column=9),
    pointer="/spec/template",
    subject="ClusterTrainingRuntime/torch-distributed-tcpxo",
    fix="make them equal",
    related=(Place(location=Location(file="validators/runtime.yaml", line=7), pointer="/spec", subject="TrainingRuntime/nccl"),),
)
UNPINNED = Finding(rule="AICR-I010", message="no digest", severity=Severity.WARNING, location=Location(file="a.yaml", line=3))
FLAG = Finding(rule="AICR-U004", message="no axis", severity=Severity.NOTE, location=Location(file="--profile x=y, z"), pointer="")
EVERY = (FLAG, UNPINNED, DIVERGED, UNPINNED)


def report(*findings, code=1, **given):
    return Report.of(findings, command="aicr guard", version="1.2.3", exit_code=code, **given)


def test_findings_are_reported_once_and_gravest_first():
    assert report(*EVERY).findings == (DIVERGED, UNPINNED, FLAG)


def test_sarif_has_every_finding_with_its_places_and_its_rule():
    run = read_sarif(sarif(report(*EVERY)))
    assert [result["level"] for result in run["results"]] == ["error", "warning", "note"]
    first, _, flag = run["results"]
    assert first["message"]["text"] == "image of node differs\nfix: make them equal"
    assert first["locations"][0] == {
        "physicalLocation": {"artifactLocation": {"uri": "runtimes/tcpxo.yaml"}, "region": {"startLine": 41, "startColumn": 9}},
        "logicalLocations": [
            {"fullyQualifiedName": "/spec/template", "kind": "member"},
            {"fullyQualifiedName": "ClusterTrainingRuntime/torch-distributed-tcpxo", "kind": "resource"},
        ],
    }
    assert first["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "validators/runtime.yaml"
    # Code scanning refuses an upload in which one result has no artifact.
    assert flag["locations"][0]["physicalLocation"] == {"artifactLocation": {"uri": "aicr"}}
    assert flag["locations"][0]["logicalLocations"] == [{"name": "--profile x=y, z", "kind": "parameter"}]
    assert run["automationDetails"] == {"id": "aicr/guard/"}


@pytest.mark.parametrize(("code", "successful"), [(0, True), (1, True), (2, False), (8, False)])
def test_sarif_tells_a_finding_from_a_run_that_failed(code, successful):
    run = read_sarif(sarif(report(DIVERGED, code=code)))
    assert run["invocations"] == [{"executionSuccessful": successful, "exitCode": code}]


def test_a_fingerprint_stays_while_lines_move():
    def fingerprint(line, message):
        finding = Finding(rule="AICR-I010", message=message, location=Location(file="a.yaml", line=line))
        return read_sarif(sarif(report(finding)))["results"][0]["partialFingerprints"]

    assert fingerprint(1, "x") == fingerprint(9, "x") != fingerprint(1, "y")


@pytest.mark.parametrize(
    ("text", "written"),
    [("a {0} b", "a {{0}} b"), ("{a: 1}", "{a: 1}"), ("[x](1)", "\\[x](1)"), ("[1, 2]", "[1, 2]")],
)
def test_nothing_in_a_sarif_message_is_a_placeholder_or_a_link(text, written):
    finding = Finding(rule="AICR-I010", message=text)
    assert read_sarif(sarif(report(finding)))["results"][0]["message"]["text"] == written


def test_junit_fails_for_errors_and_prints_the_rest():
    first, second, third = read_junit(junit(report(*EVERY)))
    assert first[0] == "AICR-G001"
    assert first[1] == "runtimes/tcpxo.yaml:41:9 /spec/template: image of node differs"
    assert first[2][0] == "failure"
    assert "  --> validators/runtime.yaml:7 /spec\n" in first[2][1]
    assert [case[2][0] for case in (second, third)] == ["system-out", "system-out"]


@pytest.mark.parametrize(("code", "told"), [(0, "system-out"), (1, "failure")])
def test_junit_fails_for_warnings_where_they_were_fatal(code, told):
    (case,) = read_junit(junit(report(UNPINNED, code=code)))
    assert case[2][0] == told


def test_junit_without_findings_is_one_test_that_passed():
    assert read_junit(junit(report(code=0))) == [("aicr guard", "no findings")]


def test_json_states_all_that_is_known_and_leaves_out_the_rest():
    document = read_json(json_report(report(*EVERY)))
    assert document["summary"] == {"error": 1, "warning": 1, "note": 1}
    assert (document["command"], document["exitCode"], document["version"]) == ("aicr guard", 1, "1.2.3")
    assert document["findings"][0]["places"][1] == {
        "file": "validators/runtime.yaml",
        "line": 7,
        "pointer": "/spec",
        "object": "TrainingRuntime/nccl",
    }
    assert document["findings"][2]["places"] == [{"flag": "--profile x=y, z"}]
    assert {rule["id"] for rule in document["rules"]} == {"AICR-G001", "AICR-I010", "AICR-U004"}


def test_annotations_have_title_file_line_and_column():
    error, warning, notice = read_github(github(report(*EVERY)))
    assert [kind for kind, _, _ in (error, warning, notice)] == ["error", "warning", "notice"]
    assert error[1]["title"].startswith("AICR-G001 ")
    assert {name: error[1][name] for name in ("file", "line", "col")} == {"file": "runtimes/tcpxo.yaml", "line": "41", "col": "9"}
    assert "file" not in notice[1]
    assert notice[2] == "no axis\n--profile x=y, z"


def test_markdown_counts_tabulates_and_fences():
    outside, fences = read_markdown(markdown(report(*EVERY)))
    assert outside.startswith("### aicr guard: 1 error, 1 warning, 1 note\n")
    assert "\n| warning | AICR-I010 | " in outside
    assert len(fences) == 3
    assert fences[0].startswith("error[AICR-G001]: image of node differs\n  --> runtimes/tcpxo.yaml:41:9 /spec/template\n")


def test_markdown_without_findings_says_so():
    assert markdown(report(code=0)) == "### aicr guard: no findings\n"


def test_markdown_that_would_be_too_long_keeps_the_gravest_and_counts_the_rest():
    many = [Finding(rule="AICR-I010", message=f"{number:04} {'ü' * 500}", severity=Severity.WARNING) for number in range(500)]
    text = markdown(report(*many, DIVERGED))
    assert len(text.encode()) <= LIMIT
    outside, fences = read_markdown(text)
    assert fences[0].startswith("error[AICR-G001]")
    assert outside.endswith(f"\n{501 - len(fences)} more findings would make this too long.")
    assert len(fences) > 50


@pytest.mark.parametrize(("text", "ticks"), [("a", 3), ("a`b", 3), ("```", 4), ("x ````` y ```", 6)])
def test_a_fence_is_longer_than_any_in_its_text(text, ticks):
    assert fenced(text) == f"{'`' * ticks}text\n{text}\n{'`' * ticks}"


@pytest.mark.parametrize("write", FORMATS.values(), ids=FORMATS)
@pytest.mark.parametrize("root", ["/a/checkout", "/other/place"])
def test_a_report_names_no_directory_of_the_machine(write, root):
    finding = Finding(
        rule="AICR-U020",
        message=f"'{root}/out' is not what its recipe renders to",
        location=Location(file=f"{root}/out/a.yaml", line=2),
        fix=f"run aicr bundle -o {root}/out",
        related=(Place(location=Location(file="/elsewhere/data/b.yaml")),),
    )
    here = Finding(
        rule="AICR-U020",
        message="'out' is not what its recipe renders to",
        location=Location(file="out/a.yaml", line=2),
        fix="run aicr bundle -o out",
        related=(Place(location=Location(file="b.yaml")),),
    )
    assert write(report(finding, root=root)) == write(report(here))


def test_the_root_directory_is_no_root_of_paths():
    finding = Finding(rule="AICR-U020", message="a/b", pointer="/x/y")
    assert report(finding, root="/").findings == (finding,)


def test_a_path_that_only_holds_the_root_stays():
    finding = Finding(rule="AICR-U020", message="see /b/a/c")
    assert report(finding, root="/a").findings == (finding,)


@pytest.mark.parametrize("code", [2, 8, 130])
def test_a_command_that_failed_without_a_finding_is_never_reported_clean(code):
    (finding,) = report(UNPINNED, code=code).findings[:1]
    assert (finding.rule, finding.severity) == ("AICR-U036", Severity.ERROR)
    assert finding.message == f"ended with exit code {code} before it came to a result"


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("a.yaml", True),
        ("out", True),
        ("aicr-data/a.yaml", True),
        ("--set a=b", False),
        ("-r", False),
        ("aicr bundle", False),
        ("", False),
    ],
)
def test_a_flag_or_a_command_is_no_file(file, expected):
    assert in_file(Location(file=file)) is expected


def test_every_rule_can_be_reported():
    from bundler.model.rules import RULES

    whole = report(*(Finding(rule=rule, message="m") for rule in RULES))
    run = read_sarif(sarif(whole))
    assert len(run["tool"]["driver"]["rules"]) == len(RULES)
    assert (
        len(read_json(json_report(whole))["rules"])
        == len(read_junit(junit(whole)))
        == len(read_github(github(whole)))
        == len(RULES)
    )
    assert json.loads(sarif(whole)) == json.loads(sarif(report(*reversed(whole.findings))))
    read_markdown(markdown(whole))
