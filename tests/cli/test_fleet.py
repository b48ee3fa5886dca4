"""Requirements on `aicr fleet`."""

import json
import textwrap

import pytest

FLEET = """\
apiVersion: aicr.run/v2
kind: Fleet
metadata: {name: test}
defaults: {recipe: h100-kind-training-kubeflow}
clusters:
  - {name: lab-1, output: sites/lab-1}
  - {name: lab-2}
  - name: lab-3
    recipe: h100-gke-cos-training-kubeflow
    profiles: {gpuStack: {value: gke-defualt}, fabricAttachment: {value: none}}
"""
BROKEN = textwrap.dedent(
    """\
    error[AICR-P003]: gpuStack has no value 'gke-defualt'
      --> fleet.yaml:10:27
      --> fleet.yaml:8:5
      object: cluster lab-3
      fix: did you mean 'gke-default'? recipe 'h100-gke-cos-training-kubeflow' accepts gke-default, driver-installer
    """
)


@pytest.fixture
def fleet(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fleet.yaml").write_text(FLEET)
    return tmp_path


def test_clusters_are_written_checked_and_found_drifted(run, fleet):
    code, out, err = run("fleet", "bundle", "fleet.yaml", "-o", "out", "--only", "lab-1", "--only", "lab-2")
    assert (code, err) == (0, "2 clusters: 2 written\n")
    assert out.splitlines()[0] == "STATUS   NAME   OUTPUT       NOTE"
    assert out.splitlines()[1].startswith("written  lab-1  sites/lab-1  ")
    assert (fleet / "out/sites/lab-1/checksums.txt").is_file()

    assert run("fleet", "bundle", "fleet.yaml", "-o", "out", "--only", "lab-1", "--check").code == 0
    (fleet / "out/lab-2/README.md").write_text("mine\n")
    code, out, err = run("fleet", "bundle", "fleet.yaml", "-o", "out", "--only", "lab-1", "--only", "lab-2", "--check")
    assert code == 1
    assert out.splitlines()[2] == "drifted  lab-2  lab-2        1 changed"
    assert err == (
        "error[AICR-U020]: 'lab-2' is not what its recipe renders to: 1 changed (changed: README.md)\n"
        "  --> fleet.yaml:7:6\n"
        "  object: cluster lab-2\n"
        "  fix: run aicr fleet bundle --only lab-2 with the same fleet files\n"
        "2 clusters: 1 current, 1 drifted\n"
    )
    assert run("fleet", "bundle", "fleet.yaml", "-o", "out", "--only", "lab-2", "--check", "--exit-zero").code == 0
    assert run("fleet", "bundle", "fleet.yaml", "-o", "out", "--only", "lab-2").code == 2
    assert run("fleet", "bundle", "fleet.yaml", "-o", "out", "--only", "lab-2", "--force").code == 0


def test_a_bundle_that_is_not_there_has_drifted(run, fleet):
    code, out, err = run("fleet", "bundle", "fleet.yaml", "-o", "out", "--only", "lab-2", "--check")
    assert (code, out.splitlines()[1].split()[:3]) == (1, ["drifted", "lab-2", "lab-2"])
    assert err.startswith("error[AICR-U020]: 'lab-2' is not there, and its recipe renders to ")
    assert err.endswith("  fix: run aicr fleet bundle --only lab-2 with the same fleet files\n1 cluster: 1 drifted\n")


@pytest.mark.parametrize("words", [(), ("--check",)], ids=["written", "checked"])
def test_what_is_not_locked_is_refused_cluster_by_cluster(run, fleet, words):
    tag = "overrides: [{component: nfd, path: [image, tag], value: v0.18.0}]"
    (fleet / "fleet.yaml").write_text(FLEET.replace("{name: lab-2}", f"{{name: lab-2, {tag}}}"))
    assert run("fleet", "bundle", "fleet.yaml", "-o", "out", "--only", "lab-1").code == 0
    both = ["fleet", "bundle", "fleet.yaml", "-o", "out", "--only", "lab-1", "--only", "lab-2"]
    code, out, err = run(*both, *words, "--locked")
    assert code == 2
    assert [line.split()[:2] for line in out.splitlines()[1:]] == [
        ["current" if words else "unchanged", "lab-1"],
        ["failed", "lab-2"],
    ]
    assert err.startswith("error[AICR-I026]: image registry.k8s.io/nfd/node-feature-discovery:v0.18.0 is not in the lock\n")
    assert not (fleet / "out/lab-2").exists()


def test_shards_make_the_whole_and_one_failure_decides_the_exit_code(run, fleet, monkeypatch):
    assert run("fleet", "bundle", "fleet.yaml", "-o", "out", "--shard", "1/2", "--summary", "1.json").code == 2
    monkeypatch.setenv("JOB_COMPLETION_INDEX", "1")
    code, _, err = run("fleet", "bundle", "fleet.yaml", "-o", "out", "--shard", "auto/2", "--summary", "2.json")
    assert (code, err) == (0, "1 cluster: 1 written (shard 2/2)\n")
    code, out, err = run("fleet", "merge", "2.json", "1.json", "--report", "json=report.json")
    assert code == 2
    assert [line.split()[:2] for line in out.splitlines()[1:]] == [["written", "lab-1"], ["written", "lab-2"], ["failed", "lab-3"]]
    assert err == BROKEN + "3 clusters: 2 written, 1 failed\n"
    report = json.loads((fleet / "report.json").read_text())
    assert [finding["rule"] for finding in report["findings"]] == ["AICR-P003"]


def test_the_summary_is_the_json_form(run, fleet):
    code, out, _ = run("fleet", "bundle", "fleet.yaml", "-o", "out", "-t", "json", "--summary", "all.json")
    assert code == 2
    assert out == (fleet / "all.json").read_text()
    summary = json.loads(out)
    assert [(cluster["name"], cluster["status"]) for cluster in summary["clusters"]] == [
        ("lab-1", "written"),
        ("lab-2", "written"),
        ("lab-3", "failed"),
    ]
    assert [(finding["rule"], finding["clusters"]) for finding in summary["findings"]] == [("AICR-P003", ["lab-3"])]


def test_clusters_are_listed(run, fleet):
    code, out, err = run("fleet", "list", "fleet.yaml", "--shard", "1/2")
    assert (code, err) == (0, "")
    assert out == (
        "NAME   RECIPE                          PROFILES                                    OUTPUT\n"
        "lab-1  h100-kind-training-kubeflow     -                                           sites/lab-1\n"
        "lab-3  h100-gke-cos-training-kubeflow  fabricAttachment=none,gpuStack=gke-defualt  lab-3\n"
    )
    assert json.loads(run("fleet", "list", "fleet.yaml", "-t", "json").out)[1] == {
        "name": "lab-2",
        "recipe": "h100-kind-training-kubeflow",
        "profiles": {},
        "output": "lab-2",
    }


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--force", "--check"], 2, "error[AICR-U014]: --force means nothing with --check"),
        (["--exit-zero"], 2, "error[AICR-U014]: --exit-zero means nothing without --check"),
        (["--only", "lab-1", "--shard", "1/2"], 2, "error[AICR-U014]: --only and --shard cannot stand together"),
        (
            ["--only", "lab1"],
            3,
            "error[AICR-L010]: no cluster 'lab1' in the fleet\n  --> --only lab1\n  fix: did you mean 'lab-1'?",
        ),
        (["--shard", "3/2"], 2, "error[AICR-L007]: there is no shard 3 of 2"),
    ],
)
def test_what_cannot_be_meant_is_refused(run, fleet, words, code, message):
    result = run("fleet", "bundle", "fleet.yaml", *words)
    assert (result.code, result.out) == (code, "")
    assert result.err.startswith(message)
    assert [path.name for path in fleet.iterdir()] == ["fleet.yaml"]


