"""Facts of the recipes: what is qualified, on which Kubernetes, with which choices. Source: NVIDIA/aicr recipes/overlays."""

import pytest

from bundler.catalog.catalog import Catalog
from bundler.compose.constraints import Requirement, parse

CATALOG = Catalog.load()
QUALIFIED = [
    ("h100-gke-cos-training-kubeflow", "gke", "h100", "cos"),
    ("a100-gke-cos-training-kubeflow", "gke", "a100", "cos"),
    ("b200-gke-cos-training-kubeflow", "gke", "b200", "cos"),
    ("gb200-gke-cos-training-kubeflow", "gke", "gb200", "cos"),
    ("h200-gke-cos-training-kubeflow", "gke", "h200", "cos"),
    ("h100-eks-ubuntu-training-kubeflow", "eks", "h100", "ubuntu"),
    ("a100-eks-ubuntu-training-kubeflow", "eks", "a100", "ubuntu"),
    ("b200-eks-ubuntu-training-kubeflow", "eks", "b200", "ubuntu"),
    ("gb200-eks-ubuntu-training-kubeflow", "eks", "gb200", "ubuntu"),
    ("gb300-eks-ubuntu-training-kubeflow", "eks", "gb300", "ubuntu"),
    ("h200-eks-ubuntu-training-kubeflow", "eks", "h200", "ubuntu"),
    ("rtx-pro-6000-eks-ubuntu-training-kubeflow", "eks", "rtx-pro-6000", "ubuntu"),
    ("gb300-generic-ubuntu-training-kubeflow", "generic", "gb300", "ubuntu"),
    ("vr200-rke2-ubuntu-2604-training-kubeflow", "rke2", "vr200", "ubuntu-2604"),
    ("h100-aks-ubuntu-training-kubeflow", "aks", "h100", "ubuntu"),
    ("a100-aks-ubuntu-training-kubeflow", "aks", "a100", "ubuntu"),
    ("h100-bcm-ubuntu-training-kubeflow", "bcm", "h100", "ubuntu"),
    ("h200-k0s-ubuntu-training-kubeflow", "k0s", "h200", "ubuntu"),
    ("rtx-pro-6000-lke-ubuntu-training-kubeflow", "lke", "rtx-pro-6000", "ubuntu"),
    ("a100-oke-ubuntu-training-kubeflow", "oke", "a100", "ubuntu"),
    ("l40s-oke-ol-training-kubeflow", "oke", "l40s", "ol"),
    ("gb200-oke-ubuntu-training-kubeflow", "oke", "gb200", "ubuntu"),
    ("h100-kind-training-kubeflow", "kind", "h100", "ubuntu"),
]


def layers(name):
    criteria = CATALOG.recipes[name].data["criteria"]
    covering = [overlay for overlay in CATALOG.overlays if overlay.data["criteria"].items() <= criteria.items()]
    return [CATALOG.base, *covering, CATALOG.recipes[name]]


def constraints(name):
    """Name → the requirement that all layers make together."""
    met = {}
    for layer in layers(name):
        for each in layer.data.get("constraints", ()):
            met[each["name"]] = met.get(each["name"], Requirement()).meet(parse(each["value"]))
    return met


def components(name):
    return {component["name"] for layer in layers(name) for component in layer.data.get("components", ())}


@pytest.mark.parametrize(("name", "service", "accelerator", "os"), QUALIFIED)
def test_a_recipe_is_named_for_its_criteria(name, service, accelerator, os):
    assert CATALOG.recipes[name].data["criteria"] == {
        "service": service,
        "accelerator": accelerator,
        "os": os,
        "intent": "training",
        "platform": "kubeflow",
    }


def test_these_combinations_are_qualified_and_no_others():
    assert set(CATALOG.recipes) == {name for name, *_ in QUALIFIED}


