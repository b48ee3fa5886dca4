"""Requirements on `aicr validate`: exit 1 for what failed, a warning for what is not proved, and one result in every form."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml

from bundler.catalog.catalog import Catalog
from bundler.cluster.facts import facts
from bundler.cluster.live import list_path
from tests.kube_server import KubeServer, kubeconfig

GKE = "h100-gke-cos-training-kubeflow"
NETWORKS = "fabricAttachment.interfaces=" + ",".join(f"eth{number}=vpc{number}" for number in range(1, 9))
CHOICES = ["--profile", "gpuStack=gke-default", "--profile", "fabricAttachment=gke-tcpxo-multinetwork", "--param", NETWORKS]
LOGS = Path(__file__).parents[1] / "unit/evidence/logs"
FOREIGN = Path(__file__).parents[1] / "unit/guard/foreign/h100-gke.yaml"
FIXTURE = "validators/trainingruntime-nccl-all-reduce-tcpxo.yaml"
CLASS = "cluster-capability: what was measured says what the cluster can do, not what a bundle delivers: "


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    from bundler.cli import main

    out = tmp_path_factory.mktemp("bundle") / "out"
    assert main(["bundle", "--recipe", GKE, *CHOICES, "-o", str(out)]) == 0
    return out


def outcomes(out):
    return {check["name"]: (check["outcome"], check["says"]) for check in json.loads(out)["checks"]}


def test_a_figure_of_the_bundles_own_fixture_is_evidence_of_what_it_delivers(run, bundle):
    words = ["--bundle", bundle, "--logs", LOGS / "tcpxo.log", "--measured-on", bundle / FIXTURE]
    code, out, err = run("validate", *words)
    assert (code, err) == (0, "")
    assert [line.split("  ")[0:1] + line.split()[1:3] for line in out.splitlines()[1:4]] == [
        ["performance", "transport", "passed"],
        ["performance", "bandwidth", "passed"],
        ["performance", "evidence", "passed"],
    ]
    assert "delivered-artifact: what is measured on it is what this bundle delivers" in out
    assert out.endswith("\n3 passed\n")


def test_a_figure_of_another_fixture_is_no_validation_of_the_bundle(run, bundle):
    words = ["--bundle", bundle, "--logs", LOGS / "tcpxo.log", "--measured-on", FOREIGN]
    code, out, err = run("validate", *words, "-t", "json")
    assert code == 0
    reason = "it was measured on nccl-all-reduce-runtime, which is wired otherwise than torch-distributed-tcpxo"
    assert outcomes(out)["evidence"] == ("unproven", CLASS + reason)
    assert f"warning[AICR-E030]: {CLASS}{reason}" in err
    assert run("validate", *words, "--fail-on", "warning").code == 1


def test_a_log_does_not_say_what_it_was_measured_on(run, bundle):
    code, out, _ = run("validate", "--bundle", bundle, "--logs", LOGS / "tcpxo.log", "-t", "json")
    assert code == 0
    assert outcomes(out)["evidence"][0] == "unproven"
    assert outcomes(out)["bandwidth"][0] == "passed"


def test_a_recipe_with_its_choices_says_what_to_expect_as_a_bundle_does(run, bundle):
    _, of_bundle, _ = run("validate", "--bundle", bundle, "--logs", LOGS / "socket.log", "-t", "json")
    code, out, _ = run("validate", "--recipe", GKE, *CHOICES, "--logs", LOGS / "socket.log", "-t", "json")
    assert code == 1
    assert outcomes(out) == outcomes(of_bundle)
    assert json.loads(out)["target"] == GKE


def test_without_a_recipe_the_log_is_taken_for_what_it_shows(run):
    code, out, err = run("validate", "--phase", "performance", "--logs", LOGS / "warn.log")
    assert code == 0
    assert "nothing proves a fabric: NCCL wrote no line at INFO, where alone it names its network" in err
    assert "no recipe is named, so there is no floor" in out


def test_a_recipe_without_a_fabric_has_nothing_to_prove(run):
    code, out, err = run("validate", "--recipe", "h100-kind-training-kubeflow", "--logs", LOGS / "socket.log")
    assert (code, err) == (0, "")
    assert out.endswith("2 skipped\n")


def test_a_bundle_that_was_edited_is_refused(run, bundle, tmp_path):
    import shutil

    edited = shutil.copytree(bundle, tmp_path / "out")
    (edited / "recipe.yaml").write_text((edited / "recipe.yaml").read_text() + "# mine\n")
    code, out, err = run("validate", "--bundle", edited, "--logs", LOGS / "tcpxo.log")
    assert (code, out) == (2, "")
    assert "error[AICR-O032]" in err


def test_the_json_keeps_its_schema_and_has_every_row(run):
    _, out, _ = run("validate", "--logs", LOGS / "tcpxo.log", "-t", "json")
    document = json.loads(out)
    assert Catalog.load().validator("validation").check(document) == ()
    (measured,) = document["measurements"]
    assert len(measured["rows"]) == 32
    assert measured["rows"][-1] == {
        "bytes": 1 << 34,
        "outOfPlace": {"algbw": 180.2, "busbw": 337.88, "wrong": 0},
        "inPlace": {"algbw": 180.13, "busbw": 337.75, "wrong": 0},
    }


def test_junit_has_one_test_a_check_and_what_is_not_proved_is_skipped(run, bundle):
    words = ["--bundle", bundle, "--logs", LOGS / "tcpxo-slow.log", "-t", "junit"]
    code, out, _ = run("validate", *words)
    assert code == 1
    (suite,) = ET.fromstring(out)
    assert dict(suite.attrib) == {
        "name": "aicr validate performance",
        "tests": "3",
        "failures": "1",
        "errors": "0",
        "skipped": "1",
    }
    assert [(case.get("name"), case[0].tag) for case in suite] == [
        ("transport", "system-out"),
        ("bandwidth", "failure"),
        ("evidence", "skipped"),
    ]
    strict = ET.fromstring(run("validate", *words, "--fail-on", "warning").out)
    assert strict[0].get("failures") == "2"


def test_findings_go_to_every_report(run, tmp_path):
    report = tmp_path / "out.sarif"
    code, _, _ = run("validate", "--logs", LOGS / "rxdm.log", "--report", f"sarif={report}")
    assert code == 1
    results = json.loads(report.read_text())["runs"][0]["results"]
    assert [result["ruleId"] for result in results] == ["AICR-E010", "AICR-E022", "AICR-E030"]
    assert run("validate", "--logs", LOGS / "rxdm.log", "--exit-zero").code == 0


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ([], 2, "error[AICR-V001]: nothing to look at"),
        (["--logs", "none.log"], 3, "error[AICR-E004]: no log 'none.log'"),
        (["--logs", "."], 2, "error[AICR-E003]: not a log file: '.'"),
        (["--logs", str(LOGS / "tcpxo.log"), "--bundle", "nowhere"], 3, "error[AICR-O021]"),
        (
            ["--logs", str(LOGS / "tcpxo.log"), "--bundle", "out", "--recipe", GKE],
            2,
            "error[AICR-V001]: a bundle states all its choices; nothing is chosen beside it",
        ),
    ],
)
def test_misuse(run, words, code, said):
    found = run("validate", *words)
    assert found.code == code
    assert said in found.err


SAMPLES = Path(__file__).parents[1] / "samples"


def test_a_snapshot_is_held_against_a_recipe_and_not_filled_into_it(run):
    networks = "fabricAttachment.interfaces=" + ",".join(f"eth{number}=demo-gpu-nic-{number - 1}" for number in range(1, 9))
    words = ["--recipe", GKE, *CHOICES[:4], "--param", networks, "--phase", "deployment"]
    facts = [
        "--snapshot",
        SAMPLES / "02-gke-a3mega-node-displaced-gvnic.yaml",
        "--snapshot",
        SAMPLES / "03-gke-a3mega-networks.yaml",
    ]
    code, out, err = run("validate", *words, *facts, "-t", "json")
    assert code == 1
    document = json.loads(out)
    assert Catalog.load().validator("validation").check(document) == ()
    assert [Path(name).name for name in document["cluster"]] == [
        "02-gke-a3mega-node-displaced-gvnic.yaml",
        "03-gke-a3mega-networks.yaml",
    ]
    assert {name: outcome for name, (outcome, _) in outcomes(out).items()} == {
        "trainer": "unproven",
        "runtime-torch-distributed": "unproven",
        "runtime-torch-distributed-tcpxo": "unproven",
        "nodes-schedulable": "passed",
        "networks-ready": "passed",
        "networks-usable": "failed",
        "resources-allocatable": "passed",
        "plugin-installed": "unproven",
        "fabric-used": "unproven",
    }
    assert "default took eth1 at 0000:06:00.0" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--snapshot", SAMPLES / "01-gke-a3mega-nodes.yaml"], "a cluster is validated against what ships"),
        (["--phase", "deployment", "--logs", LOGS / "tcpxo.log"], "readiness and deployment look at a cluster"),
        (["--phase", "performance", "--live", "--recipe", "h100-kind-training-kubeflow"], "phase performance looks at logs"),
    ],
)
def test_a_phase_has_something_to_look_at(run, words, said):
    code, out, err = run("validate", *words)
    assert (code, out) == (2, "")
    assert f"error[AICR-V001]: {said}" in err


def test_the_cluster_itself_is_read_and_not_written_to(run, bundle, tmp_path):
    lists = {list_path(fact): [] for fact in facts(Catalog.load()).values()}
    lists["/api/v1/nodes"] = yaml.safe_load((SAMPLES / "01-gke-a3mega-nodes.yaml").read_text())["items"]
    with KubeServer(lists) as server:
        config = kubeconfig(tmp_path / "config", server)
        code, out, _ = run("validate", "--bundle", bundle, "--kubeconfig", config, "--phase", "deployment", "-t", "json")
        assert server.stored == server.posted == []
    assert code == 1
    assert outcomes(out)["runtime-torch-distributed-tcpxo"] == (
        "failed",
        "the cluster has no ClusterTrainingRuntime torch-distributed-tcpxo",
    )
    assert outcomes(out)["resources-allocatable"] == ("passed", "each of 2 nodes offers nvidia.com/gpu 8")
