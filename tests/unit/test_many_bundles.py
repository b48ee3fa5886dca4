"""Requirements on many bundles of one catalogue: each is what it is alone, whatever was bundled before it."""

from dataclasses import replace

import pytest

from bundler.catalog.catalog import Catalog
from bundler.model.location import Location
from bundler.model.request import Override, Request, Scheduling
from bundler.pipeline import bundle


def interfaces(site):
    return {f"eth{nic}": f"{site}-{nic}" for nic in range(1, 9)}


def overridden(component, *path, value):
    return (Override(component=component, path=path, value=value, location=Location(file="--set")),)


TCPXO = Request(
    recipe="h100-gke-cos-training-kubeflow",
    profiles={"gpuStack": "gke-default", "fabricAttachment": "gke-tcpxo-multinetwork"},
    parameters={"fabricAttachment": {"interfaces": interfaces("net")}},
)
POOL = Scheduling(node_selector={"pool": "a"}, tolerations=({"key": "gpu", "operator": "Exists"},))
REQUESTS = {
    "first": TCPXO,
    "other networks": replace(TCPXO, parameters={"fabricAttachment": {"interfaces": interfaces("other")}}),
    "other release": replace(
        TCPXO, allow_unpinned=True, parameters={"fabricAttachment": {"interfaces": interfaces("net"), "release": "v1.0.14"}}
    ),
    "placed": replace(TCPXO, accelerated=POOL, system=POOL),
    "other stack": replace(TCPXO, profiles={"gpuStack": "driver-installer", "fabricAttachment": "gke-tcpxo-multinetwork"}),
    "no fabric": replace(TCPXO, profiles={"gpuStack": "gke-default", "fabricAttachment": "none"}, parameters={}),
    "other values": replace(TCPXO, overrides=overridden("kubeflow-trainer", "manager", "resources", "limits", "cpu", value="750m")),
    "other version": replace(TCPXO, versions={"kubeflow-trainer": "2.3.0"}),
    "other recipe": Request(recipe="h100-kind-training-kubeflow"),
}


@pytest.fixture(scope="module")
def shared():
    """One catalogue that bundles them all, one after the other."""
    catalog = Catalog.load()
    return [{name: bundle(catalog, request) for name, request in REQUESTS.items()} for _ in range(2)]


@pytest.mark.parametrize("name", REQUESTS)
def test_a_bundle_is_what_it_is_alone_whatever_came_before(name, shared):
    alone = bundle(Catalog.load(), REQUESTS[name])
    for bundles in shared:
        assert bundles[name].files == alone.files
        assert bundles[name].warnings == alone.warnings


def test_each_of_them_differs(shared):
    assert len({tuple(made.files.items()) for made in shared[0].values()}) == len(REQUESTS)


def test_what_they_have_in_common_is_the_very_same(shared):
    first, other = (shared[0][name].files for name in ("first", "other networks"))
    changed = {path for path in first if first[path] != other[path]}
    assert {path.partition("/")[0] for path in changed} == {
        "README.md",
        "bundle.lock.yaml",
        "checksums.txt",
        "recipe.yaml",
        "runtimes",
        "validators",
    }
    assert first["components/nfd/values.yaml"] is other["components/nfd/values.yaml"]
