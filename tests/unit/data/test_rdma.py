"""Facts of RDMA on AKS, OKE and a site's own machines: what a machine has, and what a pod of each recipe asks for.

Sources: MicrosoftDocs/azure-compute-docs sizes/gpu-accelerated; Azure/aks-rdma-infiniband website/docs/configurations; NVIDIA/aicr
recipes/overlays, recipes/components/network-operator and validators/performance/testdata/h100/aks; oracle-quickstart/oci-hpc-oke
docs/using-rdma-network-interfaces-in-manifests.md and docs/recommended-nccl-rccl-parameters-by-shape.md;
NVIDIA/cluster-readiness-engine pkg/catalog (gpu-defaults, oci-roce-env, nscale-ib-env).
"""

import pytest

from bundler import Catalog, bundle
from bundler.catalog.validation import check
from bundler.errors import InvalidInput
from bundler.model.request import Request, Scheduling
from bundler.render.render import render_resources
from tests.unit.data.rendering import CATALOG, compose, containers, pod

AKS = {
    # name: accelerator, GPUs, RDMA NICs
    "Standard_NC24ads_A100_v4": ("a100", 1, 0),
    "Standard_NC48ads_A100_v4": ("a100", 2, 0),
    "Standard_NC96ads_A100_v4": ("a100", 4, 0),
    "Standard_ND96asr_v4": ("a100", 8, 8),
    "Standard_ND96amsr_A100_v4": ("a100", 8, 8),
    "Standard_NC40ads_H100_v5": ("h100", 1, 0),
    "Standard_NC80adis_H100_v5": ("h100", 2, 0),
    "Standard_ND96isr_H100_v5": ("h100", 8, 8),
}
OKE = {
    # name: accelerator, GPUs, RDMA virtual functions
    "BM.GPU4.8": ("a100", 8, 16),
    "BM.GPU.A100-v2.8": ("a100", 8, 16),
    "BM.GPU.B4.8": ("a100", 8, 16),
    "BM.GPU.B200.8": ("b200", 8, 8),
    "BM.GPU.B300.8": ("b300", 8, 16),
    "BM.GPU.GB200.4": ("gb200", 4, 0),
    "BM.GPU.GB200-v2.4": ("gb200", 4, 0),
    "BM.GPU.GB200-v3.4": ("gb200", 4, 0),
    "BM.GPU.H100.8": ("h100", 8, 16),
    "BM.GPU.H200.8": ("h200", 8, 8),
    "BM.GPU.L40S.4": ("l40s", 4, 2),
}
ONPREM = {f"hgx-{gpu}": (gpu, 8, 8) for gpu in ("a100", "b200", "b300", "h100", "h200")}
MACHINES = {"aks-rdma-shared": AKS, "oke-rdma-vf": OKE, "onprem-rdma": ONPREM}
NAMED = {"aks-rdma-shared": "vmSize", "oke-rdma-vf": "shape", "onprem-rdma": "machine"}
FACTS = {"aks-rdma-shared": "rdmaNics", "oke-rdma-vf": "rdmaSettings and no rdmaVfs", "onprem-rdma": "rdmaNics"}
RUNTIMES = {
    "aks-rdma-shared": "torch-distributed-rdma",
    "oke-rdma-vf": "torch-distributed-rdma-vf",
    "onprem-rdma": "torch-distributed-rdma",
}
RECIPES = {
    # recipe: accelerator, value
    "a100-aks-ubuntu-training-kubeflow": ("a100", "aks-rdma-shared"),
    "h100-aks-ubuntu-training-kubeflow": ("h100", "aks-rdma-shared"),
    "a100-oke-ubuntu-training-kubeflow": ("a100", "oke-rdma-vf"),
    "l40s-oke-ol-training-kubeflow": ("l40s", "oke-rdma-vf"),
    "h100-bcm-ubuntu-training-kubeflow": ("h100", "onprem-rdma"),
    "h200-k0s-ubuntu-training-kubeflow": ("h200", "onprem-rdma"),
}
PAIRS = [(recipe, machine) for recipe, (_, value) in RECIPES.items() for machine in MACHINES[value]]
FITTING = [
    (recipe, machine)
    for recipe, machine in PAIRS
    if MACHINES[RECIPES[recipe][1]][machine][0] == RECIPES[recipe][0] and MACHINES[RECIPES[recipe][1]][machine][2]
]
GIVEN = {
    "aks-rdma-shared": {"resourceName": "rdma/hca_shared_devices_a", "count": 1},
    "oke-rdma-vf": {},
    "onprem-rdma": {"resourceName": "rdma/rdma_shared_device_a", "count": 1},
}
A100_ON_OKE = {
    "NCCL_DEBUG": "WARN",
    "NCCL_IB_GID_INDEX": "3",
    "NCCL_IB_HCA": "mlx5",
    "NCCL_IB_QPS_PER_CONNECTION": "4",
    "NCCL_IB_SL": "0",
    "NCCL_IB_SPLIT_DATA_ON_QPS": "0",
    "NCCL_IB_TC": "41",
    "NCCL_IB_TIMEOUT": "22",
    "NCCL_NET": "IB",
}
HOPPER_ON_OKE = {name: value for name, value in A100_ON_OKE.items() if name != "NCCL_IB_QPS_PER_CONNECTION"} | {
    "NCCL_CUMEM_ENABLE": "0",
    "NCCL_IGNORE_CPU_AFFINITY": "1",
    "NCCL_SOCKET_IFNAME": "eth0",
}
L40S_ON_OKE = {name: value for name, value in A100_ON_OKE.items() if name not in {"NCCL_DEBUG", "NCCL_IB_TIMEOUT"}} | {
    "NCCL_IB_PCI_RELAXED_ORDERING": "1",
    "NCCL_SOCKET_IFNAME": "eth0",
}
ENV = {
    "aks-rdma-shared": {"NCCL_IB_DISABLE": "0", "NCCL_NET": "IB", "NCCL_NET_PLUGIN": "none", "NCCL_SOCKET_IFNAME": "eth0"},
    "onprem-rdma": {"NCCL_NET": "IB", "NCCL_SOCKET_IFNAME": "eth0"},
}
ENV_BY_GPU_ON_OKE = {"a100": A100_ON_OKE, "l40s": L40S_ON_OKE} | dict.fromkeys(["b200", "b300", "h100", "h200"], HOPPER_ON_OKE)
EVERYWHERE = Scheduling()
FABRIC = CATALOG.profiles["fabricAttachment"].data["values"]


