"""Requirements on readiness and deployment: what a snapshot shows, and that what it does not show is never passed."""

from dataclasses import replace
from itertools import cycle

import pytest

from bundler.cluster.saved import read
from bundler.model.check import Outcome
from bundler.model.snapshot import Gap, GapReason, Snapshot
from bundler.validate.readiness import readiness
from tests.unit.validate.kit import (
    CATALOG,
    CRD,
    DEPLOYMENTS,
    NETWORKS,
    RUNTIMES,
    SAMPLES,
    deployed,
    said,
    shipped_with,
    with_nodes,
    with_objects,
)


def test_networks_that_are_ready_and_on_their_own_nics_pass(snapshot, shipped):
    checks = deployed(snapshot, shipped)
    assert said(checks["networks-ready"]) == ("passed", "8 Networks are ready, with their parameters")
    assert said(checks["networks-usable"]) == ("passed", "each of 2 nodes has 8 Networks, each on its own NIC")
    assert said(checks["resources-allocatable"]) == ("passed", "each of 2 nodes offers nvidia.com/gpu 8")


# NVIDIA/aicr issue 2265: the census of objects passes, and the fabric is not usable.
@pytest.mark.parametrize(
    ("name", "says"),
    [
        (
            "02-gke-a3mega-node-displaced-gvnic",
            (
                "node gke-demo-gpu-pool-5e6f7a80-bad1 has 7 of 8 Networks: demo-gpu-nic-7 cannot be allocated; "
                "default took eth1 at 0000:06:00.0"
            ),
        ),
        (
            "02b-gke-a3mega-node-ninth-network",
            (
                "node gke-demo-gpu-pool-5e6f7a80-bad2 has demo-storage-net besides 8 Networks of GPUs, "
                "and its NIC may take the place of theirs"
            ),
        ),
        (
            "02c-gke-node-no-multinet",
            (
                "node gke-demo-plain-pool-11aa22bb-zz01 has 0 of 8 Networks: demo-gpu-nic-0, demo-gpu-nic-1, demo-gpu-nic-2, "
                "demo-gpu-nic-3, demo-gpu-nic-4, demo-gpu-nic-5, demo-gpu-nic-6, demo-gpu-nic-7 cannot be allocated"
            ),
        ),
    ],
)
def test_networks_that_exist_and_cannot_be_used_fail(snapshot, shipped, name, says):
    checks = deployed(with_nodes(snapshot, name), shipped)
    assert checks["networks-ready"].outcome is Outcome.PASSED
    assert said(checks["networks-usable"]) == ("failed", says)


def test_networks_in_another_order_than_the_nics_fail(snapshot):
    turned = {**NETWORKS, "eth1": NETWORKS["eth2"], "eth2": NETWORKS["eth1"]}
    check = deployed(snapshot, shipped_with(turned))["networks-usable"]
    assert check.findings[0].message == (
        "node gke-demo-gpu-pool-5e6f7a80-k4xz has demo-gpu-nic-1 on eth2 at 0000:07:00.0, where pods take it for eth1"
    )
    assert len(check.findings) == 4


def test_a_network_that_is_not_ready_and_one_that_is_not_there(snapshot, shipped):
    pair = read([SAMPLES / "03b-gke-a3mega-network-not-ready.yaml"], CATALOG)
    others = tuple(
        one
        for one in snapshot.of("networks.networking.gke.io")
        if one["metadata"]["name"] not in {"demo-gpu-nic-3", "demo-gpu-nic-5"}
    )
    found = with_objects(snapshot, "networks.networking.gke.io", *others, *pair.of("networks.networking.gke.io"))
    check = deployed(found, shipped)["networks-ready"]
    assert [finding.message for finding in check.findings] == [
        "Ready of Network demo-gpu-nic-3 is False (ParamsNotReady)",
        "the cluster has no Network 'demo-gpu-nic-5'",
    ]
    assert check.says == "Ready of Network demo-gpu-nic-3 is False (ParamsNotReady), and 1 more"


def test_a_gap_never_passes(shipped):
    gap = Gap(resource="nodes", reason=GapReason.FORBIDDEN, message="nodes is forbidden")
    checks = deployed(Snapshot(sources=("cluster",), gaps=(gap,)), shipped)
    assert {check.outcome for check in checks.values()} == {Outcome.UNPROVEN}
    assert checks["networks-usable"].says == "nodes were not read (forbidden: nodes is forbidden)"
    assert checks["trainer"].says == f"{CRD} were not read (not-asked)"
    assert {str(finding.severity) for check in checks.values() for finding in check.findings} == {"warning"}


def test_no_node_is_no_pass(snapshot, shipped):
    checks = deployed(with_objects(snapshot, "nodes"), shipped)
    assert said(checks["networks-usable"]) == ("unproven", "no node is known that the runtime may run on")
    assert said(checks["resources-allocatable"]) == ("unproven", "no node has GPUs and the labels that the runtime selects")