@pytest.mark.parametrize(
    ("name", "floor"),
    [
        ("h100-gke-cos-training-kubeflow", ">= 1.32"),
        ("a100-gke-cos-training-kubeflow", ">= 1.32"),
        ("b200-gke-cos-training-kubeflow", ">= 1.32"),
        ("gb200-gke-cos-training-kubeflow", ">= 1.34"),
        ("h200-gke-cos-training-kubeflow", ">= 1.32"),
        ("h100-eks-ubuntu-training-kubeflow", ">= 1.32.4"),
        ("a100-eks-ubuntu-training-kubeflow", ">= 1.32"),
        ("b200-eks-ubuntu-training-kubeflow", ">= 1.32"),
        ("gb200-eks-ubuntu-training-kubeflow", ">= 1.34"),
        ("gb300-eks-ubuntu-training-kubeflow", ">= 1.34"),
        ("h200-eks-ubuntu-training-kubeflow", ">= 1.32.4"),
        ("rtx-pro-6000-eks-ubuntu-training-kubeflow", ">= 1.32.4"),
        ("gb300-generic-ubuntu-training-kubeflow", ">= 1.34"),
        ("vr200-rke2-ubuntu-2604-training-kubeflow", ">= 1.34.1"),
        ("h100-aks-ubuntu-training-kubeflow", ">= 1.34"),
        ("a100-aks-ubuntu-training-kubeflow", ">= 1.34"),
        ("h100-bcm-ubuntu-training-kubeflow", ">= 1.34"),
        ("h200-k0s-ubuntu-training-kubeflow", ">= 1.34"),
        ("rtx-pro-6000-lke-ubuntu-training-kubeflow", ">= 1.32"),
        ("a100-oke-ubuntu-training-kubeflow", ">= 1.32"),
        ("l40s-oke-ol-training-kubeflow", ">= 1.32"),
        ("gb200-oke-ubuntu-training-kubeflow", ">= 1.34"),
        ("h100-kind-training-kubeflow", ">= 1.25"),
    ],
)
def test_the_kubernetes_floor_of_all_layers_together(name, floor):
    assert str(constraints(name)["K8s.server.version"]) == floor


@pytest.mark.parametrize("name", [name for name, *_ in QUALIFIED])
def test_a_cluster_that_gets_the_dra_driver_is_new_enough_for_its_chart(name):
    # kubernetes-sigs/dra-driver-nvidia-gpu 0.5.0 Chart.yaml: kubeVersion >= 1.32.0-0.
    too_old = constraints(name)["K8s.server.version"].admits("1.31.9")
    assert too_old is ("nvidia-dra-driver-gpu" not in components(name))


