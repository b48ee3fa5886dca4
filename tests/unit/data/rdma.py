"""Facts of RDMA on AKS, OKE and a site's own machines: what a machine has, and what a pod of each recipe asks for.

Sources: MicrosoftDocs/azure-compute-docs sizes/gpu-accelerated; Azure/aks-rdma-infiniband website/docs/configurations; NVIDIA/aicr
recipes/overlays, recipes/components/network-operator and validators/performance/testdata/h100/aks; oracle-quickstart/oci-hpc-oke
docs/using-rdma-network-interfaces-in-manifests.md and docs/recommended-nccl-rccl-parameters-by-shape.md;
NVIDIA/cluster-readiness-engine pkg/catalog (gpu-defaults, oci-roce-env, nscale-ib-env).
"""

import pytest

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
