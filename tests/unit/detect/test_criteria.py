"""Requirements on criteria that nodes prove (recipes/detection/criteria.yaml)."""

import pytest

from bundler.detect.criteria import CriteriaRows
from bundler.detect.nodes import nodes_of
from tests.unit.detect.kit import node, sample


@pytest.fixture(scope="module")
def rows(catalog):
    return CriteriaRows.of(catalog)


@pytest.mark.parametrize(
    ("attributes", "service"),
    [
        ({"provider": "gce://p/z/n"}, "gke"),
        ({"provider": "aws:///z/i"}, "eks"),
        ({"provider": "azure:///s"}, "aks"),
        ({"provider": "ocid1.instance.x"}, "oke"),
        ({"provider": "kind://docker/kind/kind-control-plane"}, "kind"),
        ({"provider": "linode://1"}, "lke"),
        ({"provider": "metal3://a/b/c"}, "metal3"),
        ({"labels": {"brightcomputing.com/node-category": "dgx"}}, "bcm"),
        ({"labels": {"node.openshift.io/os_id": "rhcos"}}, "ocp"),
        ({"info": {"kubeletVersion": "v1.33.2+k0s.0"}}, "k0s"),
        ({"info": {"kubeletVersion": "v1.34.1+rke2r1"}}, "rke2"),
        ({}, None),
    ],
)
def test_a_service_is_recognised_by_what_its_nodes_have(rows, attributes, service):
    assert rows.service([node("n", **attributes)]).value == service


def test_a_node_that_two_services_fit_proves_neither(rows):
    fact = rows.service([node("n", provider="aws:///z/i", info={"kubeletVersion": "v1.34.1+rke2r1"})])
    assert fact.value is None
    assert fact.refusal == "the nodes say eks and rke2 (1 node)"
    assert fact.candidates == ("eks", "rke2")


@pytest.mark.parametrize(
    ("image", "system"),
    [
        ("Container-Optimized OS from Google", "cos"),
        ("Ubuntu 24.04.3 LTS", "ubuntu"),
        ("Ubuntu 26.04 LTS", "ubuntu-2604"),
        ("Oracle Linux Server 8.10", "ol"),
        ("Amazon Linux 2023.9.20251208", None),
    ],
)
def test_a_system_is_recognised_by_its_image(rows, image, system):
    assert rows.system([node("n", info={"osImage": image})]).value == system


def test_a_system_without_a_row_is_named(rows):
    fact = rows.system([node("n", info={"osImage": "Talos (v1.11)"})])
    assert fact.silence == "no row of recipes/detection/criteria.yaml fits Talos (v1.11)"


@pytest.mark.parametrize(
    ("name", "service", "accelerators"),
    [
        ("01", "gke", {"h100"}),
        ("07", "gke", {"b200"}),  # by the machine type alone: the GPU Operator is not installed yet
        ("07c", "gke", {"gb200"}),
        ("10", "eks", {"a100", "gb200", "h100", "h200", "l40s"}),
        ("12", "aks", {"gb300", "h100"}),
        ("13", "oke", {"gb200"}),
        ("14", None, {"b200", "h100"}),
    ],
)
def test_recorded_nodes_prove_their_service_and_accelerator(rows, name, service, accelerators):
    nodes = nodes_of(sample(name))
    assert rows.service(nodes).value == service
    fact = rows.accelerator(nodes, service)
    assert {fact.value} | set(fact.candidates) == accelerators | ({None} if len(accelerators) > 1 else set())
    assert all(rows.has_gpus(each) for each in nodes)


def test_an_architecture_may_have_another_name_as_a_criterion(rows):
    rtx = node("n", product="NVIDIA-RTX-PRO-6000-Blackwell-Server-Edition")
    assert rows.accelerator([rtx], None).value == "rtx-pro-6000"


def test_a_machine_type_and_a_product_that_disagree_prove_neither(rows):
    odd = node("n", product="NVIDIA-L40S", labels={"node.kubernetes.io/instance-type": "a3-megagpu-8g"})
    assert rows.accelerator([odd], "gke").refusal == "the nodes say h100 and l40s (1 node)"


def test_every_row_is_a_criterion_that_the_catalogue_knows(catalog, rows):
    schema = catalog.schema("layer")["$defs"]
    stated = {name for row in (*rows.services, *rows.systems) for name in [row["name"]]}
    assert all(name and name == name.lower() for name in stated)
    assert "criterion" in schema