@pytest.mark.parametrize(
    ("name", "stack", "fabric"),
    [
        (
            "h100-gke-cos-training-kubeflow",
            {"default": "gke-default", "values": ["gke-default", "driver-installer"]},
            ["none", "gke-tcpxo-multinetwork", "gke-tcpx-multinetwork"],
        ),
        ("a100-gke-cos-training-kubeflow", {"default": "gke-default", "values": ["gke-default", "driver-installer"]}, None),
        (
            "b200-gke-cos-training-kubeflow",
            {"default": "gke-default", "values": ["gke-default", "driver-installer"]},
            ["none", "gke-rdma-multinetwork", "gke-managed-dranet"],
        ),
        (
            "gb200-gke-cos-training-kubeflow",
            {"default": "gke-default", "values": ["gke-default", "driver-installer"]},
            ["none", "gke-rdma-multinetwork", "gke-nvls-rdma", "gke-managed-dranet"],
        ),
        (
            "h200-gke-cos-training-kubeflow",
            {"default": "gke-default", "values": ["gke-default"]},
            ["none", "gke-rdma-multinetwork", "gke-managed-dranet"],
        ),
        ("h100-eks-ubuntu-training-kubeflow", None, ["none", "eks-efa-device-plugin"]),
        ("a100-eks-ubuntu-training-kubeflow", None, ["none", "eks-efa-device-plugin"]),
        ("b200-eks-ubuntu-training-kubeflow", None, ["none", "eks-efa-device-plugin"]),
        ("gb200-eks-ubuntu-training-kubeflow", None, ["none", "eks-nvls-efa"]),
        ("gb300-eks-ubuntu-training-kubeflow", None, ["none", "eks-nvls-efa", "nvls-imex"]),
        ("h200-eks-ubuntu-training-kubeflow", None, ["none", "eks-efa-device-plugin"]),
        ("rtx-pro-6000-eks-ubuntu-training-kubeflow", None, ["none", "eks-efa-device-plugin"]),
        ("gb300-generic-ubuntu-training-kubeflow", None, ["none", "nvls-imex"]),
        ("vr200-rke2-ubuntu-2604-training-kubeflow", None, ["none", "nvls-imex"]),
        *(
            (
                f"{gpu}-aks-ubuntu-training-kubeflow",
                {"default": "azure-managed", "values": ["azure-managed", "operator-managed"]},
                ["none", "aks-rdma-shared"],
            )
            for gpu in ("a100", "h100")
        ),
        ("h100-bcm-ubuntu-training-kubeflow", None, ["none", "onprem-rdma"]),
        ("h200-k0s-ubuntu-training-kubeflow", None, ["none", "onprem-rdma"]),
        ("rtx-pro-6000-lke-ubuntu-training-kubeflow", None, None),
        *(
            (
                f"{machine}-training-kubeflow",
                {"default": "oci-managed", "values": ["oci-managed", "operator-managed"]},
                ["none", "oke-rdma-vf"],
            )
            for machine in ("a100-oke-ubuntu", "l40s-oke-ol")
        ),
        (
            "gb200-oke-ubuntu-training-kubeflow",
            {"default": "oci-managed", "values": ["oci-managed", "operator-managed"]},
            ["none", "nvls-imex"],
        ),
        ("h100-kind-training-kubeflow", None, None),
    ],
)
def test_hardware_with_a_fabric_must_say_how_it_is_attached(name, stack, fabric):
    profiles = CATALOG.recipes[name].data.get("profiles", {})
    assert profiles.get("gpuStack") == stack
    assert profiles.get("fabricAttachment") == (None if fabric is None else {"required": True, "values": fabric})


def test_the_values_that_a_recipe_accepts_apply_to_it():
    for recipe in CATALOG.recipes.values():
        for axis, choice in recipe.data.get("profiles", {}).items():
            declared = CATALOG.profiles[axis].data["values"]
            for value in choice["values"]:
                accepted = declared[value].get("appliesTo", {}).get("criteria", {})
                assert all(recipe.data["criteria"][dimension] in values for dimension, values in accepted.items())


GKE_GPUS = ("h100", "a100", "b200", "gb200", "h200")
EKS_GPUS = ("h100", "a100", "b200", "h200", "rtx-pro-6000")
COMMON = {"cert-manager", "nfd", "gpu-operator", "kubeflow-trainer"}


