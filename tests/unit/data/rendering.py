"""Renders a packaged recipe, for the tests of what templates hold."""

from bundler.catalog.catalog import Catalog
from bundler.model.request import Request
from bundler.pipeline import compose
from bundler.render.render import render_resources

__all__ = ["CASES", "CATALOG", "GKE", "INTERFACES", "TCPXO", "containers", "pod", "rendered"]

CATALOG = Catalog.load()
INTERFACES = {f"eth{number}": f"vpc{number}" for number in range(1, 9)}
GKE = "h100-gke-cos-training-kubeflow"
TCPXO = {"fabricAttachment": "gke-tcpxo-multinetwork"}
CASES = [
    (GKE, {"fabricAttachment": "none"}),
    (GKE, TCPXO),
    (GKE, TCPXO | {"gpuStack": "driver-installer"}),
    ("h100-eks-ubuntu-training-kubeflow", {"fabricAttachment": "none"}),
    ("h100-aks-ubuntu-training-kubeflow", {"fabricAttachment": "none"}),
    ("h100-aks-ubuntu-training-kubeflow", {"fabricAttachment": "none", "gpuStack": "operator-managed"}),
    ("gb200-oke-ubuntu-training-kubeflow", {"fabricAttachment": "none"}),
    ("gb200-oke-ubuntu-training-kubeflow", {"fabricAttachment": "none", "gpuStack": "operator-managed"}),
    ("h100-kind-training-kubeflow", {}),
]


def rendered(recipe, profiles, *, release=None, **placement):
    parameters = {}
    if profiles.get("fabricAttachment") == TCPXO["fabricAttachment"]:
        parameters = {"fabricAttachment": {"interfaces": INTERFACES} | ({"release": release} if release else {})}
    request = Request(recipe=recipe, profiles=profiles, parameters=parameters, allow_unpinned=True, **placement)
    return {resource.subject: resource.data for resource in render_resources(CATALOG, compose(CATALOG, request))}


def pod(resource):
    spec = resource["spec"]["template"]["spec"]
    return spec["replicatedJobs"][0]["template"]["spec"]["template"] if "replicatedJobs" in spec else resource["spec"]["template"]


def containers(resource):
    spec = pod(resource)["spec"]
    return {container["name"]: container for container in (*spec.get("initContainers", ()), *spec["containers"])}
