"""`aicr trainjob`: what a TrainJob will be, and what is wrong with it, at the line and with an exit code."""

import json
import re
from pathlib import Path

import pytest
import yaml

JOB = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: demo
  namespace: team
spec:
  runtimeRef:
    name: wired
  trainer:
    image: registry.example.com/team/train:1
    numNodes: 2
"""
RUNTIME = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata:
  name: wired
  labels: {trainer.kubeflow.org/framework: torch}
spec:
  mlPolicy: {numNodes: 2, torch: {}}
  template:
    spec:
      replicatedJobs:
        - name: node
          template:
            metadata:
              labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}
            spec:
              template:
                metadata:
                  annotations: {example.com/interfaces: "eth0,eth1"}
                spec:
                  containers:
                    - name: node
                      image: registry.example.com/base:1
                      resources:
                        requests: {nvidia.com/gpu: "8"}
                        limits: {nvidia.com/gpu: "8"}
                        claims: [{name: channel}]
                  resourceClaims:
                    - {name: channel, resourceClaimTemplateName: channel}
"""
LOCK = "components:\n- {name: kubeflow-trainer, version: 2.3.0}\n"
PER_NODE = "    resourcesPerNode:\n      limits: {memory: 1Gi}\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "job.yaml").write_text(JOB)
    (tmp_path / "runtime.yaml").write_text(RUNTIME)
    (tmp_path / "out" / "runtimes").mkdir(parents=True)
    (tmp_path / "out" / "runtimes" / "wired.yaml").write_text(RUNTIME)
    (tmp_path / "out" / "bundle.lock.yaml").write_text(LOCK)
    return tmp_path


def test_a_job_that_keeps_everything_is_said_to(run, folder):
    code, out, err = run("trainjob", "check", "job.yaml", "--bundle", "out")
    assert (code, err) == (0, "")
    assert out == (
        "job.yaml:1:1 TrainJob/demo, Trainer 2.3.0\n"
        "  runtime: ClusterTrainingRuntime/wired, attached to a fabric\n"
        "  pods: node 2\n"
        "  kept: 4 of 4 parts of the runtime\n"
        "  admitted; no findings\n"
    )


def test_what_is_lost_is_a_finding_at_its_line(run, folder):
    (folder / "job.yaml").write_text(JOB + PER_NODE)
    code, out, err = run("trainjob", "check", "job.yaml", "--bundle", "out")
    assert code == 1
    assert out.endswith("  FATE  WHERE      PART           BY\n  lost  node/node  claim channel  /spec/trainer/resourcesPerNode\n")
    assert (
        "error[AICR-J040]: claim channel of node/node is lost\n"
        "  --> job.yaml:12:5 /spec/trainer/resourcesPerNode\n"
        "  object: TrainJob/demo\n"
        "  fix: leave resourcesPerNode out: it erases the claims of the runtime\n"
    ) in err


@pytest.mark.parametrize(
    ("flags", "version"),
    [
        (["--bundle", "out"], "2.3.0"),
        (["--bundle", "out", "--trainer-version", "2.2"], "2.2.0"),
        (["--runtime", "runtime.yaml"], "2.2.0"),
        (["--runtime", "runtime.yaml", "--trainer-version", "2.4-preview"], "2.4-preview (planned)"),
    ],
)
def test_the_version_is_the_stated_one_else_the_bundles_else_the_recipes(run, folder, flags, version):
    assert run("trainjob", "check", "job.yaml", *flags).out.startswith(f"job.yaml:1:1 TrainJob/demo, Trainer {version}\n")


def test_several_jobs_in_several_files_are_checked_in_order(run, folder):
    (folder / "more.yaml").write_text(f"{JOB.replace('demo', 'a')}---\n{JOB.replace('demo', 'b')}")
    out = run("trainjob", "check", "job.yaml", "more.yaml", "--bundle", "out").out
    assert [line.split()[1] for line in out.splitlines() if "TrainJob/" in line] == ["TrainJob/demo,", "TrainJob/a,", "TrainJob/b,"]


def test_a_job_may_come_from_stdin(process, folder):
    import subprocess
    import sys

    words = [sys.executable, "-m", "bundler", "trainjob", "check", "-", "--bundle", str(folder / "out")]
    root = Path(__file__).parents[2]
    done = subprocess.run(words, input=JOB.encode(), capture_output=True, cwd=root, check=False)
    assert done.stdout.startswith(b"stdin:1:1 TrainJob/demo")
    assert done.returncode == 0


def test_what_is_no_trainjob_is_said(run, folder):
    (folder / "job.yaml").write_text(f"{JOB}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: x}}\n")
    code, _, err = run("trainjob", "check", "job.yaml", "--bundle", "out")
    assert code == 0
    assert err.startswith("note[AICR-J005]: ConfigMap is no TrainJob and is not checked\n  --> job.yaml:13:1\n")


