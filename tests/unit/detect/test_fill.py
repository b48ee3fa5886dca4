"""Requirements on filling a request: what is proven is taken, what is said twice refused, what is contradicted an error."""

from dataclasses import replace

import pytest

from bundler.detect.fill import fill
from bundler.errors import InvalidInput
from bundler.model.criteria import Criteria
from bundler.model.finding import Severity
from bundler.model.location import Location
from bundler.model.request import Request, Scheduling
from tests.unit.detect.kit import forbidden, gpu_slice, node_object, recorded, sample, snapshot_of

H100_GKE = "h100-gke-cos-training-kubeflow"
TCPXO = {"fabricAttachment": "gke-tcpxo-multinetwork"}
A3_MEGA = {f"eth{number}": f"demo-gpu-nic-{number - 1}" for number in range(1, 9)}


def request(recipe=None, *, profiles=None, parameters=None, flags=(), **more):
    """A request as flags make it: what it states has the flag as its place."""
    origins = {f"/{at}": Location(file=f"--{at}") for at in flags}
    for axis, values in (parameters or {}).items():
        origins |= {f"/parameters/{axis}/{name}": Location(file=f"--param {axis}.{name}") for name in values}
    return Request(recipe=recipe, profiles=profiles or {}, parameters=parameters or {}, origins=origins, **more)


def said(filled):
    return [(finding.rule, finding.message) for finding in filled.findings]


def refused(catalog, asked, snapshot):
    with pytest.raises(InvalidInput) as caught:
        fill(catalog, asked, snapshot)
    return [finding for finding in caught.value.findings if finding.severity is Severity.ERROR]


def test_criteria_and_machine_type_are_filled_and_recorded(catalog):
    filled = fill(catalog, request(), sample("01"))
    assert filled.request.criteria == Criteria(service="gke", accelerator="h100", os="cos")
    assert filled.request.machine_type == "a3-megagpu-8g"
    assert {at: (one.source, one.nodes) for at, one in filled.request.observed.items()} == {
        "/criteria/service": ("nodes: spec.providerID, labels and status.nodeInfo.kubeletVersion", 2),
        "/criteria/accelerator": (
            "nodes: labels node.kubernetes.io/instance-type and nvidia.com/gpu.product, or the GPUs' ResourceSlices",
            2,
        ),
        "/criteria/os": ("nodes: status.nodeInfo.osImage", 2),
        "/machineType": ("nodes: label node.kubernetes.io/instance-type", 2),
    }
    assert {rule for rule, _ in said(filled)} == {"AICR-N010"}
    assert ("AICR-N010", "os is cos, as 2 nodes say (nodes: status.nodeInfo.osImage)") in said(filled)


def test_a_recipe_states_its_criteria_so_only_the_rest_is_filled(catalog):
    filled = fill(catalog, request(H100_GKE, profiles=TCPXO), sample("01", "03", "04"))
    assert filled.request.criteria == Criteria()
    assert filled.request.parameters == {"fabricAttachment": {"interfaces": A3_MEGA, "release": "v1.0.15"}}
    assert sorted(filled.request.observed) == [
        "/machineType",
        "/parameters/fabricAttachment/interfaces",
        "/parameters/fabricAttachment/release",
    ]


def test_what_is_stated_and_true_stays_stated(catalog):
    asked = request(
        H100_GKE,
        profiles=TCPXO,
        machine_type="a3-megagpu-8g",
        parameters={"fabricAttachment": {"interfaces": A3_MEGA, "release": "v1.0.15"}},
    )
    filled = fill(catalog, asked, sample("01", "03", "04"))
    assert filled.request == asked
    assert filled.findings == ()


@pytest.mark.parametrize(
    ("criteria", "message", "at"),
    [
        (
            {"service": "eks"},
            "service is stated as eks, but the nodes say gke (nodes: spec.providerID, labels and status.nodeInfo.kubeletVersion)",
            "--criteria/service",
        ),
        (
            {"accelerator": "h200"},
            (
                "accelerator is stated as h200, but the nodes say h100 "
                "(nodes: labels node.kubernetes.io/instance-type and nvidia.com/gpu.product, or the GPUs' ResourceSlices)"
            ),
            "--criteria/accelerator",
        ),
        ({"os": "ubuntu"}, "os is stated as ubuntu, but the nodes say cos (nodes: status.nodeInfo.osImage)", "--criteria/os"),
    ],
)
def test_a_stated_criterion_that_the_nodes_contradict_is_an_error_with_both_places(catalog, criteria, message, at):
    asked = request(criteria=Criteria.of(criteria), flags=[f"criteria/{name}" for name in criteria])
    (finding,) = refused(catalog, asked, sample("01"))
    assert (finding.rule, finding.message) == ("AICR-N012", message)
    assert str(finding.location) == at
    assert [str(place.location) for place in finding.related] == ["--snapshot snapshot.yaml"]


