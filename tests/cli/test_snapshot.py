"""Requirements on `aicr snapshot`."""

import json

import pytest

from bundler.catalog.catalog import Catalog
from bundler.cluster.facts import facts
from bundler.cluster.live import list_path
from tests.kube_server import Fault, KubeServer, kubeconfig, status

NODE = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}, "spec": {"providerID": "aws://x"}, "status": {}}


@pytest.fixture
def cluster(tmp_path):
    lists = {list_path(fact): [] for fact in facts(Catalog.load()).values()}
    lists["/api/v1/nodes"] = [NODE]
    with KubeServer(lists) as server:
        server.config = kubeconfig(tmp_path / "config", server)
        yield server


def test_a_snapshot_is_written_and_written_again_only_when_it_changed(run, cluster, tmp_path):
    out = tmp_path / "cluster.json"
    assert tuple(run("snapshot", "--kubeconfig", cluster.config, "-o", out)) == (0, "", f"{out}: 1 nodes; written\n")
    assert run("snapshot", "--kubeconfig", cluster.config, "-o", out).err == f"{out}: 1 nodes; already up to date\n"
    assert run("snapshot", "--kubeconfig", cluster.config).out == out.read_text()
    assert json.loads(out.read_text())["resources"]["nodes"][0]["spec"] == {"providerID": "aws://x"}


def test_what_could_not_be_read_is_said(run, cluster):
    del cluster.lists["/apis/networking.gke.io/v1/networks"]
    cluster.fail("/api/v1/namespaces/kube-system/pods", Fault(code=403, body=status(403, "Forbidden", "pods is forbidden")))
    code, _, err = run("snapshot", "--kubeconfig", cluster.config)
    assert code == 0
    assert err == (
        "warning[AICR-Q010]: pods were not read: forbidden: pods is forbidden\n"
        "  --> the API server\n"
        "  fix: grant the permissions of docs/reference/cluster-facts.md\n"
        "note[AICR-Q010]: networks.networking.gke.io were not read: the cluster does not serve networking.gke.io/v1\n"
        "  --> the API server\n"
        "1 warning, 1 note\n"
    )


def test_a_cluster_that_says_nothing_leaves_no_file(run, cluster, tmp_path):
    cluster.always["/version"] = Fault(wait=3)
    out = tmp_path / "cluster.json"
    assert run("snapshot", "--kubeconfig", cluster.config, "--timeout", 1, "-o", out).code == 5
    assert run("snapshot", "--kubeconfig", tmp_path / "none", "-o", out).code == 3
    cluster.token = "other"
    cluster.always.clear()
    assert run("snapshot", "--kubeconfig", cluster.config, "-o", out).code == 6
    assert not out.exists()