def test_the_report_is_data_too(run, folder):
    (folder / "job.yaml").write_text(JOB + PER_NODE)
    (job,) = json.loads(run("trainjob", "check", "job.yaml", "--bundle", "out", "-t", "json").out)
    assert {key: job[key] for key in ("job", "runtime", "attached", "admitted", "trainer", "pods")} == {
        "job": "demo",
        "runtime": "ClusterTrainingRuntime/wired",
        "attached": True,
        "admitted": True,
        "trainer": "2.3.0",
        "pods": {"node": 2},
    }
    lost = {"place": "node/node", "kind": "claim", "name": "channel", "fate": "lost", "cause": "/spec/trainer/resourcesPerNode"}
    assert {**lost, "runtime": {"name": "channel"}, "pod": None} in job["parts"]
    assert {finding["rule"] for finding in job["findings"]} == {"AICR-J040", "AICR-J051"}
    assert yaml.safe_load(run("trainjob", "check", "job.yaml", "--bundle", "out", "-t", "yaml").out) == [job]


@pytest.mark.parametrize(
    ("extra", "flags", "code"),
    [
        ("", [], 0),
        (PER_NODE, [], 1),
        (PER_NODE, ["--exit-zero"], 0),
        ("    numProcPerNode: 4\n", [], 0),
        ("    numProcPerNode: 4\n", ["--strict"], 1),
    ],
)
def test_exit_codes_follow_what_is_found(run, folder, extra, flags, code):
    (folder / "job.yaml").write_text(JOB + extra)
    assert run("trainjob", "check", "job.yaml", "--bundle", "out", *flags).code == code


@pytest.mark.parametrize(
    ("words", "code", "rule"),
    [
        (["nope.yaml"], 3, "AICR-S014"),
        (["runtime.yaml"], 2, "AICR-J004"),
        (["job.yaml", "--trainer-version", "1.9"], 2, "AICR-J001"),
        (["job.yaml", "--runtime", "torch-distribute"], 3, "AICR-J011"),
        (["job.yaml", "--bundle", "."], 3, "AICR-O021"),
        (["job.yaml", "--bundle", "out", "--runtime", "wierd"], 3, "AICR-J011"),
        ([], 2, "AICR-U003"),
    ],
)
def test_bad_words_end_as_they_should(run, folder, words, code, rule):
    outcome = run("trainjob", "check", *words)
    assert outcome.code == code
    assert f"error[{rule}]" in outcome.err
    assert outcome.out == ""


@pytest.mark.parametrize(("words", "what"), [(["trainjob", "check"], "TrainJob"), (["runtime", "lint"], "runtime")])
def test_of_several_files_all_that_cannot_be_read_are_told(run, folder, words, what):
    (folder / "torn.yaml").write_text("a: [\n")
    (folder / "other.yaml").write_text("kind: ConfigMap\napiVersion: v1\n")
    code, out, err = run(*words, "torn.yaml", "other.yaml", "nope.yaml")
    assert (code, out) == (3, "")
    assert "error[AICR-Y004]: this is not YAML" in err
    assert f"error[AICR-J004]: no {what} in 'other.yaml'" in err
    assert "error[AICR-S014]: file does not exist: 'nope.yaml'" in err


def test_a_shipped_runtime_is_found_by_the_name_that_the_job_refers_to(run, folder):
    (folder / "job.yaml").write_text(JOB.replace("wired", "torch-distributed"))
    code, out, _ = run("trainjob", "check", "job.yaml")
    assert code == 0
    assert "  runtime: ClusterTrainingRuntime/torch-distributed, not attached to a fabric\n" in out


def test_a_runtime_that_no_server_takes_is_a_finding_in_its_file(run, folder):
    (folder / "runtime.yaml").write_text(RUNTIME.replace("image:", "imag:"))
    code, out, err = run("trainjob", "check", "job.yaml", "--runtime", "runtime.yaml")
    assert code == 1
    assert "error[AICR-K002]: unknown field 'imag'\n  --> runtime.yaml:22:23 /spec/template/spec/replicatedJobs/0/" in err
    assert "  not admitted; 1 error\n" in out


def test_a_runtime_that_is_not_at_hand_is_a_finding(run, folder):
    code, out, err = run("trainjob", "check", "job.yaml")
    assert code == 1
    assert "error[AICR-J011]: no ClusterTrainingRuntime 'wired'; it has to exist before the job" in err
    assert "not admitted; 1 error" in out


def test_a_file_of_runtimes_wins_over_those_of_the_bundle(run, folder):
    (folder / "runtime.yaml").write_text(RUNTIME.replace("example.com/interfaces", "example.com/others"))
    out = run("trainjob", "render", "job.yaml", "--bundle", "out", "--runtime", "runtime.yaml").out
    assert "example.com/others" in out


