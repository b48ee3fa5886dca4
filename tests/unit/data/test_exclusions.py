"""Facts of what does not go together. Source: Google Cloud, "Allocate network resources using managed DRANET"."""

import pytest

from bundler import Catalog, InvalidInput, Request, bundle
from bundler.yamlio.reader import read

CATALOG = Catalog.load()
FABRIC = CATALOG.profiles["fabricAttachment"].data["values"]
INTERFACES, RDMA = "networking.gke.io/interfaces", "mrdma.google.com"


def wirings(value):
    tables = [parameter["releases"] for parameter in value.get("parameters", {}).values() if "releases" in parameter]
    return [value.get("wiring", {}), *(CATALOG.release_table(table).data.get("wiring", {}) for table in tables)]


def excluded(value):
    return {entry.get("annotation", entry.get("deviceClass")) for wiring in wirings(value) for entry in wiring.get("excludes", ())}


@pytest.mark.parametrize("name", sorted(FABRIC))
def test_networks_of_type_device_and_managed_dranet_exclude_each_other(name):
    binds = any(wiring.get("interfacesAnnotation") == INTERFACES for wiring in wirings(FABRIC[name]))
    assert (RDMA in excluded(FABRIC[name])) is binds
    assert (INTERFACES in excluded(FABRIC[name])) is (name == "gke-managed-dranet")


RECIPE = """\
apiVersion: aicr.run/v2
kind: Recipe
metadata: {name: mixed, description: A mistake.}
criteria: {service: gke, accelerator: b200, os: cos, intent: training, platform: kubeflow}
profiles:
  gpuStack: {default: gke-default}
  fabricAttachment: {required: true}
runtimes:
  - name: torch-distributed-dranet
    patches:
      - op: add
        path: /spec/template/spec/replicatedJobs/0/template/spec/template/metadata
        value: {annotations: {networking.gke.io/interfaces: "[]"}}
"""


def test_a_patch_that_mixes_them_is_refused():
    request = Request(
        document=read(RECIPE.encode(), "mixed.yaml"),
        machine_type="a4-highgpu-8g",
        profiles={"fabricAttachment": "gke-managed-dranet"},
        parameters={"fabricAttachment": {"namespace": "kubeflow"}},
        allow_unpinned=True,
    )
    with pytest.raises(InvalidInput) as caught:
        bundle(CATALOG, request)
    (finding,) = [finding for finding in caught.value.findings if finding.rule == "AICR-F016"]
    assert finding.message.startswith(
        "annotation networking.gke.io/interfaces cannot stand beside fabricAttachment=gke-managed-dranet: "
    )
    assert finding.fix == "remove it, or choose another value of fabricAttachment"
