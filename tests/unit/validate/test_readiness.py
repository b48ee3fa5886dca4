"""Requirements on readiness: what labels and status of nodes prove of system, kernel, driver and GPUs, and what they do not."""

import pytest

from bundler.model.request import Request
from bundler.model.snapshot import Snapshot
from bundler.validate.readiness import readiness
from bundler.validate.shipped import Shipped
from tests.unit.validate.kit import CATALOG, read_samples, said

ID, VERSION, KERNEL = "OS.release.ID", "OS.release.VERSION_ID", "OS.sysctl./proc/sys/kernel/osrelease"
DRIVER = "Deployment.gpu-driver.version"


def of(recipe, value, **parameters):
    request = Request(recipe=recipe, profiles={"fabricAttachment": value}, parameters={"fabricAttachment": parameters})
    return Shipped.of_request(CATALOG, request)


@pytest.fixture(scope="module")
def nvlink():
    return of("gb200-oke-ubuntu-training-kubeflow", "nvls-imex", gpus=4, namespace="team-a")


def checks(shipped, *nodes):
    return {check.name: check for check in readiness(CATALOG, Snapshot(sources=("x",), objects={"nodes": nodes}), shipped)}


def oke(name="10.140.65.10", *, labels=(), **info):
    """The recorded GB200 node (sample 13), under another name, with other labels and another `nodeInfo`."""
    (node,) = read_samples("13-oke-gb200-node").of("nodes")
    metadata = {**node["metadata"], "name": name, "labels": {**node["metadata"]["labels"], **dict(labels)}}
    return {**node, "metadata": metadata, "status": {**node["status"], "nodeInfo": {**node["status"]["nodeInfo"], **info}}}


def test_system_kernel_and_gpus_are_proved_by_what_the_kubelet_reports(nvlink):
    found = checks(nvlink, oke())
    assert said(found[ID]) == ("passed", "the only node has ubuntu, and ubuntu is asked for")
    assert said(found[VERSION]) == ("passed", "the only node has 24.04, and 24.04 is asked for")
    assert said(found[KERNEL]) == ("passed", "the only node has 6.8.0, and >= 6.8 is asked for")
    assert said(found["gpu-count"]) == ("passed", "the only node has 4, and >= 4 is asked for")
    assert found[ID].looked == ("label feature.node.kubernetes.io/system-os_release.ID, nodeInfo.osImage of 1 node with GPUs",)


def test_one_node_of_another_system_fails_by_name(nvlink):
    found = checks(nvlink, oke(), oke("other", osImage="Oracle Linux Server 8.9", kernelVersion="5.15.0-300.el8uek.aarch64"))
    assert said(found[ID]) == ("failed", "other has ol, where ubuntu is asked for")
    assert said(found[KERNEL]) == ("failed", "other has 5.15.0, where >= 6.8 is asked for")
    assert said(found[VERSION]) == ("unproven", "other does not say it; 24.04 is asked for")
    assert [finding.rule for finding in found[ID].findings] == ["AICR-V052"]


def test_a_label_of_feature_discovery_says_more_than_the_name_of_the_image(nvlink):
    labels = {
        "feature.node.kubernetes.io/system-os_release.ID": "ubuntu",
        "feature.node.kubernetes.io/system-os_release.VERSION_ID": "22.04",
    }
    found = checks(nvlink, oke(labels=labels, osImage="a site's own image"))
    assert str(found[ID].outcome) == "passed"
    assert said(found[VERSION]) == ("failed", "10.140.65.10 has 22.04, where 24.04 is asked for")


def test_an_image_of_which_nothing_is_known_proves_nothing(nvlink):
    assert said(checks(nvlink, oke(osImage="Talos (v1.9)"))[ID]) == (
        "unproven",
        "10.140.65.10 does not say it; ubuntu is asked for",
    )
    assert said(checks(nvlink)[ID]) == ("unproven", "the snapshot has no node with GPUs; ubuntu is asked for")


def test_gpus_are_counted_by_label_before_what_is_left_to_give(nvlink):
    assert said(checks(nvlink, oke(labels={"nvidia.com/gpu.count": "2"}))["gpu-count"]) == (
        "failed",
        "10.140.65.10 has 2, where >= 4 is asked for",
    )


@pytest.mark.parametrize(
    ("labels", "result"),
    [
        ({}, ("unproven", "10.140.65.10 does not say it; >= 575.57.08 is asked for")),
        (
            {"nvidia.com/cuda.driver-version.full": "580.159.04"},
            ("passed", "the only node has 580.159.04, and >= 575.57.08 is asked for"),
        ),
        (
            {"nvidia.com/cuda.driver-version.full": "570.86.15"},
            ("failed", "10.140.65.10 has 570.86.15, where >= 575.57.08 is asked for"),
        ),
    ],
)
def test_a_driver_is_proved_by_its_label(labels, result):
    assert said(checks(of("rtx-pro-6000-eks-ubuntu-training-kubeflow", "none"), oke(labels=labels))[DRIVER]) == result