@pytest.mark.parametrize(
    ("lock", "rule"),
    [
        ("", "AICR-Y005"),
        ("a: 1\n---\nb: 1\n", "AICR-Y006"),
        ("- 1\n", "AICR-O037"),
        ("components: 3\n", "AICR-O037"),
        ("components: [{version: '1'}]\n", "AICR-O037"),
        ("components: [{name: kubeflow-trainer, version: 2.3}]\n", "AICR-O037"),
    ],
)
def test_a_lock_that_is_none_is_bad_input(run, folder, lock, rule):
    (folder / "out" / "bundle.lock.yaml").write_text(lock)
    outcome = run("trainjob", "check", "job.yaml", "--bundle", "out")
    assert outcome.code == 2
    assert f"error[{rule}]" in outcome.err


def test_a_list_is_to_be_taken_apart(run, folder):
    (folder / "list.yaml").write_text("apiVersion: v1\nkind: List\nitems: []\n")
    code, _, err = run("trainjob", "check", "list.yaml")
    assert code == 2
    assert "fix: write each item of the list as a document of its own" in err


PAGES = sorted((Path(__file__).parents[2] / "docs" / "how-to").glob("fabric-*.md"))


@pytest.mark.parametrize("version", ["2.2", "2.3"])
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_job_of_every_page_about_a_fabric_keeps_it(run, folder, page, version):
    jobs = [
        block
        for block in re.findall(r"^```yaml[^\n]*\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
        if "kind: TrainJob" in block
    ]
    assert jobs
    for job in jobs:
        (folder / "job.yaml").write_text(job)
        outcome = run("trainjob", "check", "job.yaml", "--trainer-version", version)
        assert outcome.code == 0, outcome.err


def test_renders_the_jobset(run, folder):
    code, out, err = run("trainjob", "render", "job.yaml", "--bundle", "out")
    assert (code, err) == (0, "")
    jobset = yaml.safe_load(out)
    assert (jobset["kind"], jobset["metadata"]) == ("JobSet", {"name": "demo", "namespace": "team"})
    assert jobset["spec"]["replicatedJobs"][0]["template"]["spec"]["completions"] == 2
    assert json.loads(run("trainjob", "render", "job.yaml", "--bundle", "out", "-o", "json").out) == jobset


def test_renders_the_first_pod_of_each_replicated_job(run, folder):
    out = run("trainjob", "render", "job.yaml", "--runtime", "runtime.yaml", "--pod").out
    (pod,) = yaml.safe_load_all(out)
    assert (pod["kind"], pod["spec"]["hostname"]) == ("Pod", "demo-node-0-0")
    assert pod["metadata"]["annotations"]["example.com/interfaces"] == "eth0,eth1"


def test_renders_nothing_of_a_job_that_is_refused(run, folder):
    (folder / "job.yaml").write_text(JOB.replace("numNodes: 2", "numNodes: '2'"))
    code, out, err = run("trainjob", "render", "job.yaml", "--bundle", "out")
    assert (code, out) == (1, "")
    assert "error[AICR-K003]" in err


def test_says_of_what_is_rendered_that_it_will_never_be(run, folder):
    (folder / "job.yaml").write_text(JOB.replace("name: demo", f"name: {'d' * 60}"))
    code, out, err = run("trainjob", "render", "job.yaml", "--bundle", "out")
    assert code == 1
    assert err.startswith("error[AICR-J030]: the name of a pod of 'node' is 75 characters long, at most 63 are allowed")
    assert yaml.safe_load(out)["kind"] == "JobSet"
    (folder / "job.yaml").write_text(JOB + PER_NODE)
    code, _, err = run("trainjob", "render", "job.yaml", "--bundle", "out")
    assert (code, err) == (0, "")


def test_nothing_a_job_holds_acts_on_the_terminal(run, folder):
    (folder / "job.yaml").write_text(JOB.replace("name: demo", r'name: "de\x1b[2Jmo"'))
    outcome = run("trainjob", "check", "job.yaml", "--bundle", "out")
    assert outcome.code == 1
    assert "\x1b" not in outcome.out + outcome.err


def test_a_file_of_runtimes_has_some(run, folder):
    (folder / "job.yaml").write_text(JOB)
    code, out, err = run("trainjob", "check", "job.yaml", "--runtime", "./job.yaml")
    assert (code, out) == (2, "")
    assert err == (
        "error[AICR-J004]: no runtime in 'job.yaml'\n"
        "  --> job.yaml\n"
        "  fix: name a file that holds a ClusterTrainingRuntime or a TrainingRuntime\n"
    )