def asked(recipe, machine, *, accelerated=EVERYWHERE, **parameters):
    _, value = RECIPES[recipe]
    given = GIVEN[value] | ({NAMED[value]: machine} if machine else {}) | parameters
    return Request(
        recipe=recipe, profiles={"fabricAttachment": value}, parameters={"fabricAttachment": given}, accelerated=accelerated
    )


def runtime(request, catalog=CATALOG):
    objects = {each.subject: each.data for each in render_resources(catalog, compose(catalog, request))}
    return objects[f"ClusterTrainingRuntime/{RUNTIMES[request.profiles['fabricAttachment']]}"]


def networks(data):
    return pod(data).get("metadata", {}).get("annotations", {}).get("k8s.v1.cni.cncf.io/networks")


def environment(data):
    env = containers(data)["node"]["env"]
    named = {each["name"]: each["value"] for each in env}
    assert len(named) == len(env)
    return named


def refusals(request):
    with pytest.raises(InvalidInput) as caught:
        compose(CATALOG, request)
    return [(finding.rule, finding.message) for finding in caught.value.findings]


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


@pytest.mark.parametrize("count", [1, 8])
@pytest.mark.parametrize("name", ["rdma/hca_shared_devices_a", "rdma/ib", "rdma/shared_ib", "nvidia.com/mlnxnics"])
def test_the_name_and_the_count_of_an_azure_cluster_are_its_own(name, count):
    data = runtime(asked("h100-aks-ubuntu-training-kubeflow", "Standard_ND96isr_H100_v5", resourceName=name, count=count))
    assert containers(data)["node"]["resources"]["limits"] == {"nvidia.com/gpu": "8", name: str(count)}