def test_a_recipe_for_another_cluster_is_refused_where_it_states_its_criteria(catalog):
    asked = request("h100-eks-ubuntu-training-kubeflow")
    (finding,) = refused(catalog, asked, snapshot_of(node_object("n", provider="gce://p/z/n")))
    assert finding.message.startswith("service is stated as eks, but the nodes say gke")
    assert str(finding.location).startswith("recipes/h100-eks-ubuntu-training-kubeflow.yaml:")


def test_what_no_row_proves_is_not_contradicted(catalog):
    asked = request("gb300-generic-ubuntu-training-kubeflow")
    nodes = [node_object("n", product="NVIDIA-GB300", provider="aws:///z/i", info={"osImage": "Ubuntu 24.04"})]
    assert fill(catalog, asked, snapshot_of(*nodes)).request.recipe == asked.recipe


def test_mixed_accelerators_are_refused_with_the_candidates(catalog):
    (finding,) = refused(catalog, request(), sample("10"))
    assert finding.rule == "AICR-N011"
    assert finding.message == (
        "accelerator cannot be read from the snapshot: "
        "the nodes say a100 (1 node), gb200 (1 node), h100 (1 node), h200 (1 node), l40s (1 node) "
        "(nodes: labels node.kubernetes.io/instance-type and nvidia.com/gpu.product, or the GPUs' ResourceSlices)"
    )
    assert finding.fix == "state --accelerator a100|gb200|h100|h200|l40s, or --accelerated-node-selector KEY=VALUE"


@pytest.mark.parametrize(("accelerator", "machine"), [("h100", "p5.48xlarge"), ("h200", "p5en.48xlarge"), ("a100", "p4d.24xlarge")])
def test_the_accelerator_that_is_stated_chooses_its_nodes(catalog, accelerator, machine):
    asked = request(f"{accelerator}-eks-ubuntu-training-kubeflow")
    recorded_nodes = recorded("10")
    for each in recorded_nodes:
        each["status"]["nodeInfo"]["osImage"] = "Ubuntu 24.04.3 LTS"
    assert fill(catalog, asked, snapshot_of(*recorded_nodes)).request.machine_type == machine


def test_a_node_selector_of_the_bundle_chooses_nodes_too(catalog):
    selector = {"node.kubernetes.io/instance-type": "p5en.48xlarge"}
    filled = fill(catalog, request(accelerated=Scheduling(node_selector=selector)), sample("10"))
    assert filled.request.criteria.accelerator == "h200"


def test_cordoned_nodes_are_left_out_and_named(catalog):
    nodes = [
        node_object("a", provider="gce://p/z/a"),
        node_object("b", product="NVIDIA-B200", provider="gce://p/z/b", cordoned=True),
    ]
    filled = fill(catalog, request(), snapshot_of(*nodes))
    assert filled.request.criteria.accelerator == "h100"
    assert ("AICR-N007", "1 GPU node left out, because they are cordoned: b") in said(filled)


def test_a_node_of_two_services_leaves_the_choice(catalog):
    node = node_object("n", provider="aws:///z/i", info={"kubeletVersion": "v1.34.1+rke2r1", "osImage": "Ubuntu 24.04"})
    (finding,) = refused(catalog, request(), snapshot_of(node))
    assert finding.message.startswith("service cannot be read from the snapshot: the nodes say eks and rke2 (1 node)")
    assert finding.fix.startswith("state --service eks|rke2")
    stated = request(criteria=Criteria(service="rke2"))
    assert fill(catalog, stated, snapshot_of(node)).request.criteria.service == "rke2"


def test_slices_prove_an_accelerator_where_no_label_does(catalog):
    snapshot = snapshot_of(node_object("a", product=None), gpu_slice("a", "NVIDIA GB300"))
    assert fill(catalog, request(), snapshot).request.criteria.accelerator == "gb300"


@pytest.mark.parametrize(
    ("snapshot", "rule", "message"),
    [
        (
            snapshot_of(gaps=[forbidden("nodes")]),
            "AICR-N002",
            "nodes: reading it is forbidden (403 Forbidden); nothing is filled in",
        ),
        (
            snapshot_of(empty=["nodes"]),
            "AICR-N013",
            (
                "everything is not proven by the snapshot: "
                "none of its 0 nodes is a GPU node that takes pods and has the labels of --accelerated-node-selector"
            ),
        ),
    ],
)
def test_without_nodes_nothing_is_filled_in_and_it_says_why(catalog, snapshot, rule, message):
    asked = request(H100_GKE)
    filled = fill(catalog, asked, snapshot)
    assert filled.request == asked
    assert said(filled) == [(rule, message)]
    assert filled.findings[0].severity is Severity.WARNING


