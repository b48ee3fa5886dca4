"""What a machine with RDMA has, and what a pod of each recipe asks for. Sources: see `tests.unit.data.rdma`."""

import pytest

from bundler import Catalog, bundle
from bundler.model.request import Request, Scheduling
from tests.unit.data.rdma import (
    AKS,
    ENV,
    ENV_BY_GPU_ON_OKE,
    FABRIC,
    FACTS,
    FITTING,
    GIVEN,
    MACHINES,
    NAMED,
    OKE,
    ONPREM,
    PAIRS,
    RECIPES,
    asked,
    environment,
    networks,
    refusals,
    runtime,
)
from tests.unit.data.rendering import CATALOG, containers, pod


@pytest.mark.parametrize(
    ("table", "fact", "machines"), [("aks", "rdmaNics", AKS), ("oke", "rdmaVfs", OKE), ("onprem", "rdmaNics", ONPREM)]
)
def test_a_table_has_the_published_counts(table, fact, machines):
    rows = CATALOG.machine_table(table).data["machines"]
    assert {row["name"]: (row["accelerator"], row["gpus"], row[fact]) for row in rows} == machines
    assert {row["name"] for row in rows if row["arch"] == "arm64"} == {name for name in machines if ".GB200" in name}


def test_the_letter_r_in_the_name_of_an_azure_size_says_that_it_does_rdma():
    # Azure/aks-rdma-infiniband website/docs/getting-started/02-prerequisites.md: ND96a(m)sr, ND96isr.
    assert {name for name, (_, _, nics) in AKS.items() if nics} == {name for name in AKS if "sr_" in name}


@pytest.mark.parametrize(("recipe", "machine"), FITTING)
def test_a_machine_that_fits_gives_a_bundle_that_keeps_the_rules(recipe, machine):
    assert bundle(CATALOG, asked(recipe, machine)).files


@pytest.mark.parametrize(("recipe", "machine"), FITTING)
def test_a_pod_takes_the_whole_node_and_no_privilege(recipe, machine):
    spec = pod(runtime(asked(recipe, machine)))["spec"]
    (worker,) = spec["containers"]
    _, value = RECIPES[recipe]
    _, gpus, functions = MACHINES[value][machine]
    devices = {"nvidia.com/gpu": str(gpus)}
    devices |= {"nvidia.com/rdma-vf": str(functions)} if value == "oke-rdma-vf" else {GIVEN[value]["resourceName"]: "1"}
    assert worker["resources"] == {"requests": devices, "limits": devices}
    assert worker["securityContext"] == {"capabilities": {"add": ["IPC_LOCK"]}}
    assert worker["volumeMounts"] == [{"name": "dshm", "mountPath": "/dev/shm"}]
    assert spec["volumes"] == [{"name": "dshm", "emptyDir": {"medium": "Memory"}}]
    assert not spec.keys() & {"hostNetwork", "dnsPolicy", "initContainers"}


@pytest.mark.parametrize(("recipe", "machine"), FITTING)
def test_nccl_is_told_what_the_source_of_its_cloud_says(recipe, machine):
    accelerator, value = RECIPES[recipe]
    assert environment(runtime(asked(recipe, machine))) == (
        ENV_BY_GPU_ON_OKE[accelerator] if value == "oke-rdma-vf" else ENV[value]
    )


