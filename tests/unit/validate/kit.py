"""A snapshot of two nodes, what ships, and the checks of the one against the other."""

from dataclasses import replace
from pathlib import Path

from bundler.catalog.catalog import Catalog
from bundler.cluster.saved import read
from bundler.model.request import Request
from bundler.validate.deployment import deployment
from bundler.validate.shipped import Shipped

SAMPLES = Path(__file__).parents[2] / "samples"
CATALOG = Catalog.load()
NETWORKS = {f"eth{number}": f"demo-gpu-nic-{number - 1}" for number in range(1, 9)}
DEPLOYMENTS = "deployments.apps"
CRD = "customresourcedefinitions.apiextensions.k8s.io"
RUNTIMES = "clustertrainingruntimes.trainer.kubeflow.org"


def shipped_with(interfaces):
    request = Request(
        recipe="h100-gke-cos-training-kubeflow",
        profiles={"gpuStack": "gke-default", "fabricAttachment": "gke-tcpxo-multinetwork"},
        parameters={"fabricAttachment": {"interfaces": interfaces}},
    )
    return Shipped.of_request(CATALOG, request)


def with_nodes(snapshot, name):
    return replace(snapshot, objects={**snapshot.objects, **read([SAMPLES / f"{name}.yaml"], CATALOG).objects})


def with_objects(snapshot, resource, *objects):
    return replace(snapshot, objects={**snapshot.objects, resource: objects})


def deployed(snapshot, shipped):
    return {check.name: check for check in deployment(CATALOG, snapshot, shipped)}


def said(check):
    return str(check.outcome), check.says


def read_samples(*names):
    return read([SAMPLES / f"{name}.yaml" for name in names], CATALOG)
