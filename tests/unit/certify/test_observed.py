"""Requirements on a render for nodes that were read: it does what the controllers do, and says so.

Source: NVIDIA/cluster-readiness-engine, documentation of platform detection; pkg/render/render.go.
"""

import json

import pytest

from bundler.certify.certification import render_certification
from bundler.certify.site import Site
from bundler.certify.target import observe, target_of
from bundler.certify.workload_run import render_workload_run
from bundler.detect.installed import PODS
from bundler.errors import InvalidInput
from bundler.yamlio.reader import read
from bundler.yamlio.writer import dump
from tests.unit.certify.kit import ALL_REDUCE, node, pod, resources, trainer
from tests.unit.detect.kit import forbidden, gpu_slice, node_object, recorded, sample, snapshot_of

B200 = "NVIDIA-B200"


@pytest.fixture
def live(catalog, certification):
    """The rendering of one category or more for a snapshot."""

    def call(snapshot, *categories, product=None, platform=None, plugin=None, networks=None, target=None, **spec):
        document = certification(*(categories or (ALL_REDUCE,)), product=product or "x", **spec)
        stated = {"nodeSelector": {"nvidia.com/gpu.product": product}} if product else (target or {})
        document.data["spec"]["target"] = stated
        found, pointer = target_of(document)
        observed = observe(catalog, snapshot, found, platform=platform, location=document.locate(pointer), pointer=pointer)
        site = Site(
            platform=observed.platform, architecture=observed.architecture, observed=observed, plugin=plugin, networks=networks
        )
        return render_certification(catalog, document, site)

    return call


def interfaces(workflow):
    annotation = pod(workflow)["metadata"]["annotations"]["networking.gke.io/interfaces"]
    return [each["network"] for each in json.loads(annotation)]


def messages(rendering):
    return [note.message for note in rendering.notes]


def test_a3_mega_is_rendered_with_its_networks_and_the_release_of_its_plugin(live):
    rendering = live(sample("01", "04"))
    (workflow,) = rendering.workflows
    assert interfaces(workflow) == ["default", *(f"demo-gpu-nic-{number}" for number in range(8))]
    assert trainer(workflow)["numNodes"] == 2  # the largest valid count of the nodes
    assert workflow["metadata"]["annotations"] | {"nvcrectl.nvidia.com/applied-overrides": ""} == {
        "nvcrectl.nvidia.com/detected-platform": "gcp",
        "nvcrectl.nvidia.com/detected-gpu-architecture": "h100",
        "nvcrectl.nvidia.com/applied-overrides": "",
    }
    networks = ", ".join(f"demo-gpu-nic-{number}" for number in range(8))
    assert messages(rendering) == [
        "Detected platform gcp and GPU architecture h100 on 2 target nodes",
        "communication/nccl-all-reduce: nodesPerJob is not stated; a job takes 2 of the nodes it fits on (2)",
        f"Auto-detected GKE TCPXO networks {networks} (allocatable on every target node)",
        "Auto-detected TCPXO plugin v1.0.15 on every target node; rendering nvcr.io/nvidia/pytorch:25.06-py3",
    ]


def test_what_is_stated_is_not_looked_for(live):
    vpcs = tuple(f"vpc{number}" for number in range(1, 9))
    rendering = live(sample("02b"), plugin="v1.0.17", networks=vpcs, nodesPerJob=1)
    assert interfaces(rendering.workflows[0]) == ["default", *vpcs]
    assert node(rendering.workflows[0])["image"] == "nvcr.io/nvidia/pytorch:26.01-py3"
    assert messages(rendering) == ["Detected platform gcp and GPU architecture h100 on 1 target node"]


def test_nothing_of_the_fabric_is_looked_for_by_a_test_that_uses_none(live):
    rendering = live(sample("06", empty=[PODS]), "diagnostics/dcgm-level4", nodesPerJob=1)
    assert messages(rendering) == ["Detected platform gcp and GPU architecture h100 on 1 target node"]


def test_an_a3_high_target_is_flagged_by_its_networks(live):
    rendering = live(sample("06", empty=[PODS]))
    assert interfaces(rendering.workflows[0])[1:] == [f"gpu-nic{number}" for number in range(8)]
    warned = [note for note in rendering.notes if note.rule == "AICR-N005"]
    assert [note.message.partition(" (")[0] for note in warned] == [
        "GKENetworkDetection: found 4 networks allocatable on every target node"
    ]


