"""Requirements on what nodes offer: what is gone or not known of one node is never passed over."""

import json
from dataclasses import replace

import pytest

from bundler.model.request import Request
from bundler.validate.nodes import resources_allocatable
from bundler.validate.shipped import Shipped
from tests.unit.validate.kit import CATALOG, deployed, read_samples, said, with_objects


def annotated(node, key, change):
    """The node with each entry of a JSON annotation changed; an entry that becomes None is left out."""
    entries = [changed for entry in json.loads(node["metadata"]["annotations"][key]) if (changed := change(entry)) is not None]
    return {
        **node,
        "metadata": {**node["metadata"], "annotations": {**node["metadata"]["annotations"], key: json.dumps(entries)}},
    }


def offering(node, resource, amount):
    status = node["status"]
    return {**node, "status": {**status, "allocatable": {**status["allocatable"], resource: amount}}}


@pytest.mark.parametrize(
    ("key", "change"),
    [
        ("networking.gke.io/north-interfaces", lambda entry: entry if entry["network"] != "demo-gpu-nic-4" else None),
        ("networking.gke.io/north-interfaces", lambda entry: {"ipAddress": entry["ipAddress"]}),
        ("networking.gke.io/nic-info", lambda entry: {**entry, "birthName": None}),
        ("networking.gke.io/nic-info", lambda entry: {**entry, "birthIP": [entry["birthIP"]]}),
    ],
    ids=["one network", "no networks", "no names", "no addresses"],
)
def test_a_network_whose_nic_is_not_known_is_unproven(snapshot, shipped, key, change):
    first, *others = snapshot.of("nodes")
    check = deployed(with_objects(snapshot, "nodes", annotated(first, key, change), *others), shipped)["networks-usable"]
    assert said(check) == ("unproven", "gke-demo-gpu-pool-5e6f7a80-k4xz does not say which NIC each Network is on")


def test_a_network_of_which_none_is_left_cannot_be_allocated(snapshot, shipped):
    first, *others = snapshot.of("nodes")
    bare = offering(first, "networking.gke.io.networks/demo-gpu-nic-3", "0")
    check = deployed(with_objects(snapshot, "nodes", bare, *others), shipped)["networks-usable"]
    says = "node gke-demo-gpu-pool-5e6f7a80-k4xz has 7 of 8 Networks: demo-gpu-nic-3 cannot be allocated"
    assert said(check) == ("failed", says)


def test_a_node_whose_gpus_are_gone_is_not_left_out(snapshot, shipped):
    first, *others = snapshot.of("nodes")
    check = deployed(with_objects(snapshot, "nodes", offering(first, "nvidia.com/gpu", "0"), *others), shipped)
    says = "node gke-demo-gpu-pool-5e6f7a80-k4xz offers 0 of nvidia.com/gpu, where a pod asks for 8"
    assert said(check["resources-allocatable"]) == ("failed", says)


def test_devices_of_claims_are_not_looked_at_and_so_not_proved():
    request = Request(
        recipe="b200-gke-cos-training-kubeflow",
        profiles={"gpuStack": "gke-default", "fabricAttachment": "gke-managed-dranet"},
        parameters={"fabricAttachment": {"machineType": "a4-highgpu-8g", "namespace": "kubeflow"}},
    )
    checks = deployed(read_samples("07-gke-a4-rdma-node"), Shipped.of_request(CATALOG, request))
    says = "the only node offers nvidia.com/gpu 8; whether it has the devices of the claim rdma was not looked at"
    assert said(checks["resources-allocatable"]) == ("unproven", says)


@pytest.fixture(scope="module")
def efa():
    """What ships for one machine type of a cluster that has nodes of five."""
    request = Request(
        recipe="h100-eks-ubuntu-training-kubeflow",
        profiles={"fabricAttachment": "eks-efa-device-plugin"},
        parameters={"fabricAttachment": {"instanceType": "p5.48xlarge"}},
    )
    return Shipped.of_request(CATALOG, request)


def test_nodes_of_another_machine_type_are_not_asked_for_what_its_pods_want(efa):
    check = deployed(read_samples("10-eks-nodes"), efa)["resources-allocatable"]
    says = "the only node offers hugepages-2Mi 5Gi, nvidia.com/gpu 8, vpc.amazonaws.com/efa 32"
    assert said(check) == ("passed", says)


def test_pages_are_told_as_a_size(efa):
    snapshot = read_samples("10-eks-nodes")
    (first, *_) = snapshot.of("nodes")
    check = deployed(with_objects(snapshot, "nodes", offering(first, "hugepages-2Mi", "2Gi")), efa)["resources-allocatable"]
    node = first["metadata"]["name"]
    assert said(check) == ("failed", f"node {node} offers 2Gi of hugepages-2Mi, where a pod asks for 5Gi")


def test_amounts_are_told_in_digits(snapshot, shipped):
    nodes = [offering(node, "nvidia.com/gpu", "20") for node in snapshot.of("nodes")]
    (runtime,) = (one for one in shipped.runtimes if one.name == "torch-distributed-tcpxo")
    wanted = json.loads(json.dumps(runtime.data).replace('"nvidia.com/gpu": "8"', '"nvidia.com/gpu": "20"'))
    check = resources_allocatable(with_objects(snapshot, "nodes", *nodes), replace(runtime, data=wanted), nodes)
    assert said(check) == ("passed", "each of 2 nodes offers nvidia.com/gpu 20")
