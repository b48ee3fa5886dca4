"""Row T7: what goes into an annotation of JSON or YAML stays one value in it, and is refused where a name or path is meant."""

import json
from dataclasses import replace

import pytest
import yaml

from bundler.catalog.catalog import Catalog
from bundler.conform.conform import check
from bundler.errors import InvalidInput
from bundler.model.request import Request
from bundler.pipeline import compose
from bundler.render.render import render_resources

RECIPE = "h100-gke-cos-training-kubeflow"
RUNTIME = "torch-distributed-tcpxo"
POD = "/spec/template/spec/replicatedJobs/0/template/spec/template"
INTERFACES = {f"eth{number}": f"net-{number}" for number in range(1, 9)}
HOSTILE = [
    'a","interfaceName":"eth9',
    "a\nb",
    'a"}]',
    "a\\",
    "",
    "A",
    "a" * 64,
    "-a",
    "a_b",
    "a.b",
    "{{ 7*7 }}",
    "a\x1e1\x1e",
    "net-1 # x",
]


def composed(interfaces, catalog):
    request = Request(
        recipe=RECIPE,
        profiles={"fabricAttachment": "gke-tcpxo-multinetwork"},
        parameters={"fabricAttachment": {"interfaces": interfaces}},
    )
    return compose(catalog, request)


def annotations(resources):
    [runtime] = [resource for resource in resources if resource.name == RUNTIME]
    job = runtime.data["spec"]["template"]["spec"]["replicatedJobs"][0]
    return job["template"]["spec"]["template"]["metadata"]["annotations"]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_network_name_is_refused_by_the_parameters_schema(name):
    with pytest.raises(InvalidInput) as caught:
        composed(INTERFACES | {"eth3": name}, Catalog.load())
    [found] = caught.value.findings
    assert found.rule[:6] == "AICR-P"
    assert "eth3" in f"{found.pointer} {found.message}"


@pytest.mark.parametrize("name", HOSTILE)
def test_and_would_be_one_network_name_if_no_schema_stood_before_the_template(name):
    catalog = Catalog.load()
    composition = composed(INTERFACES, catalog)
    selections = tuple(
        replace(selection, parameters={**selection.parameters, "interfaces": INTERFACES | {"eth3": name}})
        if selection.axis == "fabricAttachment"
        else selection
        for selection in composition.selections
    )
    read = json.loads(
        annotations(render_resources(catalog, replace(composition, selections=selections)))["networking.gke.io/interfaces"]
    )
    expected = {"eth0": "default"} | INTERFACES | {"eth3": name}
    assert [(entry["interfaceName"], entry["network"]) for entry in read] == list(expected.items())


@pytest.mark.parametrize(
    "path", ["/dev/nvidia0\n- path: /dev/sda", "/dev/nvidia0: x", "/dev/nvidia0 # x", "!!python/name:os.system", "- /dev/x"]
)
def test_a_hostile_device_path_stays_one_path_and_is_refused_by_the_fabrics_rule(path):
    catalog = Catalog.load()
    composition = composed(INTERFACES, catalog)
    selections = tuple(
        replace(selection, table={**selection.table, "devices": [path]}) if selection.axis == "fabricAttachment" else selection
        for selection in composition.selections
    )
    composition = replace(composition, selections=selections)
    resources = render_resources(catalog, composition)
    assert yaml.safe_load(annotations(resources)["devices.gke.io/container.tcpxo-daemon"]) == [{"path": path}]
    found = [each for each in check(resources, composition, catalog) if each.rule == "AICR-F004"]
    assert found
    assert found[0].location.file == "manifests/runtimes/_gke-tcpxo-pod.yaml.j2"