@pytest.mark.parametrize(
    ("name", "more"),
    [
        *((f"{gpu}-gke-cos-training-kubeflow", {"gke-critical-pods", "nvidia-dra-driver-gpu"}) for gpu in GKE_GPUS),
        *((f"{gpu}-eks-ubuntu-training-kubeflow", {"aws-efa", "nvidia-dra-driver-gpu"}) for gpu in EKS_GPUS),
        ("gb200-eks-ubuntu-training-kubeflow", {"aws-efa", "nvidia-dra-driver-gpu", "nvidia-kernel-module-params"}),
        ("gb300-eks-ubuntu-training-kubeflow", {"aws-efa", "nvidia-dra-driver-gpu", "nvidia-kernel-module-params"}),
        ("gb300-generic-ubuntu-training-kubeflow", {"nvidia-dra-driver-gpu"}),
        ("vr200-rke2-ubuntu-2604-training-kubeflow", {"nvidia-dra-driver-gpu"}),
        ("h100-aks-ubuntu-training-kubeflow", {"network-operator", "nvidia-dra-driver-gpu"}),
        ("a100-aks-ubuntu-training-kubeflow", {"network-operator", "nvidia-dra-driver-gpu"}),
        ("h100-bcm-ubuntu-training-kubeflow", {"nvidia-dra-driver-gpu"}),
        ("h200-k0s-ubuntu-training-kubeflow", {"nvidia-dra-driver-gpu"}),
        ("rtx-pro-6000-lke-ubuntu-training-kubeflow", {"nvidia-dra-driver-gpu"}),
        ("a100-oke-ubuntu-training-kubeflow", {"nvidia-dra-driver-gpu"}),
        ("l40s-oke-ol-training-kubeflow", {"nvidia-dra-driver-gpu"}),
        ("gb200-oke-ubuntu-training-kubeflow", {"network-operator", "nvidia-dra-driver-gpu", "nvidia-kernel-module-params"}),
        ("h100-kind-training-kubeflow", set()),
    ],
)
def test_the_components_of_each_recipe_before_profiles(name, more):
    assert components(name) == COMMON | more


@pytest.mark.parametrize(("name", "accelerator"), [(name, accelerator) for name, _, accelerator, _ in QUALIFIED])
def test_the_operator_is_new_enough_for_the_gpu(name, accelerator):
    requirement = constraints(name)["Deployment.gpu-operator.version"]
    floors = {
        ">= v24.6.0": {"a100", "h100", "h200", "l40s"},
        ">= v25.10.0": {"b200", "gb200", "gb300", "rtx-pro-6000"},
        ">= v26.7.0": {"vr200"},
    }
    assert accelerator in floors[str(requirement)]
    assert requirement.admits(CATALOG.registry["gpu-operator"].version)


def test_ubuntu_is_the_qualified_release():
    met = constraints("h100-eks-ubuntu-training-kubeflow")
    assert met["OS.release.ID"].equal == "ubuntu"
    assert met["OS.release.VERSION_ID"].equal == "24.04"
    assert met["OS.sysctl./proc/sys/kernel/osrelease"].admits("6.8.0-1021-aws")


def test_vera_rubin_has_an_ubuntu_of_its_own():
    met = constraints("vr200-rke2-ubuntu-2604-training-kubeflow")
    assert met["OS.release.VERSION_ID"].equal == "26.04"
    assert met["OS.sysctl./proc/sys/kernel/osrelease"].admits("7.0.0-1001-nvidia-bos-64k")


def test_oracle_linux_is_stated_without_a_release():
    met = constraints("l40s-oke-ol-training-kubeflow")
    assert met["OS.release.ID"].equal == "ol"
    assert "OS.release.VERSION_ID" not in met


@pytest.mark.parametrize("service", ["eks", "lke"])
def test_rtx_pro_6000_has_a_driver_floor(service):
    # GPU Operator platform support, RTX PRO 6000 Blackwell Server Edition notes.
    assert str(constraints(f"rtx-pro-6000-{service}-ubuntu-training-kubeflow")["Deployment.gpu-driver.version"]) == ">= 575.57.08"


@pytest.mark.parametrize("name", [name for name, *_ in QUALIFIED])
def test_overlays_of_equal_specificity_do_not_disagree(name):
    def leaves(values, prefix=()):
        if isinstance(values, dict) and values:
            return {path: leaf for key, inner in values.items() for path, leaf in leaves(inner, (*prefix, key)).items()}
        return {prefix: values}

    seen = {}
    for layer in layers(name)[1:-1]:
        for component in layer.data.get("components", ()):
            for path, leaf in leaves(component.get("values", {})).items():
                key = (len(layer.data["criteria"]), component["name"], path)
                assert seen.setdefault(key, leaf) == leaf, (layer.name, key)