def test_a_resource_that_a_node_does_not_offer_fails(snapshot, shipped):
    (node, *_) = snapshot.of("nodes")
    status = {**node["status"], "allocatable": {**node["status"]["allocatable"], "nvidia.com/gpu": "7"}}
    check = deployed(with_objects(snapshot, "nodes", {**node, "status": status}), shipped)["resources-allocatable"]
    assert said(check) == (
        "failed",
        "node gke-demo-gpu-pool-5e6f7a80-k4xz offers 7 of nvidia.com/gpu, where a pod asks for 8",
    )


def test_the_recipe_says_what_a_missing_trainer_means(snapshot, shipped):
    empty = with_objects(snapshot, CRD)
    assert said(deployed(empty, shipped)["trainer"]) == (
        "failed",
        "the Trainer is not there, which the recipe delivers: to install another would hide that the delivery is broken",
    )
    bare = replace(shipped, trainer={"delivered": False, "present": "reuse", "missing": "install"})
    assert deployed(empty, bare)["trainer"].outcome is Outcome.SKIPPED
    definition = {
        "metadata": {"name": "trainjobs.trainer.kubeflow.org"},
        "spec": {"versions": [{"name": "v1alpha1", "served": True}]},
    }
    present = with_objects(with_objects(snapshot, CRD, definition), DEPLOYMENTS, *CONTROLLERS)
    assert said(deployed(present, shipped)["trainer"]) == (
        "passed",
        "the Trainer runs, TrainJob v1alpha1; the recipe delivers it",
    )
    assert deployed(present, bare)["trainer"].says.endswith("the recipe does not deliver it, and reuses it")


def controller(image, **status):
    spec = {"template": {"spec": {"containers": [{"name": "manager", "image": image}]}}}
    return {"metadata": {"name": "x", "namespace": "kubeflow"}, "spec": spec, "status": status}


# Images of the chart kubeflow-trainer 2.2.0 (bom/charts/kubeflow-trainer.yaml), one of them from a mirror.
CONTROLLERS = (
    controller("mirror.example/kubeflow/trainer/trainer-controller-manager:v2.2.0", availableReplicas=1),
    controller("registry.k8s.io/jobset/jobset:v0.11.0", availableReplicas=1),
)


@pytest.mark.parametrize(
    ("deployments", "says"),
    [
        (None, "TrainJob v1alpha1 is served; whether its controllers run is not known: deployments.apps were not read (not-asked)"),
        ((), "TrainJob v1alpha1 is served, and no available Deployment runs jobset, trainer-controller-manager"),
        (CONTROLLERS[:1], "TrainJob v1alpha1 is served, and no available Deployment runs jobset"),
        (
            (controller("a/trainer-controller-manager:v2.2.0", replicas=1), CONTROLLERS[1]),
            "TrainJob v1alpha1 is served, and no available Deployment runs trainer-controller-manager",
        ),
    ],
    ids=["not read", "none", "one of two", "not available"],
)
def test_a_kind_that_is_served_is_no_controller_that_runs(snapshot, shipped, deployments, says):
    versions = [{"name": "v1alpha1", "served": True}]
    found = with_objects(snapshot, CRD, {"metadata": {"name": "trainjobs.trainer.kubeflow.org"}, "spec": {"versions": versions}})
    found = found if deployments is None else with_objects(found, DEPLOYMENTS, *deployments)
    assert said(deployed(found, shipped)["trainer"]) == ("unproven", says)


def test_a_runtime_of_the_cluster_is_compared_with_the_one_that_ships(snapshot, shipped):
    objects = [resource.data for resource in shipped.runtimes]
    checks = deployed(with_objects(snapshot, RUNTIMES, *objects), shipped)
    assert said(checks["runtime-torch-distributed-tcpxo"]) == ("passed", "the cluster's is wired as the one that ships")
    assert said(checks["runtime-torch-distributed"]) == ("passed", "the cluster's is wired as the one that ships")
    (plain,) = (one for one in objects if one["metadata"]["name"] == "torch-distributed")
    impostor = {**plain, "metadata": {**plain["metadata"], "name": "torch-distributed-tcpxo"}}
    checks = deployed(with_objects(snapshot, RUNTIMES, impostor), shipped)
    check = checks["runtime-torch-distributed-tcpxo"]
    assert check.outcome is Outcome.FAILED
    assert check.says.startswith("torch-distributed-tcpxo of the cluster is not the one that ships: ")
    assert "metadata/annotations" in check.says
    assert said(checks["runtime-torch-distributed"]) == (
        "failed",
        "the cluster has no ClusterTrainingRuntime torch-distributed",
    )


