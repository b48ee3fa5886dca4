"""Requirements on `--report`: every command that finds something takes it, what is said is reported, and exit codes stay."""

import json

import click
import pytest

from bundler.cli.commands import root
from bundler.cli.reporting import FORMATS
from tests.unit.report.forms import read_github, read_json, read_junit, read_markdown, read_sarif

KIND = "h100-kind-training-kubeflow"
GKE = "h100-gke-cos-training-kubeflow"
READ = {"sarif": read_sarif, "junit": read_junit, "json": read_json, "markdown": read_markdown, "github": read_github}
REPORTING = ["bundle", "trainjob check", "trainjob render", "runtime lint", "bom", "lock", "verify", "mirror", "guard", "lint"]
UNKNOWN_FIELD = """\
apiVersion: aicr.run/v2
kind: Overlay
metadata: {name: service-x, description: One line.}
criteria: {service: x}
extra: 1
"""


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    overlays = tmp_path / "data/overlays/service"
    overlays.mkdir(parents=True)
    (overlays / "x.yaml").write_text(UNKNOWN_FIELD)
    return tmp_path


@pytest.fixture
def bundle(run, checkout):
    assert run("bundle", "--recipe", KIND, "-o", "out").code == 0
    return checkout / "out"


@pytest.mark.parametrize("name", REPORTING)
def test_a_command_that_finds_something_reports(name):
    command = root
    for word in name.split():
        command = command.get_command(click.Context(command), word)
    assert "--report" in {option for parameter in command.params for option in parameter.opts}


def test_every_format_reports_what_is_said_and_the_exit_code_stays(run, checkout):
    plain = run("lint", "data")
    code, out, err = run("lint", "data", *(word for name in FORMATS for word in ("--report", f"{name}=report.{name}")))
    assert (code, out, err) == tuple(plain) == (1, "", plain.err)
    assert plain.err.startswith("error[AICR-S001]: ")
    for name in FORMATS:
        text = (checkout / f"report.{name}").read_text(encoding="utf-8")
        READ[name](text)
        assert "AICR-S001" in text


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("suffix", ["", "=-"])
def test_without_a_file_the_report_goes_to_stdout(run, checkout, name, suffix):
    code, out, _ = run("lint", "data", "--report", name + suffix)
    assert code == 1
    READ[name](out)
    assert sorted(path.name for path in checkout.iterdir()) == ["data"]


def test_places_are_relative_to_where_the_command_runs(run, checkout):
    run("lint", checkout / "data", "--report", "sarif=a.sarif", "--report", "json=a.json")
    assert str(checkout) not in (checkout / "a.json").read_text() + (checkout / "a.sarif").read_text()
    (result,) = read_sarif((checkout / "a.sarif").read_text())["results"]
    physical = result["locations"][0]["physicalLocation"]
    assert physical == {"artifactLocation": {"uri": "data/overlays/service/x.yaml"}, "region": {"startLine": 5, "startColumn": 1}}


@pytest.mark.parametrize(
    ("words", "code", "rule"),
    [
        (["bundle", "--recipe", GKE, "--stdout"], 2, "AICR-P002"),
        (["bundle", "--recipe", "nothing", "--stdout"], 3, "AICR-C001"),
        (["bundle", "--recipe", KIND], 2, "AICR-U014"),
        (["verify"], 2, "AICR-U003"),
        (["lint", "--strict", "missing.yaml"], 3, "AICR-"),
        (["bundle", "--check", "missing"], 3, "AICR-"),
        (["trainjob", "check", "missing.yaml"], 3, "AICR-"),
    ],
)
def test_what_stops_a_command_is_reported(run, checkout, words, code, rule):
    outcome = run(*words, "--report", "json=a.json")
    assert (outcome.code, outcome.out) == (code, "")
    document = read_json((checkout / "a.json").read_text())
    assert document["exitCode"] == code
    assert document["summary"]["error"] == outcome.err.count("error[")
    assert document["findings"][0]["rule"] in outcome.err
    assert document["findings"][0]["rule"].startswith(rule)