@pytest.mark.parametrize("recipe", [recipe for recipe, (_, value) in RECIPES.items() if value != "oke-rdma-vf"])
@pytest.mark.parametrize("pool", [0, 63, 1000])
def test_the_size_of_a_pool_is_no_count(recipe, pool):
    _, value = RECIPES[recipe]
    machine = next(machine for each, machine in FITTING if each == recipe)
    ((rule, message),) = refusals(asked(recipe, machine, count=pool))
    most = {"aks-rdma-shared": 8, "onprem-rdma": 16}[value]
    assert (rule, message) == (
        "AICR-P012",
        f"parameter fabricAttachment.count: it is {pool}, not a number from 1 to {most}, and never the size of a pool",
    )


@pytest.mark.parametrize("recipe", RECIPES)
def test_what_only_the_site_knows_is_never_guessed(recipe):
    _, value = RECIPES[recipe]
    request = Request(recipe=recipe, profiles={"fabricAttachment": value})
    missing = {NAMED[value]} | ({"resourceName", "count"} if value != "oke-rdma-vf" else set())
    found = refusals(request)
    assert {rule for rule, _ in found} == {"AICR-P006"}
    assert {
        name for name in FABRIC[value]["parameters"] if any(f"the parameter {name!r}" in message for _, message in found)
    } == missing


@pytest.mark.parametrize("value", RUNTIMES)
@pytest.mark.parametrize(
    "name",
    [
        "rdma/ib",
        "rdma/shared_ib",
        "rdma/hca_shared_devices_a",
        "rdma/rdma_shared_device_a",
        "nvidia.com/mlnxnics",
        "nvidia.com/rdma-vf",
        "nvidia.com/sriov-rdma-vf",
        "nvidia.com/resibp24s0",
        "nscale.com/rdmashare",
    ],
)
def test_the_names_that_clusters_have_are_accepted(value, name):
    assert check(name, FABRIC[value]["parameters"]["resourceName"]["schema"]) == ()


@pytest.mark.parametrize("value", RUNTIMES)
@pytest.mark.parametrize(
    "name",
    [
        "ib",  # without a domain it would be a resource of Kubernetes
        "rdma/",
        "/ib",
        "rdma/ib/x",
        "RDMA/ib",
        "rdma/ib\n",
        "rdma/ib: 1",
        "rdma/-ib",
        "rdma/ib-",
        "-rdma/ib",
        "a..b/ib",
        "a.-b/ib",
        "a-.b/ib",
        "rdma/" + "a" * 64,
        "kubernetes.io/ib",
        "x.kubernetes.io/ib",
        "k8s.io/ib",
        # The Trainer counts every resource with these letters as GPUs.
        "nvidia.com/gpu",
        "rdma/gpu_nics",
        "networking.gke.io.networks/GPU-nic0",
        1,
    ],
)
def test_other_resource_names_are_refused(value, name):
    assert check(name, FABRIC[value]["parameters"]["resourceName"]["schema"])


def test_the_names_of_an_older_cluster_of_oracles_stack_can_be_given():
    names = {"resourceName": "nvidia.com/sriov-rdma-vf", "networkAttachment": "default/sriov-rdma-vf"}
    data = runtime(asked("a100-oke-ubuntu-training-kubeflow", "BM.GPU4.8", **names))
    assert networks(data).split(",") == ["default/sriov-rdma-vf"] * 16
    assert containers(data)["node"]["resources"]["limits"]["nvidia.com/sriov-rdma-vf"] == "16"


@pytest.mark.parametrize(
    "name",
    [
        "rdma-vf",
        "default/",
        "/rdma-vf",
        "a/b/c",
        "default/rdma-vf,default/rdma-vf",
        "default/rdma vf",
        "default/rdma-vf\n",
        "Default/x",
    ],
)
def test_a_network_attachment_is_one_name_with_its_namespace(name):
    assert check(name, FABRIC["oke-rdma-vf"]["parameters"]["networkAttachment"]["schema"])
    assert check([name], FABRIC["onprem-rdma"]["parameters"]["networks"]["schema"])


def test_networks_of_a_site_are_attached_in_their_order():
    # A pod on a BCM site with a virtual function of each HCA lists one attachment for each.
    listed = ["network-operator/ibp192s0-sriovnet", "network-operator/ibp24s0-sriovnet"]
    given = {"resourceName": "nvidia.com/resibp", "count": 2, "networks": listed}
    data = runtime(asked("h100-bcm-ubuntu-training-kubeflow", "hgx-h100", **given))
    assert networks(data) == "network-operator/ibp192s0-sriovnet,network-operator/ibp24s0-sriovnet"
    assert containers(data)["node"]["resources"]["limits"]["nvidia.com/resibp"] == "2"


