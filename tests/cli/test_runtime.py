"""`aicr runtime`: rules for a runtime of one's own, what a TrainJob could take from it, and a benchmark derived from it."""

import json

import pytest
import yaml

from tests.cli.test_trainjob import RUNTIME

DIGEST = "sha256:eee11b3b3872a8c838e35ef48f08b2d5def2080902c7f666831310ca1a0ef2be"
IMAGE = f"docker.io/pytorch/pytorch:2.11.0-cuda12.8-cudnn9-runtime@{DIGEST}"
OWN = RUNTIME.replace("kind: Cluster", "kind: ").replace("name: wired", "name: wired\n  namespace: team")
TEMPLATE = """\
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: channel, namespace: team}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runtime.yaml").write_text(OWN.replace("registry.example.com/base:1", IMAGE) + TEMPLATE)
    return tmp_path


def test_lists_what_a_trainjob_can_take(run, folder):
    code, out, err = run("runtime", "lint", "runtime.yaml", "--trainer-version", "2.3")
    assert (code, err) == (0, "")
    assert out == (
        "runtime.yaml:1:1 TrainingRuntime/wired, Trainer 2.3.0: no findings\n"
        "  what a TrainJob can take from it:\n"
        "  FIELD                                       WHERE      WHAT\n"
        "  trainer.resourcesPerNode, whatever it says  node/node  claim channel\n"
        "  trainer.resourcesPerNode.limits             node/node  claim channel\n"
    )
    (data,) = json.loads(run("runtime", "lint", "runtime.yaml", "--trainer-version", "2.3", "-t", "json").out)
    assert data["erasures"][0]["parts"] == [{"place": "node/node", "kind": "claim", "name": "channel"}]


def test_a_fault_is_a_finding_at_its_line(run, folder):
    text = (folder / "runtime.yaml").read_text()
    (folder / "runtime.yaml").write_text(
        text.replace("- name: node\n                      image", "- name: main\n                      image")
    )
    code, _, err = run("runtime", "lint", "runtime.yaml")
    assert code == 1
    assert (
        "error[AICR-K025]: replicated job 'node' carries out step 'trainer' and has no container 'node'\n  --> runtime.yaml:21:"
        in err
    )
    assert run("runtime", "lint", "runtime.yaml", "--exit-zero").code == 0


@pytest.mark.parametrize(("flags", "code"), [([], 0), (["--strict"], 1)])
def test_an_image_without_digest_is_a_warning(run, folder, flags, code):
    (folder / "runtime.yaml").write_text(OWN + TEMPLATE)
    outcome = run("runtime", "lint", "runtime.yaml", *flags)
    assert outcome.code == code
    assert outcome.err.startswith("warning[AICR-I004]")
    assert "fix: write NAME@sha256:DIGEST, or record its digest" in outcome.err


def test_derives_a_benchmark_with_the_list_of_what_it_takes_over(run, folder):
    code, out, err = run("runtime", "derive", "--for", "nccl-all-reduce", "--runtime", "runtime.yaml", "-n", "bench")
    assert (code, err) == (0, "")
    assert out.startswith(
        "# nccl-all-reduce, derived from TrainingRuntime/wired. Of its pods is taken over:\n"
        "#   /spec/containers/node/image: the image brings mpirun and the NCCL tests\n"
    )
    derived = yaml.safe_load(out)
    assert derived["kind"] == "TrainingRuntime"
    assert derived["metadata"]["name"] == "wired-nccl-all-reduce"
    assert derived["metadata"]["namespace"] == "bench"
    data = json.loads(
        run("runtime", "derive", "--for", "nccl-all-reduce", "--runtime", "runtime.yaml", "-n", "bench", "-o", "json").out
    )
    assert data["runtime"] == derived
    assert set(data["overridden"]) == {f"/spec/containers/node/{key}" for key in ("image", "command", "args", "readinessProbe")}


def test_what_is_derived_keeps_the_rules(run, folder):
    out = run("runtime", "derive", "--for", "nccl-all-reduce", "--runtime", "runtime.yaml", "-n", "bench").out
    (folder / "derived.yaml").write_text(out)
    code, _, err = run("runtime", "lint", "derived.yaml")
    assert code == 0, err


def test_derives_from_a_shipped_runtime_by_name(run, folder):
    code, out, err = run("runtime", "derive", "--for", "nccl-all-reduce", "--runtime", "torch-distributed-tcpxo")
    assert (code, err) == (0, "")
    assert out.startswith("# nccl-all-reduce, derived from ClusterTrainingRuntime/torch-distributed-tcpxo.")


@pytest.mark.parametrize(
    ("words", "code", "rule"),
    [
        (["lint", "nope.yaml"], 3, "AICR-S014"),
        (["lint", "job.yaml"], 2, "AICR-J004"),
        (["derive", "--for", "nccl-all-reduc", "--runtime", "runtime.yaml"], 3, "AICR-J060"),
        (["derive", "--for", "nccl-all-reduce"], 2, "AICR-J060"),
        (["derive", "--for", "nccl-all-reduce", "--runtime", "torch-distributed"], 2, "AICR-J060"),
        (["derive"], 2, "AICR-U003"),
        (["lint", "bare.yaml"], 2, "AICR-K004"),
        (["derive", "--for", "nccl-all-reduce", "--runtime", "bare.yaml"], 2, "AICR-K004"),
        (["derive", "--for", "nccl-all-reduce", "--runtime", "broken.yaml"], 2, "AICR-K003"),
        (["derive", "--for", "nccl-all-reduce", "--runtime", "runtime.yaml", "--image", "a b"], 2, "AICR-I002"),
        (["derive", "--for", "nccl-all-reduce", "--runtime", "runtime.yaml", "--namespace", "A"], 2, "AICR-K011"),
    ],
)
def test_bad_words_end_as_they_should(run, folder, words, code, rule):
    (folder / "job.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n")
    (folder / "bare.yaml").write_text("apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainingRuntime\n")
    (folder / "broken.yaml").write_text(
        OWN.replace("- name: node\n                      image", "- name: 1\n                      image")
    )
    outcome = run("runtime", *words)
    assert outcome.code == code
    assert f"error[{rule}]" in outcome.err
    assert outcome.out == ""