def test_a_committed_bundle_that_is_not_current_is_reported(run, bundle):
    (bundle / "recipe.yaml").write_text((bundle / "recipe.yaml").read_text() + "# edited\n")
    outcome = run("bundle", "--check", "out", "--report", "github", "--report", "junit=a.xml")
    assert outcome.code == 1
    errors = [annotation for annotation in read_github(outcome.out) if annotation[0] == "error"]
    assert [properties["title"] for _, properties, _ in errors] == ["AICR-U020 committed bundle is not current"]
    assert [case[0] for case in read_junit((bundle.parent / "a.xml").read_text()) if case[2][0] == "failure"] == ["AICR-U020"]


def test_a_report_of_what_ends_well_has_no_failure(run, bundle):
    outcome = run("verify", "out", "--report", "junit=a.xml")
    assert outcome.code == 0
    assert 'failures="0"' in (bundle.parent / "a.xml").read_text()


def test_a_usage_error_behind_the_report_is_reported(run, checkout):
    assert run("guard", "--format", "nothing", "--report", "json=a.json").code == 2
    assert read_json((checkout / "a.json").read_text())["findings"][0]["rule"] == "AICR-U003"


def test_a_secret_given_on_the_command_line_is_in_no_report(run, checkout):
    words = ["bundle", "--recipe", KIND, "--set", "nfd:master.token=correct-horse", "--stdout"]
    outcome = run(*words, *(word for name in FORMATS for word in ("--report", f"{name}=report.{name}")))
    assert outcome.code == 2
    for name in FORMATS:
        text = (checkout / f"report.{name}").read_text(encoding="utf-8")
        READ[name](text)
        assert "correct-horse" not in text


def test_a_report_is_the_same_in_every_directory(run, checkout, monkeypatch):
    texts = []
    for name in ("one", "two"):
        place = checkout / name
        place.mkdir()
        (place / "data").symlink_to(checkout / "data")
        monkeypatch.chdir(place)
        texts.append([run("lint", "data", "--report", form).out for form in FORMATS])
    assert texts[0] == texts[1]


@pytest.mark.parametrize(
    ("reports", "said"),
    [
        (["sarfi=a"], "U034]: no report format 'sarfi' | --report sarfi=a | did you mean 'sarif'?"),
        (["xyzzy"], "U034]: no report format 'xyzzy' | --report xyzzy | formats: github, json, junit, markdown, sarif"),
        (["sarif="], "U035]: the path of the report is empty | --report sarif= | write sarif=FILE"),
        (["json=a", "sarif=./a"], "U035]: two reports to './a' | --report sarif=./a | give each report a file of its own"),
        (["github", "json=-"], "U035]: two reports to stdout | --report json=- | give each report a file of its own"),
    ],
)
def test_a_report_that_cannot_be_is_refused(run, checkout, reports, said):
    code, _, err = run("lint", "data", *(word for report in reports for word in ("--report", report)))
    message, place, fix = said.split(" | ")
    assert code == 2
    assert err == f"error[AICR-{message}\n  --> {place}\n  fix: {fix}\n"


def test_a_report_that_cannot_be_written_is_said_and_the_others_are_written(run, checkout):
    code, _, err = run("lint", "data", "--report", "sarif=missing/a.sarif", "--report", "json=a.json")
    assert code == 6
    assert "error[AICR-O025]: cannot write 'missing/a.sarif'" in err
    assert read_json((checkout / "a.json").read_text())["exitCode"] == 1


def test_a_report_is_a_file_as_others_are(run, checkout):
    (checkout / "a.json").symlink_to(checkout / "elsewhere")
    code, _, err = run("lint", "data", "--report", "json=a.json")
    assert code == 2
    assert "error[AICR-O024]" in err
    assert not (checkout / "elsewhere").exists()


def test_findings_of_one_run_are_not_those_of_the_next(run, checkout):
    run("lint", "data", "--report", "json=a.json")
    run("lint", "--report", "json=b.json", checkout / "data/overlays/service/x.yaml")
    first, second = (json.loads((checkout / name).read_text())["findings"] for name in ("a.json", "b.json"))
    assert len(first) == len(second) == 1