def test_constraints_are_held_against_what_the_snapshot_shows(snapshot, shipped):
    checks = {check.name: check for check in readiness(CATALOG, replace(snapshot, version="v1.35.1-gke.1396002"), shipped)}
    assert said(checks["K8s.server.version"]) == (
        "passed",
        "the server is v1.35.1-gke.1396002, and the recipe asks for >= 1.32",
    )
    assert said(checks["NodeTopology.gpu-nodes.label"]) == ("passed", "each of 2 nodes lacks it")
    assert said(checks["Deployment.gpu-operator.version"]) == (
        "unproven",
        "a snapshot does not show it; the recipe asks for >= v24.6.0",
    )
    old = {check.name: check for check in readiness(CATALOG, replace(snapshot, version="v1.31.4"), shipped)}
    assert said(old["K8s.server.version"]) == ("failed", "the server is v1.31.4, where the recipe asks for >= 1.32")
    unknown = {check.name: check for check in readiness(CATALOG, snapshot, shipped)}
    assert unknown["K8s.server.version"].outcome is Outcome.UNPROVEN


def test_a_label_that_no_gpu_node_may_have(snapshot, shipped):
    (node, *_) = snapshot.of("nodes")
    labels = {**node["metadata"]["labels"], "gke-no-default-nvidia-gpu-device-plugin": "true"}
    labelled = {**node, "metadata": {**node["metadata"], "labels": labels}}
    checks = {check.name: check for check in readiness(CATALOG, with_objects(snapshot, "nodes", labelled), shipped)}
    assert said(checks["NodeTopology.gpu-nodes.label"]) == (
        "failed",
        "gke-demo-gpu-pool-5e6f7a80-k4xz has the label gke-no-default-nvidia-gpu-device-plugin",
    )


PODS = "04-gke-tcpxo-installer-pods"


def installers(snapshot, *tags):
    """The snapshot with running installers of these tags, on one node after the other and again from the first."""
    nodes = [node["metadata"]["name"] for node in snapshot.of("nodes")]
    image = "us-docker.pkg.dev/gce-ai-infra/gpudirect-tcpxo/nccl-plugin-gpudirecttcpx-dev"
    pods = [
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": f"installer-{number}", "namespace": "kube-system"},
            "spec": {"nodeName": node, "initContainers": [{"name": "i", "image": f"{image}:{tag}"}], "containers": []},
            "status": {"phase": "Running"},
        }
        for number, (node, tag) in enumerate(zip(cycle(nodes), tags, strict=False))
    ]
    return with_objects(snapshot, "pods", *pods)


def test_the_plugin_of_the_selected_release_passes(snapshot, shipped):
    check = deployed(installers(snapshot, "v1.0.15", "v1.0.15"), shipped)["plugin-installed"]
    assert said(check) == ("passed", "each of 2 nodes runs the plugin of release v1.0.15")
    sample = with_nodes(snapshot, PODS)
    assert deployed(sample, shipped)["plugin-installed"].outcome is Outcome.PASSED


@pytest.mark.parametrize(
    ("tags", "rule", "message", "fix"),
    [
        (
            ("v1.0.17", "v1.0.17"),
            "AICR-V060",
            "the nodes run the plugin of release v1.0.17, and the bundle was made for v1.0.15",
            "bundle with --param fabricAttachment.release=v1.0.17, or install the plugin of v1.0.15",
        ),
        (
            ("v1.0.15", "v1.0.15", "v1.0.17"),  # a second installer on the first node
            "AICR-V061",
            (
                "the plugin of release v1.0.15 is not installed: "
                'found different plugin versions across the target nodes ("v1.0.15", "v1.0.17")'
            ),
            "install the component that the bundle brings, and wait until its pods run on every node",
        ),
        (
            ("v1.0.15", "v1.0.17"),
            "AICR-V061",
            (
                "the plugin of release v1.0.15 is not installed: "
                'found different plugin versions across the target nodes ("v1.0.15", "v1.0.17")'
            ),
            "install the component that the bundle brings, and wait until its pods run on every node",
        ),
    ],
)
def test_another_plugin_than_the_bundle_was_made_for_fails(snapshot, shipped, tags, rule, message, fix):
    check = deployed(installers(snapshot, *tags), shipped)["plugin-installed"]
    [finding] = check.findings
    assert check.outcome is Outcome.FAILED
    assert (finding.rule, finding.message, finding.fix) == (rule, message, fix)


def test_a_plugin_that_runs_nowhere_fails_and_one_that_was_not_looked_for_is_unproven(snapshot, shipped):
    missing = deployed(with_objects(snapshot, "pods"), shipped)["plugin-installed"]
    assert missing.outcome is Outcome.FAILED
    assert missing.findings[0].rule == "AICR-V061"
    assert deployed(snapshot, shipped)["plugin-installed"].outcome is Outcome.UNPROVEN
