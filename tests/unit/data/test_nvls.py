"""Facts of NVLink between nodes (IMEX): ComputeDomain, claim and runtime in one namespace.

Sources: kubernetes-sigs/dra-driver-nvidia-gpu api/nvidia.com/resource/v1beta1; NVIDIA/aicr validators/performance/testdata/*/
runtime-nvls.yaml and recipes/overlays; NVIDIA/cluster-readiness-engine pkg/catalog/entries/_lib/nccl (gb200-env).
"""

import pytest

from bundler import bundle
from bundler.errors import InvalidInput
from bundler.model.request import Request
from bundler.render.render import render_resources
from bundler.trainer.materialise import materialise
from bundler.trainer.versions import trainer_version
from tests.unit.data.rendering import CATALOG, compose, containers, pod

FABRIC = CATALOG.profiles["fabricAttachment"].data["values"]
NVLS_ONLY = ["gb200-oke-ubuntu-training-kubeflow", "gb300-eks-ubuntu-training-kubeflow", "gb300-generic-ubuntu-training-kubeflow"]
NVLS_ONLY += ["vr200-rke2-ubuntu-2604-training-kubeflow"]
CASES = [
    *((recipe, "nvls-imex", {"gpus": 4}, "torch-distributed-nvls") for recipe in NVLS_ONLY),
    (
        "gb200-eks-ubuntu-training-kubeflow",
        "eks-nvls-efa",
        {"instanceType": "p6e-gb200.36xlarge"},
        "torch-distributed-nvls-efa",
    ),
]


def asked(recipe, value, parameters):
    return Request(recipe=recipe, profiles={"fabricAttachment": value}, parameters={"fabricAttachment": parameters})


def objects(recipe, value, parameters):
    composition = compose(CATALOG, asked(recipe, value, parameters | {"namespace": "team-a"}))
    return {each.subject: each.data for each in render_resources(CATALOG, composition)}


@pytest.mark.parametrize(("recipe", "value", "parameters", "name"), CASES)
def test_the_bundle_keeps_the_rules(recipe, value, parameters, name):
    files = bundle(CATALOG, asked(recipe, value, parameters | {"namespace": "team-a"})).files
    assert f"runtimes/trainingruntime-{name}.yaml" in files


@pytest.mark.parametrize(("recipe", "value", "parameters", "name"), CASES)
def test_runtime_and_domain_live_in_one_namespace(recipe, value, parameters, name):
    rendered = objects(recipe, value, parameters)
    runtime, domain = rendered[f"TrainingRuntime/{name}"], rendered[f"ComputeDomain/{name}"]
    assert runtime["metadata"]["namespace"] == domain["metadata"]["namespace"] == "team-a"
    assert domain["apiVersion"] == "resource.nvidia.com/v1beta1"
    # 0: the domain grows with the pods that hold the claim; a number would only hold back its status.
    assert domain["spec"] == {
        "numNodes": 0,
        "channel": {"allocationMode": "Single", "resourceClaimTemplate": {"name": f"{name}-channel"}},
    }
    # The driver makes the template; a second one of its name would be refused.
    assert not any(subject.startswith("ResourceClaimTemplate/") for subject in rendered)
    assert f"ClusterTrainingRuntime/{name}" not in rendered


@pytest.mark.parametrize(("recipe", "value", "parameters", "name"), CASES)
def test_the_claim_has_both_halves(recipe, value, parameters, name):
    spec = pod(objects(recipe, value, parameters)[f"TrainingRuntime/{name}"])["spec"]
    assert spec["resourceClaims"] == [{"name": "imex-channel", "resourceClaimTemplateName": f"{name}-channel"}]
    assert spec["containers"][0]["resources"]["claims"] == [{"name": "imex-channel"}]


@pytest.mark.parametrize(("recipe", "value", "parameters", "name"), CASES)
def test_nccl_shares_memory_between_nodes(recipe, value, parameters, name):
    env = {
        each["name"]: each["value"]
        for each in containers(objects(recipe, value, parameters)[f"TrainingRuntime/{name}"])["node"]["env"]
    }
    wanted = {"NCCL_CUMEM_ENABLE": "1", "NCCL_MNNVL_ENABLE": "1", "NCCL_NVLS_ENABLE": "1", "NCCL_SOCKET_IFNAME": "eth0"}
    assert env.items() >= wanted.items()
    assert env.keys() - wanted.keys() == ({"FI_PROVIDER", "NCCL_NET"} if value == "eks-nvls-efa" else set())


@pytest.mark.parametrize("recipe", NVLS_ONLY)
def test_nvlink_alone_asks_for_gpus_and_the_channel_only(recipe):
    (worker,) = pod(objects(recipe, "nvls-imex", {"gpus": 4})["TrainingRuntime/torch-distributed-nvls"])["spec"]["containers"]
    assert worker["resources"] == {
        "requests": {"nvidia.com/gpu": "4"},
        "limits": {"nvidia.com/gpu": "4"},
        "claims": [{"name": "imex-channel"}],
    }
    assert worker["securityContext"] == {"capabilities": {"add": ["IPC_LOCK"]}}