def test_a_machine_of_ones_own_is_a_row(tmp_path):
    table = tmp_path / "bom" / "machines" / "onprem.yaml"
    table.parent.mkdir(parents=True)
    table.write_text(
        "apiVersion: aicr.run/v2\nkind: MachineTable\nmetadata: {name: onprem, description: Ours., source: ours}\nmachines:\n"
        "  - {name: two-h200-nvl, accelerator: h200, gpus: 2, arch: amd64, source: ours, rdmaNics: 1}\n"
    )
    data = runtime(asked("h200-k0s-ubuntu-training-kubeflow", "two-h200-nvl"), Catalog.load(tmp_path))
    assert containers(data)["node"]["resources"]["limits"] == {"nvidia.com/gpu": "2", "rdma/rdma_shared_device_a": "1"}


@pytest.mark.parametrize(
    ("recipe", "value", "machine"),
    [
        ("h100-aks-ubuntu-training-kubeflow", "aks-rdma-shared", "Standard_ND96isr_H100_v5"),
        ("a100-oke-ubuntu-training-kubeflow", "oke-rdma-vf", "BM.GPU.B4.8"),
    ],
)
def test_a_stated_machine_type_is_the_machine(recipe, value, machine):
    stated = Request(
        recipe=recipe, profiles={"fabricAttachment": value}, parameters={"fabricAttachment": GIVEN[value]}, machine_type=machine
    )
    assert runtime(stated) == runtime(asked(recipe, machine))


@pytest.mark.parametrize("value", RUNTIMES)
def test_each_value_names_its_runtime_its_transport_and_what_a_pod_is_held_to(value):
    assert FABRIC[value]["runtimes"] == [{"name": RUNTIMES[value]}]
    assert FABRIC[value]["transport"] == "IB"
    amount = "machine.rdmaVfs" if value == "oke-rdma-vf" else "parameters.count"
    assert FABRIC[value]["wiring"] == {
        "resources": [
            {"name": "nvidia.com/gpu", "amountFrom": "machine.gpus"},
            {"nameFrom": "parameters.resourceName", "amountFrom": amount},
        ]
    }


def test_the_bundle_of_aks_advertises_the_resource_of_the_example():
    example = FABRIC["aks-rdma-shared"]["parameters"]["resourceName"]["example"]
    request = asked("h100-aks-ubuntu-training-kubeflow", "Standard_ND96isr_H100_v5", resourceName=example)
    objects = {each.subject: each.data for each in render_resources(CATALOG, compose(CATALOG, request))}
    config = objects["NicClusterPolicy/nic-cluster-policy"]["spec"]["rdmaSharedDevicePlugin"]["config"]
    assert f'"resourceName":"{example.partition("/")[2]}"' in config.replace(" ", "")


@pytest.mark.parametrize(
    ("recipe", "machine", "written", "asked_for"),
    [
        ("h100-aks-ubuntu-training-kubeflow", "Standard_ND96isr_H100_v5", "fabric.parameters.count | string", "8 rdma/ib"),
        ("a100-oke-ubuntu-training-kubeflow", "BM.GPU4.8", "functions | string", "16 nvidia.com/rdma-vf"),
    ],
)
def test_a_runtime_that_asks_for_another_amount_breaks_a_rule(tmp_path, recipe, machine, written, asked_for):
    _, value = RECIPES[recipe]
    template = CATALOG.template(f"runtimes/{RUNTIMES[value]}.yaml.j2")
    assert written in template.text
    (tmp_path / "manifests" / "runtimes").mkdir(parents=True)
    (tmp_path / "manifests" / template.name).write_text(template.text.replace(written, '"1"'))
    given = {"resourceName": "rdma/ib", "count": 8} if value == "aks-rdma-shared" else {}
    with pytest.raises(InvalidInput) as caught:
        bundle(Catalog.load(tmp_path), asked(recipe, machine, **given))
    assert [(finding.rule, finding.message) for finding in caught.value.findings] == [
        ("AICR-F013", f"the training container of {value} on {machine} has {asked_for} in {section}, not '1'")
        for section in ("limits", "requests")
    ]
