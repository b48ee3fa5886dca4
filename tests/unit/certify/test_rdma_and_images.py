"""Requirements on host RDMA devices and on images of the user.

Sources: pkg/certification/testdata of NVIDIA/cluster-readiness-engine, its documentation of platform detection and overrides.
"""

import json

import pytest

from tests.unit.certify.kit import ALL_REDUCE, COMMUNICATION, node, pod, trainer


@pytest.mark.parametrize("category", [*COMMUNICATION, "training/nemotron5-8b"])
@pytest.mark.parametrize("platform", ["oci", "onprem", "azure"])
def test_host_rdma_devices_are_mount_and_privilege_on_every_platform(workflow, platform, category):
    made = workflow(platform, "h100", category, rdmaDeviceAccess="hostPath")
    assert node(made)["securityContext"]["privileged"] is True
    assert {"name": "rdma-devices", "mountPath": "/dev/infiniband"} in node(made)["volumeMounts"]


def test_host_rdma_devices_never_reach_diagnostics_or_the_launcher(workflow):
    plain, asked = (
        workflow("onprem", "h100", "diagnostics/dcgm-level4", **more) for more in ({}, {"rdmaDeviceAccess": "hostPath"})
    )
    assert plain == asked
    assert "rdma" not in json.dumps(pod(workflow("onprem", "h100", ALL_REDUCE, rdmaDeviceAccess="hostPath"), "launcher"))


@pytest.mark.parametrize("category", [*COMMUNICATION, "training/nemotron5-8b"])
def test_the_device_plugin_is_what_is_rendered_without_a_word(workflow, category):
    assert workflow("oci", "gb200", category) == workflow("oci", "gb200", category, rdmaDeviceAccess="devicePlugin")


def test_privilege_is_said_where_it_is_asked_for(render):
    category = {"domain": "communication", "variant": "nccl-all-reduce", "options": {"rdmaDeviceAccess": "hostPath"}}
    (note,) = render("oci", "gb200", category).notes
    assert note.rule == "AICR-R019"
    assert note.message == "rdmaDeviceAccess: hostPath runs the worker privileged, which is root on the node"
    assert note.pointer == "/spec/categories/0/options/rdmaDeviceAccess"


def test_an_image_of_the_user_wins_and_leaves_sidecars_alone(workflow):
    made = workflow("gcp", "h100", ALL_REDUCE, image="registry.example/nccl:1")
    assert trainer(made)["image"] == node(made)["image"] == node(made, "launcher")["image"] == "registry.example/nccl:1"
    assert pod(made, "launcher")["spec"]["initContainers"][0]["image"] == "registry.example/nccl:1"
    assert "tcpgpudmarxd-dev" in pod(made)["spec"]["initContainers"][0]["image"]


def test_an_image_of_a_category_stands_over_that_of_the_certification(render):
    category = {"domain": "training", "variant": "nemotron5-8b", "options": {"image": "registry.example/b:1"}}
    first, second = render("aws", "h100", category, ALL_REDUCE, image="registry.example/a:1").workflows
    assert [one["image"] for one in (node(first), pod(first)["spec"]["initContainers"][0])] == ["registry.example/b:1"] * 2
    assert node(second)["image"] == "registry.example/a:1"


def test_one_image_for_all_categories_breaks_diagnostics_and_is_said(render):
    rendering = render("aws", "h100", ALL_REDUCE, "diagnostics/dcgm-level4", image="registry.example/a:1")
    assert [note.rule for note in rendering.notes] == ["AICR-R020"]
