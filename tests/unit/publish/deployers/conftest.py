"""Bundles of two recipes for every deployer, each made once: one with plain objects beside a chart, one with local charts."""

from dataclasses import replace

import pytest

from bundler.model.request import Delivery, Request
from bundler.publish.deployers.registry import DEPLOYERS

GIVEN = {"repoURL": "https://git.example/org/clusters", "revision": "main", "path": "clusters/a"}


@pytest.fixture(scope="session")
def requests(tcpxo):
    aks = Request(
        recipe="h100-aks-ubuntu-training-kubeflow",
        profiles={"gpuStack": "azure-managed", "fabricAttachment": "aks-rdma-shared"},
        parameters={
            "fabricAttachment": {
                "resourceName": "rdma/hca_shared_devices_a",
                "count": 1,
                "vmSize": "Standard_ND96isr_H100_v5",
            },
        },
    )
    return {"gke": tcpxo, "aks": aks}


@pytest.fixture(scope="session")
def delivered(make, requests):
    """The bundle of a recipe for a deployer, with the settings that it needs."""
    known = {}

    def of(recipe, name, **more):
        key = (recipe, name, *sorted(more.items()))
        if key not in known:
            taken = {key: value for key, value in GIVEN.items() if key in DEPLOYERS[name].settings}
            delivery = Delivery(deployer=name, settings={**taken, **more})
            known[key] = make(replace(requests[recipe], delivery=delivery))
        return known[key]

    return of


@pytest.fixture
def written(tmp_path):
    def write(made):
        for path, content in made.bundle.files.items():
            target = tmp_path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        return tmp_path

    return write
