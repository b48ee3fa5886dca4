"""Facts of EFA on EKS: what each instance type has, and what a pod of each recipe asks for.

Sources: aws/karpenter-provider-aws reference/instance-types.md (2026-08-21); aws/eks-charts aws-efa-k8s-device-plugin; Amazon EKS
user guide, node-efa; NVIDIA/cluster-readiness-engine pkg/catalog/entries/_lib (GB200); NVIDIA/aicr validators/performance/testdata.
"""

import pytest

from bundler import Catalog, bundle
from bundler.errors import InvalidInput
from bundler.kube.quantity import Quantity
from bundler.model.request import Request, Scheduling
from bundler.render.render import render_resources
from tests.unit.data.rendering import CATALOG, compose, containers, pod

MACHINES = {
    # name: accelerator, GPUs, EFA interfaces, huge pages
    "g6e.2xlarge": ("l40s", 1, 0, None),
    "g6e.4xlarge": ("l40s", 1, 0, None),
    "g6e.8xlarge": ("l40s", 1, 1, "5120Mi"),
    "g6e.12xlarge": ("l40s", 4, 1, "5120Mi"),
    "g6e.16xlarge": ("l40s", 1, 1, "5120Mi"),
    "g6e.24xlarge": ("l40s", 4, 2, "5120Mi"),
    "g6e.48xlarge": ("l40s", 8, 4, "5120Mi"),
    "g7e.2xlarge": ("rtx-pro-6000", 1, 0, None),
    "g7e.4xlarge": ("rtx-pro-6000", 1, 0, None),
    "g7e.8xlarge": ("rtx-pro-6000", 1, 1, "5120Mi"),
    "g7e.12xlarge": ("rtx-pro-6000", 2, 1, "5120Mi"),
    "g7e.24xlarge": ("rtx-pro-6000", 4, 2, "5120Mi"),
    "g7e.48xlarge": ("rtx-pro-6000", 8, 4, "5120Mi"),
    "p4d.24xlarge": ("a100", 8, 4, "5120Mi"),
    "p4de.24xlarge": ("a100", 8, 4, "5120Mi"),
    "p5.4xlarge": ("h100", 1, 1, "5120Mi"),
    "p5.48xlarge": ("h100", 8, 32, "5120Mi"),
    "p5e.48xlarge": ("h200", 8, 32, "5120Mi"),
    "p5en.48xlarge": ("h200", 8, 16, "5120Mi"),
    "p6-b200.48xlarge": ("b200", 8, 8, "5120Mi"),
    "p6-b300.48xlarge": ("b300", 8, 16, "5120Mi"),
    "p6e-gb200.36xlarge": ("gb200", 4, 4, "10256Mi"),
    "p6e-gb300.36xlarge": ("gb300", 4, None, None),  # no public source gives the number
}
RECIPES = {
    f"{accelerator}-eks-ubuntu-training-kubeflow": (accelerator, value)
    for accelerator, value in [
        ("a100", "eks-efa-device-plugin"),
        ("b200", "eks-efa-device-plugin"),
        ("gb200", "eks-nvls-efa"),
        ("gb300", "eks-nvls-efa"),
        ("h100", "eks-efa-device-plugin"),
        ("h200", "eks-efa-device-plugin"),
        ("rtx-pro-6000", "eks-efa-device-plugin"),
    ]
}
RUNTIMES = {
    "eks-efa-device-plugin": "ClusterTrainingRuntime/torch-distributed-efa",
    "eks-nvls-efa": "TrainingRuntime/torch-distributed-nvls-efa",
}
PAIRS = [(recipe, machine) for recipe in RECIPES for machine in MACHINES]
FITTING = [pair for pair in PAIRS if MACHINES[pair[1]][0] == RECIPES[pair[0]][0] and MACHINES[pair[1]][2]]
ENV = {"FI_PROVIDER": "efa", "NCCL_NET": "Libfabric", "NCCL_SOCKET_IFNAME": "eth0"}
NVLS = {"NCCL_CUMEM_ENABLE": "1", "NCCL_MNNVL_ENABLE": "1", "NCCL_NVLS_ENABLE": "1"}
P4D = {"NCCL_BUFFSIZE": "8388608", "NCCL_P2P_NET_CHUNKSIZE": "524288"}  # aws-samples/awsome-distributed-training


