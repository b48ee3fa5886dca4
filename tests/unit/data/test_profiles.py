"""Facts of the profiles. Source: NVIDIA/aicr recipes/overlays (gpuStack of gke-cos, aks, oke-ol), docs/integrator."""

import pytest

from bundler.catalog.catalog import Catalog
from bundler.catalog.validation import check

CATALOG = Catalog.load()
GPU_STACK = CATALOG.profiles["gpuStack"].data["values"]
FABRIC = CATALOG.profiles["fabricAttachment"].data["values"]
OWNED = {
    "gpu-operator/driver/enabled",
    "gpu-operator/toolkit/enabled",
    "gpu-operator/devicePlugin/enabled",
    "gpu-operator/operator/runtimeClass",
    "nvidia-dra-driver-gpu/nvidiaDriverRoot",
}


def leaves(values, prefix):
    if isinstance(values, dict) and values:
        return {key: leaf for name, inner in values.items() for key, leaf in leaves(inner, f"{prefix}/{name}").items()}
    return {prefix: values}


def owned(value):
    return {
        path: leaf
        for component in value.get("components", ())
        for path, leaf in leaves(component["values"], component["name"]).items()
    }


@pytest.mark.parametrize("name", sorted(GPU_STACK))
def test_every_value_of_the_stack_assigns_the_same_paths(name):
    assert owned(GPU_STACK[name]).keys() == OWNED


def test_no_overlay_or_recipe_assigns_a_path_that_the_stack_owns_where_it_is_chosen():
    for document in (CATALOG.base, *CATALOG.overlays):
        if document.data.get("criteria", {}).get("service") in {"kind", "eks", "k0s", "rke2"}:
            continue
        for component in document.data.get("components", ()):
            assert not leaves(component.get("values", {}), component["name"]).keys() & OWNED, document.name


@pytest.mark.parametrize(
    ("name", "services", "driver", "toolkit", "plugin", "runtime_class", "root"),
    [
        ("gke-default", ["gke"], False, True, False, "nvidia", "/home/kubernetes/bin/nvidia"),
        ("driver-installer", ["gke"], False, True, True, "nvidia", "/home/kubernetes/bin/nvidia"),
        ("azure-managed", ["aks"], False, False, True, "nvidia-container-runtime", "/"),
        ("oci-managed", ["oke"], False, False, False, "nvidia", "/"),
        ("operator-managed", ["aks", "oke"], True, True, True, "nvidia", "/run/nvidia/driver"),
    ],
)
def test_who_owns_driver_toolkit_and_device_plugin(*, name, services, driver, toolkit, plugin, runtime_class, root):
    assert GPU_STACK[name]["appliesTo"] == {"criteria": {"service": services}}
    assert owned(GPU_STACK[name]) == {
        "gpu-operator/driver/enabled": driver,
        "gpu-operator/toolkit/enabled": toolkit,
        "gpu-operator/devicePlugin/enabled": plugin,
        "gpu-operator/operator/runtimeClass": runtime_class,
        "nvidia-dra-driver-gpu/nvidiaDriverRoot": root,
    }


@pytest.mark.parametrize("name", sorted(GPU_STACK))
def test_the_dra_driver_looks_where_the_driver_is(name):
    values = owned(GPU_STACK[name])
    operator_root = CATALOG.registry["gpu-operator"].values.data["hostPaths"]["driverInstallDir"]
    assert (values["nvidia-dra-driver-gpu/nvidiaDriverRoot"] == operator_root) is values["gpu-operator/driver/enabled"]


@pytest.mark.parametrize(
    ("name", "constraint", "value"),
    [
        ("gke-default", "NodeTopology.gpu-nodes.label", "!gke-no-default-nvidia-gpu-device-plugin"),
        ("driver-installer", "NodeTopology.gpu-nodes.label", "gke-no-default-nvidia-gpu-device-plugin=true"),
        ("azure-managed", "K8s.aks-gpu-pools.gpu-driver", "Install"),
        ("oci-managed", "K8s.oke-addons.nvidia-gpu-plugin", "installed"),
    ],
)
def test_what_the_cluster_must_be_like(name, constraint, value):
    assert {each["name"]: each["value"] for each in GPU_STACK[name]["constraints"]} == {constraint: value}


