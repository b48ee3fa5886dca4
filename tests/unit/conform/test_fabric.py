"""Requirements on an attached runtime and its machines, shown on a fabric that does not exist: no rule knows one by name."""

import copy
import json
from dataclasses import replace

import pytest

from bundler.model.composition import Runtime, Selection
from bundler.model.criteria import Criteria

POD = "/spec/template/spec/replicatedJobs/0/template/spec/template"
NODE = f"{POD}/spec/containers/0"
NOTES = f"{POD}/metadata/annotations"
INTERFACES = "example.com/interfaces"
AT = f"{NOTES}/example.com~1interfaces"
MACHINE = {"name": "warp-8", "accelerator": "h100", "gpus": 8, "arch": "amd64", "warps": 4, "interfaces": ["w1", "w2"]}
WIRING = {
    "interfacesAnnotation": INTERFACES,
    "primary": {"interfaceName": "eth0", "network": "default"},
    "interfacesFrom": "machine.interfaces",
    "resources": [
        {"name": "nvidia.com/gpu", "amountFrom": "machine.gpus"},
        {"name": "hugepages-2Mi", "amount": "1Gi"},
        {"nameFrom": "parameters.resourceName", "amountFrom": "machine.warps"},
    ],
    "claims": ["warp"],
    "excludes": [
        {"annotation": "example.com/weft", "reason": "Warp and weft take the same card"},
        {"deviceClass": "weft.example.com", "reason": "Warp and weft take the same card"},
    ],
}


def bound(*names):
    return json.dumps([{"interfaceName": name, "network": f"net-{name}"} for name in names]).replace("net-eth0", "default")