def test_slices_that_cannot_be_read_are_said_where_a_node_has_no_product(catalog):
    snapshot = snapshot_of(node_object("a", product=None), gaps=[forbidden("resourceslices.resource.k8s.io")])
    filled = fill(catalog, request(), snapshot)
    assert [rule for rule, _ in said(filled)] == ["AICR-N002", "AICR-N013", "AICR-N013", "AICR-N013"]
    assert ("AICR-N013", "accelerator is not proven by the snapshot: no node says which GPU it has") in said(filled)


def pools(**types):
    """GKE nodes with H100, by name, of machine types."""
    labels = {name: {"node.kubernetes.io/instance-type": machine} for name, machine in types.items()}
    return [
        node_object(name, provider=f"gce://p/z/{name}", labels=of, info={"osImage": "Container-Optimized OS"})
        for name, of in labels.items()
    ]


def test_a_profile_value_chooses_among_machine_types(catalog):
    asked = request(H100_GKE, profiles=TCPXO, parameters={"fabricAttachment": {"interfaces": A3_MEGA}})
    filled = fill(catalog, asked, sample("01", "06"))
    assert filled.request.machine_type == "a3-megagpu-8g"
    assert ("AICR-N007", "1 GPU node left out, for not being a3-megagpu-8g: gke-demo-a3h-pool-0badcafe-h001") in said(filled)


def test_machine_types_that_nothing_chooses_among_stay_open(catalog):
    asked = request(H100_GKE, profiles={"fabricAttachment": "none"})
    filled = fill(catalog, asked, snapshot_of(*pools(a="a3-highgpu-8g", b="a3-megagpu-8g")))
    assert filled.request.machine_type is None
    assert said(filled) == [
        ("AICR-N013", "machine type is not proven by the snapshot: the nodes are of a3-highgpu-8g (1), a3-megagpu-8g (1)")
    ]


def test_machine_types_that_all_fit_are_refused_with_the_candidates(catalog):
    nodes = [
        node_object(
            name, product="NVIDIA-GB200", provider=f"gce://p/z/{name}", labels={"node.kubernetes.io/instance-type": machine}
        )
        for name, machine in (("a", "a4x-highgpu-4g"), ("b", "a4x-highgpu-4g-nolssd"))
    ]
    asked = request("gb200-gke-cos-training-kubeflow", profiles={"fabricAttachment": "gke-rdma-multinetwork"})
    (finding, *_) = refused(catalog, asked, snapshot_of(*nodes))
    assert finding.message == (
        "machine type cannot be read from the snapshot: the nodes are of a4x-highgpu-4g (1), a4x-highgpu-4g-nolssd (1) "
        "(nodes: label node.kubernetes.io/instance-type)"
    )
    assert finding.fix == "state --machine-type a4x-highgpu-4g|a4x-highgpu-4g-nolssd"


def test_a_machine_type_that_no_node_has_is_an_error(catalog):
    asked = request(H100_GKE, profiles={"fabricAttachment": "none"}, machine_type="a3-highgpu-8g", flags=["machineType"])
    (finding,) = refused(catalog, asked, sample("01"))
    assert finding.message == (
        "machine type is stated as a3-highgpu-8g, but the nodes are of a3-megagpu-8g (2) "
        "(nodes: label node.kubernetes.io/instance-type)"
    )
    assert str(finding.location) == "--machineType"


def test_a_machine_that_a_parameter_names_is_held_against_the_nodes(catalog):
    asked = request(
        "h200-eks-ubuntu-training-kubeflow",
        profiles={"fabricAttachment": "eks-efa-device-plugin"},
        parameters={"fabricAttachment": {"instanceType": "p5e.48xlarge"}},
    )
    nodes = [replace_os(each) for each in recorded("10")]
    (finding,) = refused(catalog, asked, snapshot_of(*nodes))
    assert finding.message.startswith("machine type is stated as p5e.48xlarge, but the nodes are of p5en.48xlarge (1)")
    assert str(finding.location) == "--param fabricAttachment.instanceType"


def replace_os(node):
    info = {**node["status"]["nodeInfo"], "osImage": "Ubuntu 24.04.3 LTS"}
    return {**node, "status": {**node["status"], "nodeInfo": info}}


def test_a_recipe_that_does_not_exist_is_left_for_composing_to_refuse(catalog):
    asked = replace(request("no-such-recipe"), origins={})
    assert fill(catalog, asked, sample("01")).request.machine_type is None