def test_an_operator_that_installs_the_driver_needs_pools_without_one_in_the_words_of_each_cloud():
    # The gates of NVIDIA/aicr's gpuStack profile on AKS and OKE.
    constraints = {
        (each["name"], each["value"], each["criteria"]["service"]) for each in GPU_STACK["operator-managed"]["constraints"]
    }
    assert constraints == {
        ("K8s.aks-gpu-pools.gpu-driver", "None", "aks"),
        ("K8s.oke-addons.nvidia-gpu-plugin", "absent", "oke"),
        ("K8s.oke-legacy-plugin.nvidia-gpu-device-plugin", "none", "oke"),
    }


def test_a_value_brings_what_only_it_needs():
    assert {name: value["brings"] for name, value in GPU_STACK.items() if "brings" in value} == {
        "driver-installer": ["gcp-driver-installer"],
        "azure-managed": ["nvidia-toolkit-hardening"],
    }
    assert FABRIC["gke-tcpxo-multinetwork"]["brings"] == ["gke-device-injector", "gke-nccl-tcpxo"]
    assert all(name in CATALOG.registry for value in (*GPU_STACK.values(), *FABRIC.values()) for name in value.get("brings", ()))


def test_no_attachment_owns_a_value_and_none_ships_nothing():
    assert all(value.get("runtimes") for name, value in FABRIC.items() if name != "none")
    assert not any(owned(value) for value in FABRIC.values())
    assert FABRIC["none"].keys() == {"description", "certification"}


def test_tcpxo_is_for_a3_mega_and_ships_its_own_runtime():
    value = FABRIC["gke-tcpxo-multinetwork"]
    assert value["appliesTo"] == {"criteria": {"service": ["gke"], "accelerator": ["h100"]}, "machineTypes": ["a3-megagpu-8g"]}
    assert value["runtimes"] == [{"name": "torch-distributed-tcpxo"}]
    assert value["parameters"]["release"]["releases"] == "tcpxo"
    # NVIDIA/aicr recipes/overlays/h100-gke-cos-training.yaml: nccl-all-reduce-bw >= 300.
    assert (value["floor"]["metric"], value["floor"]["gbps"], value["floor"]["collective"]) == ("busbw", 300, "all-reduce")


INTERFACES = FABRIC["gke-tcpxo-multinetwork"]["parameters"]["interfaces"]
EIGHT = {f"eth{number}": f"vpc{number}" for number in range(1, 9)}


@pytest.mark.parametrize("mapping", [INTERFACES["example"], EIGHT, EIGHT | {"eth8": "9"}, EIGHT | {"eth1": "a" * 41}], ids=str)
def test_eight_interfaces_to_any_network_names(mapping):
    # Google's own sample names them vpc1 to vpc8: no part of a name is required.
    assert check(mapping, INTERFACES["schema"]) == ()


@pytest.mark.parametrize(
    "mapping",
    [
        {key: value for key, value in EIGHT.items() if key != "eth8"},
        EIGHT | {"eth9": "vpc9"},
        EIGHT | {"eth0": "default"},
        EIGHT | {"eth1": "default"},
        EIGHT | {"eth1": "VPC1"},
        EIGHT | {"eth1": "vpc_1"},
        EIGHT | {"eth1": "-vpc1"},
        EIGHT | {"eth1": "vpc1-"},
        EIGHT | {"eth1": "vpc1\n"},
        EIGHT | {"eth1": ""},
        EIGHT | {"eth1": "a" * 42},
        EIGHT | {"eth1": 'a","interfaceName":"eth9'},
        EIGHT | {"eth1": 1},
        list(EIGHT.items()),
    ],
    ids=str,
)
def test_other_interface_maps_are_refused(mapping):
    assert check(mapping, INTERFACES["schema"])


def test_no_network_serves_two_interfaces():
    assert INTERFACES["schema"]["x-aicr-unique-values"] is True
    assert INTERFACES["required"] is True
    assert list(INTERFACES["schema"]["properties"]) == list(EIGHT)