def asked(recipe, machine, **more):
    _, value = RECIPES[recipe]
    parameters = {"instanceType": machine} | ({"namespace": "team-a"} if value == "eks-nvls-efa" else {})
    return Request(recipe=recipe, profiles={"fabricAttachment": value}, parameters={"fabricAttachment": parameters}, **more)


def runtime(request):
    objects = {each.subject: each.data for each in render_resources(CATALOG, compose(CATALOG, request))}
    return objects[RUNTIMES[request.profiles["fabricAttachment"]]]


def refusals(request):
    with pytest.raises(InvalidInput) as caught:
        compose(CATALOG, request)
    return [(finding.rule, finding.message) for finding in caught.value.findings]


def test_the_table_has_the_published_counts():
    rows = CATALOG.machine_table("eks").data["machines"]
    assert {row["name"]: (row["accelerator"], row["gpus"], row.get("efa"), row.get("hugepages2Mi")) for row in rows} == MACHINES
    assert {row["name"] for row in rows if row["arch"] == "arm64"} == {"p6e-gb200.36xlarge", "p6e-gb300.36xlarge"}


def test_a_machine_whose_fabric_has_a_catch_says_so():
    warned = {row["name"] for row in CATALOG.machine_table("eks").data["machines"] if "warning" in row}
    assert warned == {"p5.4xlarge", "p6e-gb200.36xlarge", "p6e-gb300.36xlarge"}


def test_one_interface_for_all_traffic_is_said_on_every_bundle():
    (warning,) = bundle(CATALOG, asked("h100-eks-ubuntu-training-kubeflow", "p5.4xlarge")).warnings
    assert (warning.rule, warning.message.partition(":")[0]) == ("AICR-P025", "p5.4xlarge")
    assert bundle(CATALOG, asked("h100-eks-ubuntu-training-kubeflow", "p5.48xlarge")).warnings == ()


@pytest.mark.parametrize(("recipe", "machine"), FITTING)
def test_a_machine_that_fits_gives_a_bundle_that_keeps_the_rules(recipe, machine):
    assert bundle(CATALOG, asked(recipe, machine)).files


@pytest.mark.parametrize(("recipe", "machine"), FITTING)
def test_a_pod_takes_the_whole_node_in_the_amounts_of_its_machine(recipe, machine):
    spec = pod(runtime(asked(recipe, machine)))["spec"]
    (worker,) = spec["containers"]
    _, gpus, efa, pages = MACHINES[machine]
    devices = {"nvidia.com/gpu": str(gpus), "vpc.amazonaws.com/efa": str(efa), "hugepages-2Mi": pages}
    # Kubernetes admits huge pages only beside cpu or memory; a limit of either would keep the job from the rest of its node.
    assert worker["resources"]["requests"] == devices | {"cpu": "1"}
    assert worker["resources"]["limits"] == devices
    assert Quantity.parse(pages) <= Quantity.parse("10256Mi")  # what the vendor's GPU images reserve: 5128 pages
    assert worker["securityContext"] == {"capabilities": {"add": ["IPC_LOCK"]}}
    assert worker["volumeMounts"] == [{"name": "dshm", "mountPath": "/dev/shm"}]
    assert spec["volumes"] == [{"name": "dshm", "emptyDir": {"medium": "Memory"}}]


@pytest.mark.parametrize(("recipe", "machine"), FITTING)
def test_nccl_is_told_its_network_and_nothing_that_newer_libraries_do_not_need(recipe, machine):
    env = containers(runtime(asked(recipe, machine)))["node"]["env"]
    settings = ENV | (NVLS if RECIPES[recipe][1] == "eks-nvls-efa" else {}) | (P4D if machine == "p4d.24xlarge" else {})
    assert {each["name"]: each["value"] for each in env} == settings
    assert len(env) == len(settings)


