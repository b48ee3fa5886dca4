"""Requirements on `--dry-run`: the live nodes are detected as the controllers do, each object is judged, and nothing is stored."""

from pathlib import Path

import pytest
import yaml

from bundler.catalog.catalog import Catalog
from bundler.cluster.facts import facts
from bundler.cluster.live import list_path
from tests.kube_server import Fault, KubeServer, kubeconfig, status

SAMPLES = Path(__file__).parents[1] / "samples"
CERT = """\
apiVersion: nvcre.nvidia.com/v1alpha1
kind: Certification
metadata: {name: live}
spec:
  target: {}
  categories:
    - {domain: communication, variant: nccl-all-reduce}
"""
NETWORKS = ", ".join(f"demo-gpu-nic-{number}" for number in range(8))


@pytest.fixture
def cluster(tmp_path):
    lists = {list_path(fact): [] for fact in facts(Catalog.load()).values()}
    lists["/api/v1/nodes"] = yaml.safe_load((SAMPLES / "01-gke-a3mega-nodes.yaml").read_text())["items"]
    lists["/api/v1/namespaces/kube-system/pods"] = yaml.safe_load((SAMPLES / "04-gke-tcpxo-installer-pods.yaml").read_text())[
        "items"
    ]
    with KubeServer(lists) as server:
        server.discovery = {
            "/apis/nvcre.nvidia.com/v1alpha1": [
                {"kind": "Workflow", "name": "workflows", "namespaced": True},
                {"kind": "Job", "name": "jobs", "namespaced": True},
            ],
            "/apis/trainer.kubeflow.org/v1alpha1": [
                {"kind": "TrainingRuntime", "name": "trainingruntimes", "namespaced": True},
                {"kind": "TrainJob", "name": "trainjobs", "namespaced": True},
            ],
        }
        server.config = kubeconfig(tmp_path / "config", server)
        (tmp_path / "cert.yaml").write_text(CERT)
        server.cert = tmp_path / "cert.yaml"
        yield server


def test_nodes_are_detected_and_every_object_is_judged(run, cluster):
    code, out, err = run("certification", "render", "--dry-run", "--kubeconfig", cluster.config, cluster.cert)
    assert code == 0
    annotations = yaml.safe_load(out)["metadata"]["annotations"]
    assert annotations["nvcrectl.nvidia.com/detected-platform"] == "gcp"
    assert annotations["nvcrectl.nvidia.com/detected-gpu-architecture"] == "h100"
    assert f"Auto-detected GKE TCPXO networks {NETWORKS} (allocatable on every target node)" in err
    table = err[err.index("RESOURCE") :].splitlines()
    assert [line.split()[1] for line in table[1:]] == ["OK"] * len(cluster.posted)
    assert [path.rpartition("/")[2] for path, _, _ in cluster.posted] == ["trainingruntimes", "workflows", "jobs", "trainjobs"]
    name = yaml.safe_load(out)["metadata"]["name"]
    assert [line.split()[0] for line in table[-2:]] == [f"Job/{name}-job", f"TrainJob/{name}-job-workload"]
    job, workload = (body for _, _, body in cluster.posted[-2:])
    assert job["spec"]["workload"]["trainJob"] == workload["spec"]
    assert workload["spec"]["runtimeRef"] == {"name": "nccl-all-reduce-runtime", "kind": "TrainingRuntime"}
    assert cluster.stored == []


def test_what_the_server_takes_for_invalid_ends_with_1(run, cluster):
    code, out, _ = run("certification", "render", "--dry-run", "--kubeconfig", cluster.config, cluster.cert)
    name = yaml.safe_load(out)["metadata"]["name"]
    cluster.verdicts[name] = (422, status(422, "Invalid", "spec.jobTemplate: Required value"), {})
    code, out, err = run("certification", "render", "--dry-run", "--kubeconfig", cluster.config, cluster.cert)
    assert code == 1
    assert yaml.safe_load(out)["metadata"]["name"] == name
    assert [f"Workflow/{name}", "INVALID", "spec.jobTemplate: Required value"] in [
        line.split(maxsplit=2) for line in err.splitlines()
    ]
    assert cluster.stored == []


def test_objects_are_judged_in_the_namespace_of_the_certification(run, cluster):
    labels = "  workloadMetadata: {labels: {team: a}}\n"
    cluster.cert.write_text(CERT.replace("{name: live}", "{name: live, namespace: team}") + labels)
    assert run("certification", "render", "--dry-run", "--kubeconfig", cluster.config, cluster.cert).code == 0
    assert cluster.posted[-1][2]["metadata"]["labels"] == {"team": "a"}  # of the workload object, as its queue sees it
    assert {path.split("/namespaces/")[1].split("/")[0] for path, _, _ in cluster.posted} == {"team"}


def test_a_server_that_goes_away_ends_with_6_and_says_so(run, cluster):
    config = cluster.config
    cluster.server.shutdown()
    cluster.server.server_close()
    code, out, err = run("certification", "render", "--dry-run", "--kubeconfig", config, cluster.cert)
    assert (code, out) == (6, "")
    assert err.startswith("error[AICR-Q008]: the API server cannot be reached: ")


def test_nodes_that_may_not_be_listed_are_no_reason_to_guess(run, cluster):
    refused = status(403, "Forbidden", "nodes is forbidden")
    cluster.always["/api/v1/nodes"] = Fault(code=403, body=refused)
    code, out, err = run("certification", "render", "--dry-run", "--kubeconfig", cluster.config, cluster.cert)
    assert (code, out) == (2, "")
    assert "error[AICR-N002]: nodes: reading it is forbidden (nodes is forbidden); nothing can be detected\n" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--dry-run", "--gpu-arch", "h100"),
            "--dry-run detects the GPU architecture from cluster nodes; cannot combine with --gpu-arch",
        ),
        (("--dry-run", "--snapshot", "x.json"), "--dry-run reads the cluster itself; cannot combine with --snapshot"),
        (("--context", "lab"), "--kubeconfig and --context mean nothing without --dry-run"),
    ],
)
def test_flags_that_contradict_a_dry_run_are_refused(run, cluster, words, message):
    code, out, err = run("certification", "render", *words, cluster.cert)
    assert (code, out) == (2, "")
    assert err.startswith(f"error[AICR-U014]: {message}\n")
    assert cluster.calls == []


def test_nodes_of_a_file_stand_in_for_the_cluster(run, cluster):
    nodes = ("--nodes-file", SAMPLES / "01-gke-a3mega-nodes.yaml")
    code, out, _ = run("certification", "render", *nodes, "--explain", cluster.cert)
    assert code == 0
    assert yaml.safe_load(out)["metadata"]["annotations"]["nvcrectl.nvidia.com/detected-platform"] == "gcp"