@pytest.fixture
def wired(runtime):
    """A runtime wired as the value and its machine want, for the jobs of one namespace; with what makes its claim."""
    data = copy.deepcopy(runtime)
    data["kind"] = "TrainingRuntime"
    data["metadata"] |= {"name": "torch-warp", "namespace": "team-a"}
    pod = data["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]
    pod["metadata"]["annotations"] = {INTERFACES: bound("eth0", "w1", "w2")}
    pod["spec"]["resourceClaims"] = [{"name": "warp", "resourceClaimTemplateName": "warp"}]
    resources = {"cpu": "1", "nvidia.com/gpu": "8", "hugepages-2Mi": "1Gi", "example.com/warp": "4"}
    pod["spec"]["containers"][0]["resources"] = {
        "requests": dict(resources),
        "limits": dict(resources),
        "claims": [{"name": "warp"}],
    }
    return data


@pytest.fixture
def attached(composed):
    """A composition that selected the value."""

    def build(machine=MACHINE, machine_types=(), service=None, **wiring):
        declaration = {"wiring": {**WIRING, **wiring}}
        if machine_types:
            declaration["appliesTo"] = {"machineTypes": list(machine_types)}
        selection = Selection(
            axis="fabric",
            value="warp",
            parameters={"resourceName": "example.com/warp"},
            machine=machine,
            declaration=declaration,
        )
        runtimes = (Runtime(name="torch-warp", axis="fabric"),)
        return composed(runtimes=runtimes, selections=(selection,), criteria=Criteria(service=service))

    return build


@pytest.fixture
def said(judge, attached):
    """What is found after a change of the training container's resources or of the pod, but for the template of the claim."""

    def run(data, composition=None):
        findings = judge(data, composition=composition or attached())
        return [(each.rule, each.message, each.fix) for each in findings if each.rule != "AICR-K047"]

    return run


def pod_of(data):
    return data["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]


def node_of(data):
    return pod_of(data)["spec"]["containers"][0]


def test_a_runtime_wired_as_its_machine_wants_passes(wired, said):
    assert said(wired) == []


def test_a_resource_in_another_number_is_found_in_each_section_with_both_amounts(wired, said):
    for section in ("requests", "limits"):
        node_of(wired)["resources"][section]["example.com/warp"] = "2"
    fix = 'write example.com/warp: "4" in requests and limits'
    assert said(wired) == [
        ("AICR-F013", f"the training container of warp on warp-8 has 4 example.com/warp in {section}, not '2'", fix)
        for section in ("limits", "requests")
    ]


def test_a_resource_that_is_not_asked_for_is_found(wired, said):
    for section in ("requests", "limits"):
        del node_of(wired)["resources"][section]["hugepages-2Mi"]
    assert [finding[1] for finding in said(wired)] == [
        "the training container of warp on warp-8 has 1Gi hugepages-2Mi in limits, not none",
        "the training container of warp on warp-8 has 1Gi hugepages-2Mi in requests, not none",
    ]


def test_an_amount_may_be_spelt_otherwise(wired, said):
    for section in ("requests", "limits"):
        node_of(wired)["resources"][section]["hugepages-2Mi"] = "1024Mi"
    assert said(wired) == []


def test_a_fact_that_was_not_selected_asks_for_nothing(wired, said, attached):
    for section in ("requests", "limits"):
        del node_of(wired)["resources"][section]["example.com/warp"]
    machine = {key: value for key, value in MACHINE.items() if key != "warps"}
    assert said(wired, attached(machine)) == []


def test_each_half_of_a_claim_is_missed(wired, said):
    del node_of(wired)["resources"]["claims"]
    del pod_of(wired)["spec"]["resourceClaims"]
    assert said(wired) == [
        ("AICR-F014", "the pod does not declare the claim 'warp' of warp", "add it to resourceClaims of the pod"),
        (
            "AICR-F014",
            "the training container does not use the claim 'warp' of warp",
            "add it to resources.claims of the container: without it no device appears",
        ),
    ]


def test_fewer_gpus_than_the_machine_has_are_found_with_both_counts(wired, said):
    for section in ("requests", "limits"):
        node_of(wired)["resources"][section]["nvidia.com/gpu"] = "4"
    assert said(wired) == [
        (
            "AICR-F015",
            "the training container asks for 4 GPUs, warp-8 has 8",
            "ask for all GPUs of the machine: the fabric serves whole nodes",
        )
    ]


def test_fewer_interfaces_than_the_machine_has_are_found_with_both_counts(wired, said):
    pod_of(wired)["metadata"]["annotations"][INTERFACES] = bound("eth0", "w1")
    assert said(wired) == [
        (
            "AICR-F002",
            f"annotation {INTERFACES} binds eth0, w1, where eth0, w1, w2 are wanted in this order",
            "bind 3 interfaces in this order",
        ),
        ("AICR-F015", "the pod binds 1 interface beside its own, warp-8 has 2", "bind every interface of the machine"),
    ]


def test_machine_types_that_one_runtime_serves_are_of_one_kind(wired, said, attached):
    # bom/machines/gke.yaml: A3 Mega has eight GPUs and eight interfaces, A3 High eight and four, A4X four GPUs.
    composition = attached({}, ("a3-megagpu-8g", "a3-highgpu-8g", "a4x-highgpu-4g"), "gke")
    messages = [message for rule, message, _ in said(wired, composition) if rule == "AICR-F015"]
    assert messages == [
        "a3-highgpu-8g has 8 GPUs and a4x-highgpu-4g has 4: one runtime cannot fill both",
        "a3-megagpu-8g has 8 interfaces and a3-highgpu-8g has 4: one runtime cannot fill both",
        "the pod binds 2 interfaces beside its own, a3-megagpu-8g has 8",
    ]


def test_machine_types_without_a_table_are_not_judged(wired, said, attached):
    assert said(wired, attached({}, ("unknown-8",), "nowhere", interfacesFrom="parameters.none")) == []


@pytest.mark.parametrize("key", ["requests", "limits"])
def test_gpus_that_are_left_to_the_job_are_not_judged(key, wired, said):
    del node_of(wired)["resources"]["requests"]["nvidia.com/gpu"]
    del node_of(wired)["resources"]["limits"]["nvidia.com/gpu"]
    assert said(wired) == []


def test_an_annotation_that_excludes_the_fabric_is_found_wherever_it_stands(daemonset, judge, attached):
    daemonset["spec"]["template"]["metadata"]["annotations"] = {"example.com/weft": "x"}
    (finding,) = judge(daemonset, composition=attached())
    assert finding.rule == "AICR-F016"
    assert finding.message == "annotation example.com/weft cannot stand beside fabric=warp: Warp and weft take the same card"
    assert finding.pointer == "/spec/template/metadata/annotations/example.com~1weft"
    assert finding.fix == "remove it, or choose another value of fabric"


@pytest.mark.parametrize("form", ["exactly", "firstAvailable"])
def test_a_device_class_that_excludes_the_fabric_is_found_in_every_claim_template(form, judge, attached):
    asked = {"deviceClassName": "weft.example.com"}
    request = {"name": "nic", form: asked if form == "exactly" else [{"name": "one", **asked}]}
    template = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "weft", "namespace": "team-a"},
        "spec": {"spec": {"devices": {"requests": [request]}}},
    }
    (finding,) = judge(template, composition=attached())
    assert (finding.rule, finding.message) == (
        "AICR-F016",
        "device class weft.example.com cannot stand beside fabric=warp: Warp and weft take the same card",
    )


def test_the_value_has_the_last_word_on_the_wiring(wired, said, attached):
    composition = attached()
    selection = replace(
        composition.selections[0],
        declaration={"wiring": {"claims": []}, "parameters": {"release": {"releases": "tcpxo"}}},
        releases={"release": {"name": "v0", "env": [{"name": "NCCL_FASTRAK_IFNAME", "value": "w1", "class": "plain"}]}},
    )
    rules = {rule for rule, _, _ in said(wired, replace(composition, selections=(selection,)))}
    assert "AICR-F014" not in rules
    assert {"AICR-F001", "AICR-F004", "AICR-F005", "AICR-F007"} <= rules