@pytest.mark.parametrize(("recipe", "machine"), FITTING)
def test_pods_keep_to_nodes_of_the_machine_where_the_cloud_labels_them(recipe, machine):
    placement = Scheduling(node_selector={"pool": "gpu"}, tolerations=({"key": "sku", "operator": "Exists"},))
    spec = pod(runtime(asked(recipe, machine, accelerated=placement)))["spec"]
    assert (spec["nodeSelector"], spec["tolerations"]) == ({"pool": "gpu"}, [{"key": "sku", "operator": "Exists"}])
    if RECIPES[recipe][1] == "onprem-rdma":
        assert "affinity" not in spec
    else:
        (term,) = spec["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
        assert term["matchExpressions"] == [{"key": "node.kubernetes.io/instance-type", "operator": "In", "values": [machine]}]


@pytest.mark.parametrize(("recipe", "machine"), FITTING)
def test_the_network_is_attached_once_for_each_virtual_function_and_nowhere_else(recipe, machine):
    attached = networks(runtime(asked(recipe, machine)))
    if RECIPES[recipe][1] == "oke-rdma-vf":
        assert attached.split(",") == ["default/rdma-vf"] * OKE[machine][2]
    else:
        assert attached is None


@pytest.mark.parametrize(("recipe", "machine"), FITTING)
def test_the_runtime_says_what_the_worker_image_must_bring(recipe, machine):
    assert runtime(asked(recipe, machine))["metadata"]["annotations"] == {
        "aicr.run/worker-image": "set spec.trainer.image: an image for amd64 with libibverbs and the mlx5 provider (rdma-core); "
        "the default has neither"
    }


@pytest.mark.parametrize(("recipe", "machine"), [pair for pair in PAIRS if pair not in FITTING])
def test_every_other_machine_is_refused_by_name_and_reason(recipe, machine):
    accelerator, value = RECIPES[recipe]
    actual, *_ = MACHINES[value][machine]
    reason = f"has the accelerator {actual}, not {accelerator}" if actual != accelerator else f"has no {FACTS[value]}"
    message = f"parameter fabricAttachment.{NAMED[value]}: {machine} {reason}"
    assert refusals(asked(recipe, machine)) == [("AICR-P022", message)]


@pytest.mark.parametrize(
    ("shape", "functions", "accelerator"),
    [(shape, functions, accelerator) for shape, (accelerator, _, functions) in OKE.items() if functions],
)
def test_every_shape_with_virtual_functions_serves_a_recipe_of_ones_own(tmp_path, shape, functions, accelerator):
    recipe = f"{accelerator}-oke-rhel-training-kubeflow"
    stated = f"{{service: oke, accelerator: {accelerator}, os: rhel, intent: training, platform: kubeflow}}"
    profiles = "{fabricAttachment: {required: true, values: [oke-rdma-vf]}}"
    for file, text in {
        f"recipes/{recipe}.yaml": f"kind: Recipe\nmetadata: {{name: {recipe}, description: Ours.}}\n"
        f"criteria: {stated}\nprofiles: {profiles}\n",
        "overlays/os/rhel.yaml": "kind: Overlay\nmetadata: {name: os-rhel, description: Ours.}\ncriteria: {os: rhel}\n",
        "overlays/accelerator/b300.yaml": "kind: Overlay\nmetadata: {name: accelerator-b300, description: Ours.}\n"
        "criteria: {accelerator: b300}\n",
    }.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(f"apiVersion: aicr.run/v2\n{text}")
    request = Request(
        recipe=recipe,
        profiles={"fabricAttachment": "oke-rdma-vf"},
        parameters={"fabricAttachment": {"shape": shape}},
    )
    data = runtime(request, Catalog.load(tmp_path))
    assert containers(data)["node"]["resources"]["limits"]["nvidia.com/rdma-vf"] == str(functions)
    assert len(networks(data).split(",")) == functions
    assert environment(data) == ENV_BY_GPU_ON_OKE[accelerator]


def test_no_setting_names_the_physical_functions_of_a_shape():
    # Oracle's list writes NCCL_IB_HCA==mlx5_0,...: its value begins with = and matches names exactly. Virtual functions have other
    # names, which differ from node to node, and the list itself says to write mlx5 for them.
    settings = [each for env in CATALOG.fragment("oke-rdma-settings").values() for each in env if each["name"] == "NCCL_IB_HCA"]
    assert settings
    assert {each["value"] for each in settings} == {"mlx5"}


@pytest.mark.parametrize("shape", [shape for shape, (accelerator, *_) in OKE.items() if accelerator == "gb200"])
def test_gb200_has_no_virtual_functions_and_is_told_so(shape):
    request = Request(
        recipe="gb200-oke-ubuntu-training-kubeflow",
        profiles={"fabricAttachment": "oke-rdma-vf"},
        parameters={"fabricAttachment": {"shape": shape}},
    )
    ((rule, message),) = refusals(request)
    assert rule == "AICR-P004"
    assert message.startswith("fabricAttachment=oke-rdma-vf does not apply to accelerator=gb200")
    assert FABRIC["oke-rdma-vf"]["description"].endswith("GB200 and GB300 have none.")


def test_a_shape_on_which_oracle_makes_no_functions_is_warned_about():
    request = asked("l40s-oke-ol-training-kubeflow", "BM.GPU.L40S.4")
    (warning,) = bundle(CATALOG, request).warnings
    assert (warning.rule, warning.message.partition(":")[0]) == ("AICR-P025", "BM.GPU.L40S.4")
