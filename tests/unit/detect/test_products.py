"""Requirements on the fallback to ResourceSlices. Source: NVIDIA/cluster-readiness-engine, documentation of platform detection."""

import pytest

from bundler.detect.architecture import detect_architecture
from bundler.detect.nodes import nodes_of
from bundler.detect.products import SLICES, cleaned, slice_products, with_products
from bundler.model.finding import Severity
from bundler.model.snapshot import GapReason
from tests.unit.detect.kit import forbidden, gpu_slice, node_object, recorded, sample, snapshot_of


def products(snapshot):
    nodes, notes = with_products(nodes_of(snapshot), snapshot)
    return {node.name: node.product for node in nodes}, notes


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("NVIDIA GB300", "NVIDIA-GB300"),
        ("NVIDIA H100 80GB HBM3", "NVIDIA-H100-80GB-HBM3"),
        ("NVIDIA   GB200", "NVIDIA-GB200"),  # each run of white space is one hyphen
        ("NVIDIA (R) GB200/NVL", "NVIDIA-R-GB200NVL"),  # other characters are dropped
        ("A.B_C-D", "A.B_C-D"),
    ],
)
def test_a_name_is_cleaned_as_gpu_feature_discovery_writes_the_label(name, label):
    assert cleaned(name) == label


def test_a_node_without_the_label_gets_the_product_of_its_slice():
    snapshot = snapshot_of(
        node_object("a", product=None), node_object("b"), gpu_slice("a", "NVIDIA GB300"), gpu_slice("b", "NVIDIA B200")
    )
    found, notes = products(snapshot)
    assert found == {"a": "NVIDIA-GB300", "b": "NVIDIA-H100-80GB-HBM3"}  # a label is never overwritten
    assert notes == ()


def test_only_the_copy_in_memory_is_changed():
    snapshot = snapshot_of(node_object("a", product=None), gpu_slice("a", "NVIDIA GB300"))
    (node,), _ = with_products(nodes_of(snapshot), snapshot)
    assert (node.product, node.has_label, "nvidia.com/gpu.product" in node.labels) == ("NVIDIA-GB300", False, False)


def test_nothing_is_read_where_every_node_has_the_label():
    snapshot = snapshot_of(node_object("a"), gaps=[forbidden(SLICES)])
    assert products(snapshot) == ({"a": "NVIDIA-H100-80GB-HBM3"}, ())


@pytest.mark.parametrize(
    "each",
    [
        gpu_slice("a", "GB102GL [RTX A6000]", kind="vfio"),  # passed through: a name of the PCI ID list
        gpu_slice("a", "NVIDIA GB300", driver="dra.net"),
        gpu_slice("a", "NVIDIA GB300", version="v1beta1"),  # the fallback reads v1 only
        gpu_slice("a", None),  # a driver that publishes no product
        gpu_slice("a"),
        {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "spec": {"driver": "gpu.nvidia.com", "allNodes": True}},
    ],
)
def test_what_names_no_product_of_a_node_is_passed_over(each):
    assert slice_products([each]) == {}


def test_the_first_device_with_a_product_names_it():
    assert slice_products([gpu_slice("a", None, "NVIDIA B200"), gpu_slice("a", "NVIDIA B300")]) == {"a": "NVIDIA-B200"}


@pytest.mark.parametrize(
    ("gap", "message"),
    [
        (
            forbidden(SLICES),
            (
                "resourceslices.resource.k8s.io: reading it is forbidden (403 Forbidden); "
                "nodes without the label nvidia.com/gpu.product stay without a GPU product"
            ),
        ),
        (
            (SLICES, GapReason.ABSENT, ""),
            (
                "resourceslices.resource.k8s.io: the cluster does not have it; "
                "nodes without the label nvidia.com/gpu.product stay without a GPU product"
            ),
        ),
    ],
)
def test_slices_that_cannot_be_read_leave_nodes_unlabelled_and_say_so(gap, message):
    found, (note,) = products(snapshot_of(node_object("a", product=None), gaps=[gap]))
    assert found == {"a": ""}
    assert (note.rule, note.severity, note.message) == ("AICR-N002", Severity.WARNING, message)


def test_recorded_slices_name_the_gpus_of_their_nodes():
    unlabelled = [node_object(name, product=None) for name in ("10.140.65.10", "aks-gpu-00000000-vmss000001")]
    snapshot = snapshot_of(*unlabelled, *recorded("09"))
    found, _ = products(snapshot)
    assert found == {"10.140.65.10": "NVIDIA-GB200", "aks-gpu-00000000-vmss000001": "NVIDIA-GB300"}
    assert slice_products(sample("09").of(SLICES))["gke-demo-gpu-pool-5e6f7a80-k4xz"] == "NVIDIA-H100-80GB-HBM3"


def test_slices_of_another_driver_name_no_gpu():
    assert slice_products(sample("11").of(SLICES)) == {}


def test_slices_vote_like_labels():
    snapshot = snapshot_of(*(node_object(name, product=None) for name in "ab"), gpu_slice("b", "NVIDIA GB300"))
    nodes, _ = with_products(nodes_of(snapshot), snapshot)
    assert detect_architecture(nodes) == "gb300"