def test_pods_that_cannot_be_listed_do_not_fail_the_render(live):
    rendering = live(sample("01", gaps=[forbidden(PODS)]))
    (note,) = [note for note in rendering.notes if note.rule == "AICR-R018"]
    assert note.message.startswith(
        "TCPXOPluginDetection: could not list kube-system pods (403 Forbidden); rendering the images for v1.0.15"
    )


def test_a_nic_resource_of_a_site_is_requested_when_it_is_the_only_one(live):
    nodes = [each for each in recorded("14") if each["metadata"]["name"] == "dgx-01"]
    rendering = live(snapshot_of(*nodes), product=B200)
    assert resources(rendering.workflows[0])["rdma/rdma_shared_device_a"] == "8"
    shared = live(snapshot_of(*nodes), product=B200, mlnxPerNode=1)
    assert resources(shared.workflows[0])["rdma/rdma_shared_device_a"] == "1"


@pytest.mark.parametrize("stated", [{"nicResourceName": "nvidia.com/resibp24s0"}, {"mlnxPerNode": 0}])
def test_a_stated_nic_or_none_at_all_is_not_looked_for(live, stated):
    nodes = [each for each in recorded("14") if each["metadata"]["name"] == "dgx-01"]
    rendering = live(snapshot_of(*nodes), product=B200, **stated)
    assert "rdma/rdma_shared_device_a" not in resources(rendering.workflows[0])
    assert not [message for message in messages(rendering) if "NIC" in message]


def test_nodes_before_a_cold_reboot_leave_the_nic_out_with_the_count_that_is_missing(live):
    rendering = live(sample("14"), product=B200)
    assert set(resources(rendering.workflows[0])) == {"nvidia.com/gpu"}
    assert (
        "NICResourceDetection: found candidates (rdma/rdma_shared_device_a), but none is allocatable at the requested count 8 "
        "on every target node; no NIC resource is requested. Set nicResourceName, or adjust mlnxPerNode"
    ) in messages(rendering)


def test_a_metal3_node_is_rendered_for_mistral_with_a_word(live):
    rendering = live(sample("14"), target={"nodeNames": ["hgx-03"]})
    assert "Detected platform mistral and GPU architecture h100 on 1 target node" in messages(rendering)
    assert [note.rule for note in rendering.notes if note.rule == "AICR-R021"] == ["AICR-R021"]


def test_heterogeneous_platforms_are_refused_where_the_target_stands(live):
    with pytest.raises(InvalidInput) as caught:
        live(sample("14"))
    (finding,) = caught.value.findings
    assert finding.message == "heterogeneous platforms detected: mistral (1), onprem (4)"
    assert (str(finding.location), finding.pointer) == ("cert.yaml:9:3", "/spec/target")


def test_a_stated_platform_wins_over_the_nodes(live):
    rendering = live(sample("14"), product=B200, platform="nscale")
    assert rendering.workflows[0]["metadata"]["annotations"]["nvcrectl.nvidia.com/detected-platform"] == "nscale"
    assert messages(rendering)[0] == "Detected GPU architecture b200 on 2 target nodes"


def test_a_job_runs_on_the_nodes_of_the_majority_and_the_others_are_named(live):
    nodes = [node_object("a", product="NVIDIA-A100-SXM4-40GB"), node_object("b"), node_object("c"), node_object("d", product=None)]
    rendering = live(snapshot_of(*nodes, empty=["resourceslices.resource.k8s.io"]))
    assert "Left out for another GPU than h100, or none that is known: a, d" in messages(rendering)
    assert trainer(rendering.workflows[0])["numNodes"] == 2


def test_nodes_with_fewer_gpus_are_named_and_left_out(live):
    rendering = live(snapshot_of(node_object("a", gpu="8"), node_object("b", gpu="4")))
    assert "Left out for fewer than 8 allocatable GPUs: b" in messages(rendering)
    with pytest.raises(InvalidInput) as caught:
        live(snapshot_of(node_object("b", gpu="4")))
    assert (
        caught.value.findings[0].message
        == "no target node has the 8 allocatable nvidia.com/gpu that a pod asks for; the most that one has is 4"
    )


