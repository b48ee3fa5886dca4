"""Nodes and pods written shortly, and recorded objects as a snapshot."""

from pathlib import Path

import yaml

from bundler.detect.nodes import Node
from bundler.model.snapshot import Gap, GapReason, Snapshot

SAMPLES = Path(__file__).parents[2] / "samples"
H100 = "NVIDIA-H100-80GB-HBM3"
PLURALS = {
    "Node": "nodes",
    "Pod": "pods",
    "ResourceSlice": "resourceslices.resource.k8s.io",
    "Network": "networks.networking.gke.io",
    "GKENetworkParamSet": "gkenetworkparamsets.networking.gke.io",
}


def node_object(
    name, *, product=H100, provider="", labels=None, annotations=None, taints=(), cordoned=False, info=None, **allocatable
):
    """A GPU node; resources are given as `gpu="8"` or by their whole names in `resources`."""
    stated = {"nvidia.com/gpu.present": "true", **({"nvidia.com/gpu.product": product} if product else {}), **(labels or {})}
    resources = {**allocatable.pop("resources", {}), **({"nvidia.com/gpu": allocatable["gpu"]} if "gpu" in allocatable else {})}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": name,
            "labels": {key: value for key, value in stated.items() if value is not None},
            "annotations": annotations or {},
        },
        "spec": {
            **({"providerID": provider} if provider else {}),
            **({"unschedulable": True} if cordoned else {}),
            "taints": list(taints),
        },
        "status": {"allocatable": resources, "nodeInfo": info or {}},
    }


def node(name, **attributes):
    return Node.of(node_object(name, **attributes))


def installer(name, image, *, phase="Running", namespace="kube-system", deleted=False, part="initContainers"):
    """A pod of the installer on a node."""
    return {
        "kind": "Pod",
        "metadata": {"name": f"p-{name}", "namespace": namespace, **({"deletionTimestamp": "now"} if deleted else {})},
        "spec": {"nodeName": name, part: [{"name": "pre", "image": "ubuntu"}, {"name": "plugin", "image": image}]},
        "status": {"phase": phase},
    }


def gpu_slice(name, *products, driver="gpu.nvidia.com", version="v1", kind="gpu"):
    """A ResourceSlice of a node, one device a product."""
    devices = [
        {
            "name": f"gpu-{index}",
            "attributes": {"type": {"string": kind}, **({"productName": {"string": product}} if product else {})},
        }
        for index, product in enumerate(products)
    ]
    spec = {"driver": driver, "nodeName": name, "devices": devices}
    return {"apiVersion": f"resource.k8s.io/{version}", "kind": "ResourceSlice", "metadata": {"name": name}, "spec": spec}


def snapshot_of(*objects, gaps=(), empty=()):
    """The objects as a snapshot; `empty` names resources that were read and have none, `gaps` those that could not be read."""
    found = {resource: [] for resource in empty}
    for each in objects:
        found.setdefault(PLURALS.get(each["kind"], each["kind"]), []).append(each)
    return Snapshot(
        sources=("snapshot.yaml",),
        objects={resource: tuple(of) for resource, of in found.items()},
        gaps=tuple(Gap(resource=resource, reason=reason, message=message) for resource, reason, message in gaps),
    )


def recorded(*names):
    """The objects of sample files whose names begin so."""
    objects = []
    for name in names:
        (path,) = SAMPLES.glob(f"{name}-*.yaml")
        for document in yaml.safe_load_all(path.read_text()):
            objects += document["items"] if document["kind"] == "List" else [document]
    return objects


def sample(*names, **more):
    return snapshot_of(*recorded(*names), **more)


def forbidden(resource):
    return (resource, GapReason.FORBIDDEN, "403 Forbidden")