def test_efa_and_the_channel_come_together_on_eks():
    # One container holds both: with the channel alone, traffic between UltraServers would go over TCP.
    case = next(case for case in CASES if case[1] == "eks-nvls-efa")
    worker = containers(objects(*case[:3])["TrainingRuntime/torch-distributed-nvls-efa"])["node"]
    assert worker["resources"]["claims"] == [{"name": "imex-channel"}]
    assert worker["resources"]["limits"]["vpc.amazonaws.com/efa"] == "4"


@pytest.mark.parametrize("value", ["eks-nvls-efa", "nvls-imex"])
@pytest.mark.parametrize("namespace", ["Team", "team_a", "-team", "team-", "", "a" * 64, "team\n", "team.a"])
def test_a_namespace_is_a_label(value, namespace):
    recipe, _, parameters, _ = next(case for case in CASES if case[1] == value)
    with pytest.raises(InvalidInput) as caught:
        compose(CATALOG, asked(recipe, value, parameters | {"namespace": namespace}))
    assert [finding.rule for finding in caught.value.findings] == ["AICR-P012"]


@pytest.mark.parametrize("gpus", [0, -1, 9, 1.5, "four", True])
def test_a_node_has_one_to_eight_gpus(gpus):
    with pytest.raises(InvalidInput):
        compose(CATALOG, asked("gb300-generic-ubuntu-training-kubeflow", "nvls-imex", {"namespace": "team-a", "gpus": gpus}))


@pytest.mark.parametrize(("value", "other"), [("nvls-imex", "gpus"), ("eks-nvls-efa", "instanceType")])
def test_nothing_is_guessed(value, other):
    recipe = next(case[0] for case in CASES if case[1] == value)
    with pytest.raises(InvalidInput) as caught:
        compose(CATALOG, asked(recipe, value, {}))
    assert {finding.message.split("'")[1] for finding in caught.value.findings} == {other, "namespace"}
    assert {finding.rule for finding in caught.value.findings} == {"AICR-P006"}


@pytest.mark.parametrize("value", ["eks-nvls-efa", "nvls-imex"])
def test_the_claim_template_needs_the_api_of_kubernetes_1_34(value):
    assert {each["name"]: each["value"] for each in FABRIC[value]["constraints"]} == {"K8s.server.version": ">= 1.34"}
    assert FABRIC[value]["brings"] == ["nvidia-dra-driver-gpu"]
    # NVIDIA/aicr: nccl-all-reduce-bw-nvls >= 500 on EKS and OKE.
    assert (FABRIC[value]["floor"]["gbps"], FABRIC[value]["floor"]["metric"]) == (500, "busbw")


@pytest.mark.parametrize(
    ("recipe", "value"),
    [
        ("gb200-eks-ubuntu-training-kubeflow", "eks-efa-device-plugin"),
        ("gb200-eks-ubuntu-training-kubeflow", "nvls-imex"),
        ("h100-eks-ubuntu-training-kubeflow", "eks-nvls-efa"),
        ("gb200-oke-ubuntu-training-kubeflow", "eks-nvls-efa"),
        ("gb300-generic-ubuntu-training-kubeflow", "eks-nvls-efa"),
    ],
)
def test_an_attachment_that_is_not_the_machines_is_refused(recipe, value):
    with pytest.raises(InvalidInput) as caught:
        compose(CATALOG, asked(recipe, value, {"namespace": "team-a", "gpus": 4}))
    assert caught.value.findings[0].rule in {"AICR-P004", "AICR-P005"}


@pytest.mark.parametrize(
    ("version", "resources", "claims", "processes"),
    [
        ("2.2.0", None, True, "auto"),
        ("2.3.0", None, True, "auto"),
        ("2.2.0", {}, True, "1"),
        ("2.3.0", {}, False, "1"),
        ("2.2.0", {"claims": [{"name": "imex-channel"}]}, True, "1"),
        ("2.3.0", {"claims": [{"name": "imex-channel"}]}, False, "1"),
        ("2.2.0", {"limits": {"nvidia.com/gpu": "4"}}, False, "auto"),
        ("2.3.0", {"limits": {"nvidia.com/gpu": "4"}}, False, "auto"),
        ("2.2.0", {"requests": {"cpu": "32"}}, False, "32"),
        ("2.3.0", {"requests": {"cpu": "32"}}, False, "32"),
    ],
)
@pytest.mark.parametrize("case", [CASES[0], CASES[-1]], ids=lambda case: case[1])
def test_what_resources_per_node_take_from_a_job(case, version, resources, claims, processes):
    # The tables of docs/how-to/fabric-nvls-imex.md and fabric-eks-nvls-efa.md.
    recipe, value, parameters, name = case
    trainer = {} if resources is None else {"resourcesPerNode": resources}
    job = {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": "pretrain", "namespace": "team-a"},
        "spec": {"runtimeRef": {"kind": "TrainingRuntime", "name": name}, "trainer": trainer},
    }
    runtime = objects(recipe, value, parameters)[f"TrainingRuntime/{name}"]
    (replicated,) = materialise(job, runtime, trainer_version(version)).data["spec"]["replicatedJobs"]
    spec = replicated["template"]["spec"]["template"]["spec"]
    (worker,) = spec["containers"]
    assert ("claims" in worker["resources"]) is claims
    assert spec["resourceClaims"], "the pod's half stays, so the channel is allocated to nobody"
    assert next(each["value"] for each in worker["env"] if each["name"] == "PET_NPROC_PER_NODE") == processes
