"""Renders a packaged recipe, for the tests of what templates hold."""

from bundler.catalog.catalog import Catalog
from bundler.model.request import Request
from bundler.pipeline import compose
from bundler.render.render import render_resources

__all__ = ["CASES", "CATALOG", "GKE", "INTERFACES", "PARAMETERS", "TCPXO", "containers", "pod", "rendered"]

CATALOG = Catalog.load()
INTERFACES = {f"eth{number}": f"vpc{number}" for number in range(1, 9)}
GKE = "h100-gke-cos-training-kubeflow"
TCPXO = {"fabricAttachment": "gke-tcpxo-multinetwork"}
RAILS = {f"eth{number}": f"rdma-{number - 2}" for number in range(2, 10)}
A4X = {"machineType": "a4x-highgpu-4g", "interfaces": {name: RAILS[name] for name in ("eth2", "eth3", "eth4", "eth5")}}
AZURE = {"resourceName": "rdma/hca_shared_devices_a", "count": 1}
PARAMETERS = {
    (GKE, "gke-tcpxo-multinetwork"): {"interfaces": INTERFACES},
    (GKE, "gke-tcpx-multinetwork"): {"interfaces": {name: INTERFACES[name] for name in ("eth1", "eth2", "eth3", "eth4")}},
    ("h200-gke-cos-training-kubeflow", "gke-rdma-multinetwork"): {"machineType": "a3-ultragpu-8g", "interfaces": RAILS},
    ("h200-gke-cos-training-kubeflow", "gke-managed-dranet"): {"machineType": "a3-ultragpu-8g", "namespace": "team-a"},
    ("b200-gke-cos-training-kubeflow", "gke-rdma-multinetwork"): {"machineType": "a4-highgpu-8g", "interfaces": RAILS},
    ("b200-gke-cos-training-kubeflow", "gke-managed-dranet"): {"machineType": "a4-highgpu-8g", "namespace": "team-a"},
    ("gb200-gke-cos-training-kubeflow", "gke-rdma-multinetwork"): A4X,
    ("gb200-gke-cos-training-kubeflow", "gke-nvls-rdma"): A4X | {"namespace": "team-a"},
    ("gb200-gke-cos-training-kubeflow", "gke-managed-dranet"): {"machineType": "a4x-highgpu-4g", "namespace": "team-a"},
    ("h100-aks-ubuntu-training-kubeflow", "aks-rdma-shared"): AZURE | {"vmSize": "Standard_ND96isr_H100_v5"},
    ("a100-aks-ubuntu-training-kubeflow", "aks-rdma-shared"): AZURE | {"vmSize": "Standard_ND96asr_v4"},
    ("h100-bcm-ubuntu-training-kubeflow", "onprem-rdma"): {"machine": "hgx-h100", "resourceName": "rdma/ib", "count": 8},
    ("h200-k0s-ubuntu-training-kubeflow", "onprem-rdma"): {"machine": "hgx-h200", "resourceName": "rdma/ib", "count": 8},
    ("a100-oke-ubuntu-training-kubeflow", "oke-rdma-vf"): {"shape": "BM.GPU4.8"},
    ("l40s-oke-ol-training-kubeflow", "oke-rdma-vf"): {"shape": "BM.GPU.L40S.4"},
}
"""What the fabric value of a recipe must be given: recipe and value → parameters."""
CASES = [
    (GKE, {"fabricAttachment": "none"}),
    (GKE, TCPXO),
    (GKE, TCPXO | {"gpuStack": "driver-installer"}),
    (GKE, {"fabricAttachment": "gke-tcpx-multinetwork"}),
    ("a100-gke-cos-training-kubeflow", {}),
    ("h200-gke-cos-training-kubeflow", {"fabricAttachment": "gke-rdma-multinetwork"}),
    ("b200-gke-cos-training-kubeflow", {"fabricAttachment": "gke-rdma-multinetwork"}),
    ("b200-gke-cos-training-kubeflow", {"fabricAttachment": "gke-managed-dranet"}),
    ("gb200-gke-cos-training-kubeflow", {"fabricAttachment": "gke-rdma-multinetwork"}),
    ("gb200-gke-cos-training-kubeflow", {"fabricAttachment": "gke-nvls-rdma", "gpuStack": "driver-installer"}),
    ("h100-eks-ubuntu-training-kubeflow", {"fabricAttachment": "none"}),
    ("h100-aks-ubuntu-training-kubeflow", {"fabricAttachment": "none"}),
    ("h100-aks-ubuntu-training-kubeflow", {"fabricAttachment": "none", "gpuStack": "operator-managed"}),
    ("h100-aks-ubuntu-training-kubeflow", {"fabricAttachment": "aks-rdma-shared"}),
    ("a100-aks-ubuntu-training-kubeflow", {"fabricAttachment": "aks-rdma-shared", "gpuStack": "operator-managed"}),
    ("h100-bcm-ubuntu-training-kubeflow", {"fabricAttachment": "onprem-rdma"}),
    ("h200-k0s-ubuntu-training-kubeflow", {"fabricAttachment": "onprem-rdma"}),
    ("rtx-pro-6000-lke-ubuntu-training-kubeflow", {}),
    ("a100-oke-ubuntu-training-kubeflow", {"fabricAttachment": "oke-rdma-vf"}),
    ("l40s-oke-ol-training-kubeflow", {"fabricAttachment": "oke-rdma-vf"}),
    ("gb200-oke-ubuntu-training-kubeflow", {"fabricAttachment": "none"}),
    ("gb200-oke-ubuntu-training-kubeflow", {"fabricAttachment": "none", "gpuStack": "operator-managed"}),
    ("h100-kind-training-kubeflow", {}),
]


def rendered(recipe, profiles, *, release=None, **placement):
    given = PARAMETERS.get((recipe, profiles.get("fabricAttachment")), {}) | ({"release": release} if release else {})
    parameters = {"fabricAttachment": given} if given else {}
    request = Request(recipe=recipe, profiles=profiles, parameters=parameters, allow_unpinned=True, **placement)
    return {resource.subject: resource.data for resource in render_resources(CATALOG, compose(CATALOG, request))}


def pod(resource):
    spec = resource["spec"]["template"]["spec"]
    return spec["replicatedJobs"][0]["template"]["spec"]["template"] if "replicatedJobs" in spec else resource["spec"]["template"]


def containers(resource):
    spec = pod(resource)["spec"]
    return {container["name"]: container for container in (*spec.get("initContainers", ()), *spec["containers"])}