def test_a_model_takes_the_largest_count_of_nodes_that_can_hold_it(live):
    nodes = [node_object(f"n{number}", provider="aws:///z/i", gpu="8") for number in range(5)]
    rendering = live(snapshot_of(*nodes), "training/nemotron5-8b", ALL_REDUCE)
    assert [trainer(workflow)["numNodes"] for workflow in rendering.workflows] == [5, 5]
    inside = live(snapshot_of(*nodes), testScale="intra-node")
    assert trainer(inside.workflows[0])["numNodes"] == 1


def test_a_job_never_gets_more_nodes_than_there_are(live):
    nodes = [node_object(name, provider="aws:///z/i", gpu="8") for name in "ab"]
    rendering = live(snapshot_of(*nodes), nodesPerJob=18)
    assert trainer(rendering.workflows[0])["numNodes"] == 2
    (note,) = [note for note in rendering.notes if note.rule == "AICR-R034"]
    assert note.message == "communication/nccl-all-reduce: a job of 18 nodes is stated, and its pods fit on 2; rendering 2"
    with pytest.raises(InvalidInput) as caught:
        live(snapshot_of(*nodes), "training/nemotron5-56b", nodesPerJob=8)
    assert "requires at least 32 GPUs" in caught.value.findings[0].message


def test_slices_say_the_architecture_where_no_label_does(live):
    nodes = [node_object("a", product=None, provider="nscale://a"), gpu_slice("a", "NVIDIA GB300")]
    rendering = live(snapshot_of(*nodes))
    assert messages(rendering)[0] == "Detected platform nscale and GPU architecture gb300 on 1 target node"


def test_without_a_product_anywhere_the_render_is_refused_with_what_could_not_be_read(live):
    snapshot = snapshot_of(node_object("a", product=None), gaps=[forbidden("resourceslices.resource.k8s.io")])
    with pytest.raises(InvalidInput) as caught:
        live(snapshot)
    assert [finding.rule for finding in caught.value.findings] == ["AICR-R002", "AICR-N002"]
    assert caught.value.findings[0].message == (
        "cannot determine GPU architecture: no target node and no nodeSelector says its product "
        "(nvidia.com/gpu.product label is required)"
    )


def test_nodes_that_could_not_be_read_are_no_empty_cluster(live):
    with pytest.raises(InvalidInput) as caught:
        live(snapshot_of(gaps=[forbidden("nodes")]))
    assert caught.value.findings[0].message == "nodes: reading it is forbidden (403 Forbidden); nothing can be detected"


def test_an_architecture_without_a_row_is_a_warning_with_the_counts(live):
    rendering = live(snapshot_of(node_object("a", product="NVIDIA-GB10", gpu="4", provider="aws:///z/i")))
    assert messages(rendering)[-1] == (
        "GPUArchitectureDefaults: GPU architecture 'gb10' has no entry in the catalogue's GPU defaults; "
        "the job is sized as gpusPerNode=4 mlnxPerNode=0"
    )


def test_a_run_without_a_target_means_every_gpu_node_and_is_wired_like_the_tests(catalog):
    data = {
        "apiVersion": "nvcre.nvidia.com/v1alpha1",
        "kind": "WorkloadRun",
        "metadata": {"name": "run"},
        "spec": {"image": "registry.example.com/train:1", "framework": {"torch": {"script": "/a.py"}}, "numNodes": 2},
    }
    document = read(dump(data).encode(), "run.yaml")
    target, pointer = target_of(document)
    observed = observe(catalog, sample("01", "04"), target, pointer=pointer)
    site = Site(platform=observed.platform, architecture=observed.architecture, observed=observed)
    rendering = render_workload_run(catalog, document, site)
    assert interfaces(rendering.workflows[0])[1] == "demo-gpu-nic-0"
    assert trainer(rendering.workflows[0])["numNodes"] == 2
    assert messages(rendering)[0] == "Detected platform gcp and GPU architecture h100 on 2 target nodes"
    document.data["spec"]["numNodes"] = 3
    larger = render_workload_run(catalog, document, site)
    assert trainer(larger.workflows[0])["numNodes"] == 3  # the user's own number stands
    assert "run: a job of 3 nodes is stated, and its pods fit on 2; it waits for the others" in messages(larger)


def test_a_workflow_states_its_target_with_its_orchestration():
    data = {
        "kind": "Workflow",
        "metadata": {"name": "w"},
        "spec": {"orchestration": {"target": {"nodeNames": ["a"]}}},
    }
    assert target_of(read(dump(data).encode(), "w.yaml")) == ({"nodeNames": ["a"]}, "/spec/orchestration/target")