@pytest.mark.parametrize(("recipe", "machine"), FITTING)
def test_a_pod_keeps_to_nodes_of_its_machine(recipe, machine):
    placement = Scheduling(node_selector={"pool": "gpu"}, tolerations=({"key": "nvidia.com/gpu", "operator": "Exists"},))
    spec = pod(runtime(asked(recipe, machine, accelerated=placement)))["spec"]
    (term,) = spec["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    assert term["matchExpressions"] == [{"key": "node.kubernetes.io/instance-type", "operator": "In", "values": [machine]}]
    assert spec["nodeSelector"] == {"pool": "gpu"}
    assert spec["tolerations"] == [{"key": "nvidia.com/gpu", "operator": "Exists"}]


@pytest.mark.parametrize(("recipe", "machine"), FITTING)
def test_the_runtime_says_what_the_worker_image_must_bring(recipe, machine):
    annotations = runtime(asked(recipe, machine))["metadata"]["annotations"]
    architecture = "arm64" if machine.startswith("p6e-") else "amd64"
    assert annotations == {
        "aicr.run/worker-image": f"set spec.trainer.image: an image for {architecture} with libfabric and aws-ofi-nccl 1.12 or "
        "later; the default has neither"
    }


@pytest.mark.parametrize(("recipe", "machine"), [pair for pair in PAIRS if pair not in FITTING])
def test_every_other_machine_is_refused_by_name_and_reason(recipe, machine):
    accelerator, _ = RECIPES[recipe]
    actual, *_ = MACHINES[machine]
    reason = f"has the accelerator {actual}, not {accelerator}" if actual != accelerator else "has no efa and no hugepages2Mi"
    message = f"parameter fabricAttachment.instanceType: {machine} {reason}"
    assert refusals(asked(recipe, machine)) == [("AICR-P022", message)]


def test_a_machine_that_does_not_exist_is_refused():
    # The family skips from 12xlarge to 24xlarge, unlike g6e.
    (refusal,) = refusals(asked("rtx-pro-6000-eks-ubuntu-training-kubeflow", "g7e.16xlarge"))
    assert refusal == ("AICR-P021", "parameter fabricAttachment.instanceType: 'g7e.16xlarge' is no machine of eks")


@pytest.mark.parametrize("recipe", RECIPES)
def test_the_machine_is_never_guessed(recipe):
    _, value = RECIPES[recipe]
    request = Request(
        recipe=recipe,
        profiles={"fabricAttachment": value},
        parameters={"fabricAttachment": {"namespace": "team-a"} if value == "eks-nvls-efa" else {}},
    )
    ((rule, message),) = refusals(request)
    assert rule == "AICR-P006"
    assert "needs the parameter 'instanceType'" in message


def test_a_stated_machine_type_is_the_instance_type():
    recipe = "h200-eks-ubuntu-training-kubeflow"
    stated = Request(recipe=recipe, profiles={"fabricAttachment": "eks-efa-device-plugin"}, machine_type="p5en.48xlarge")
    assert runtime(stated) == runtime(asked(recipe, "p5en.48xlarge"))


def test_a_row_of_ones_own_states_what_no_source_does(tmp_path):
    table = tmp_path / "bom" / "machines" / "eks.yaml"
    table.parent.mkdir(parents=True)
    table.write_text(
        "apiVersion: aicr.run/v2\nkind: MachineTable\nmetadata: {name: eks, description: Ours., source: ours}\nmachines:\n"
        "  - {name: p6e-gb300.36xlarge, accelerator: gb300, gpus: 4, arch: arm64, source: ours, efa: 2, hugepages2Mi: 5120Mi}\n"
    )
    request = asked("gb300-eks-ubuntu-training-kubeflow", "p6e-gb300.36xlarge")
    files = bundle(Catalog.load(tmp_path), request).files
    assert b'vpc.amazonaws.com/efa: "2"' in files["runtimes/trainingruntime-torch-distributed-nvls-efa.yaml"]