def test_a_file_of_another_kind_is_refused(run, fleet):
    (fleet / "other.yaml").write_text("apiVersion: aicr.run/v2\nkind: Overlay\n")
    assert run("fleet", "list", "other.yaml").code == 2
    assert run("fleet", "list", "missing.yaml").code == 3


def test_what_a_fresh_render_would_change_is_shown_by_cluster(run, fleet):
    assert run("fleet", "bundle", "fleet.yaml", "-o", "out", "--only", "lab-1", "--only", "lab-2").code == 0
    assert tuple(run("fleet", "diff", "fleet.yaml", "-o", "out", "--only", "lab-1")) == (0, "", "1 cluster: 0 differing\n")
    text = FLEET.replace("{name: lab-2}", "{name: lab-2, scheduling: {system: {nodeSelector: {pool: system}}}}")
    (fleet / "fleet.yaml").write_text(text)
    code, out, err = run("fleet", "diff", "fleet.yaml", "-o", "out", "--only", "lab-1", "--only", "lab-2", "-t", "brief")
    assert (code, err) == (1, "2 clusters: 1 differing\n")
    assert out.startswith("# lab-2: ")
    assert "scheduling" in out
    code, out, err = run("fleet", "diff", "fleet.yaml", "-o", "out", "-t", "json")
    assert code == 2
    assert [entry["cluster"] for entry in json.loads(out)] == ["lab-2"]
    assert err.endswith("3 clusters: 1 differing, 1 failed\n")
    assert run("fleet", "diff", "fleet.yaml", "-o", "out", "--only", "lab-2", "--exit-zero").code == 0


def test_a_bundle_that_was_never_written_is_all_new(run, fleet):
    code, out, _ = run("fleet", "diff", "fleet.yaml", "-o", "out", "--only", "lab-1", "-t", "json")
    assert code == 1
    assert {change["how"] for change in json.loads(out)[0]["items"]} == {"added"}
