"""What users of RDMA values are asked for, and what is refused. Sources: see `tests.unit.data.rdma`."""

import pytest

from bundler import Catalog, bundle
from bundler.catalog.validation import check
from bundler.errors import InvalidInput
from bundler.model.request import Request
from bundler.render.render import render_resources
from tests.unit.data.rdma import FABRIC, FITTING, GIVEN, NAMED, RECIPES, RUNTIMES, asked, networks, refusals, runtime
from tests.unit.data.rendering import CATALOG, compose, containers


@pytest.mark.parametrize("count", [1, 8])
@pytest.mark.parametrize("name", ["rdma/hca_shared_devices_a", "rdma/ib", "rdma/shared_ib", "nvidia.com/mlnxnics"])
def test_the_name_and_the_count_of_an_azure_cluster_are_its_own(name, count):
    data = runtime(asked("h100-aks-ubuntu-training-kubeflow", "Standard_ND96isr_H100_v5", resourceName=name, count=count))
    assert containers(data)["node"]["resources"]["limits"] == {"nvidia.com/gpu": "8", name: str(count)}


@pytest.mark.parametrize("recipe", [recipe for recipe, (_, value) in RECIPES.items() if value != "oke-rdma-vf"])
@pytest.mark.parametrize("pool", [0, 63, 1000])
def test_the_size_of_a_pool_is_no_count(recipe, pool):
    _, value = RECIPES[recipe]
    machine = next(machine for each, machine in FITTING if each == recipe)
    ((rule, message),) = refusals(asked(recipe, machine, count=pool))
    most = {"aks-rdma-shared": 8, "onprem-rdma": 16}[value]
    assert (rule, message) == (
        "AICR-P012",
        f"parameter fabricAttachment.count: it is {pool}, not a number from 1 to {most}, and never the size of a pool",
    )


@pytest.mark.parametrize("recipe", RECIPES)
def test_what_only_the_site_knows_is_never_guessed(recipe):
    _, value = RECIPES[recipe]
    request = Request(recipe=recipe, profiles={"fabricAttachment": value})
    missing = {NAMED[value]} | ({"resourceName", "count"} if value != "oke-rdma-vf" else set())
    found = refusals(request)
    assert {rule for rule, _ in found} == {"AICR-P006"}
    assert {
        name for name in FABRIC[value]["parameters"] if any(f"the parameter {name!r}" in message for _, message in found)
    } == missing


@pytest.mark.parametrize("value", RUNTIMES)
@pytest.mark.parametrize(
    "name",
    [
        "rdma/ib",
        "rdma/shared_ib",
        "rdma/hca_shared_devices_a",
        "rdma/rdma_shared_device_a",
        "nvidia.com/mlnxnics",
        "nvidia.com/rdma-vf",
        "nvidia.com/sriov-rdma-vf",
        "nvidia.com/resibp24s0",
        "nscale.com/rdmashare",
    ],
)
def test_the_names_that_clusters_have_are_accepted(value, name):
    assert check(name, FABRIC[value]["parameters"]["resourceName"]["schema"]) == ()


@pytest.mark.parametrize("value", RUNTIMES)
@pytest.mark.parametrize(
    "name",
    [
        "ib",  # without a domain it would be a resource of Kubernetes
        "rdma/",
        "/ib",
        "rdma/ib/x",
        "RDMA/ib",
        "rdma/ib\n",
        "rdma/ib: 1",
        "rdma/-ib",
        "rdma/ib-",
        "-rdma/ib",
        "a..b/ib",
        "a.-b/ib",
        "a-.b/ib",
        "rdma/" + "a" * 64,
        "kubernetes.io/ib",
        "x.kubernetes.io/ib",
        "k8s.io/ib",
        # The Trainer counts every resource with these letters as GPUs.
        "nvidia.com/gpu",
        "rdma/gpu_nics",
        "networking.gke.io.networks/GPU-nic0",
        1,
    ],
)
def test_other_resource_names_are_refused(value, name):
    assert check(name, FABRIC[value]["parameters"]["resourceName"]["schema"])


def test_the_names_of_an_older_cluster_of_oracles_stack_can_be_given():
    names = {"resourceName": "nvidia.com/sriov-rdma-vf", "networkAttachment": "default/sriov-rdma-vf"}
    data = runtime(asked("a100-oke-ubuntu-training-kubeflow", "BM.GPU4.8", **names))
    assert networks(data).split(",") == ["default/sriov-rdma-vf"] * 16
    assert containers(data)["node"]["resources"]["limits"]["nvidia.com/sriov-rdma-vf"] == "16"


@pytest.mark.parametrize(
    "name",
    [
        "rdma-vf",
        "default/",
        "/rdma-vf",
        "a/b/c",
        "default/rdma-vf,default/rdma-vf",
        "default/rdma vf",
        "default/rdma-vf\n",
        "Default/x",
    ],
)
def test_a_network_attachment_is_one_name_with_its_namespace(name):
    assert check(name, FABRIC["oke-rdma-vf"]["parameters"]["networkAttachment"]["schema"])
    assert check([name], FABRIC["onprem-rdma"]["parameters"]["networks"]["schema"])


def test_networks_of_a_site_are_attached_in_their_order():
    # A pod on a BCM site with a virtual function of each HCA lists one attachment for each.
    listed = ["network-operator/ibp192s0-sriovnet", "network-operator/ibp24s0-sriovnet"]
    given = {"resourceName": "nvidia.com/resibp", "count": 2, "networks": listed}
    data = runtime(asked("h100-bcm-ubuntu-training-kubeflow", "hgx-h100", **given))
    assert networks(data) == "network-operator/ibp192s0-sriovnet,network-operator/ibp24s0-sriovnet"
    assert containers(data)["node"]["resources"]["limits"]["nvidia.com/resibp"] == "2"


def test_a_machine_of_ones_own_is_a_row(tmp_path):
    table = tmp_path / "bom" / "machines" / "onprem.yaml"
    table.parent.mkdir(parents=True)
    table.write_text(
        "apiVersion: aicr.run/v2\nkind: MachineTable\nmetadata: {name: onprem, description: Ours., source: ours}\nmachines:\n"
        "  - {name: two-h200-nvl, accelerator: h200, gpus: 2, arch: amd64, source: ours, rdmaNics: 1}\n"
    )
    data = runtime(asked("h200-k0s-ubuntu-training-kubeflow", "two-h200-nvl"), Catalog.load(tmp_path))
    assert containers(data)["node"]["resources"]["limits"] == {"nvidia.com/gpu": "2", "rdma/rdma_shared_device_a": "1"}


@pytest.mark.parametrize(
    ("recipe", "value", "machine"),
    [
        ("h100-aks-ubuntu-training-kubeflow", "aks-rdma-shared", "Standard_ND96isr_H100_v5"),
        ("a100-oke-ubuntu-training-kubeflow", "oke-rdma-vf", "BM.GPU.B4.8"),
    ],
)
def test_a_stated_machine_type_is_the_machine(recipe, value, machine):
    stated = Request(
        recipe=recipe, profiles={"fabricAttachment": value}, parameters={"fabricAttachment": GIVEN[value]}, machine_type=machine
    )
    assert runtime(stated) == runtime(asked(recipe, machine))


@pytest.mark.parametrize("value", RUNTIMES)
def test_each_value_names_its_runtime_its_transport_and_what_a_pod_is_held_to(value):
    assert FABRIC[value]["runtimes"] == [{"name": RUNTIMES[value]}]
    assert FABRIC[value]["transport"] == "IB"
    amount = "machine.rdmaVfs" if value == "oke-rdma-vf" else "parameters.count"
    assert FABRIC[value]["wiring"] == {
        "resources": [
            {"name": "nvidia.com/gpu", "amountFrom": "machine.gpus"},
            {"nameFrom": "parameters.resourceName", "amountFrom": amount},
        ]
    }


def test_the_bundle_of_aks_advertises_the_resource_of_the_example():
    example = FABRIC["aks-rdma-shared"]["parameters"]["resourceName"]["example"]
    request = asked("h100-aks-ubuntu-training-kubeflow", "Standard_ND96isr_H100_v5", resourceName=example)
    objects = {each.subject: each.data for each in render_resources(CATALOG, compose(CATALOG, request))}
    config = objects["NicClusterPolicy/nic-cluster-policy"]["spec"]["rdmaSharedDevicePlugin"]["config"]
    assert f'"resourceName":"{example.partition("/")[2]}"' in config.replace(" ", "")


@pytest.mark.parametrize(
    ("recipe", "machine", "written", "asked_for"),
    [
        ("h100-aks-ubuntu-training-kubeflow", "Standard_ND96isr_H100_v5", "fabric.parameters.count | string", "8 rdma/ib"),
        ("a100-oke-ubuntu-training-kubeflow", "BM.GPU4.8", "functions | string", "16 nvidia.com/rdma-vf"),
    ],
)
def test_a_runtime_that_asks_for_another_amount_breaks_a_rule(tmp_path, recipe, machine, written, asked_for):
    _, value = RECIPES[recipe]
    template = CATALOG.template(f"runtimes/{RUNTIMES[value]}.yaml.j2")
    assert written in template.text
    (tmp_path / "manifests" / "runtimes").mkdir(parents=True)
    (tmp_path / "manifests" / template.name).write_text(template.text.replace(written, '"1"'))
    given = {"resourceName": "rdma/ib", "count": 8} if value == "aks-rdma-shared" else {}
    with pytest.raises(InvalidInput) as caught:
        bundle(Catalog.load(tmp_path), asked(recipe, machine, **given))
    assert [(finding.rule, finding.message) for finding in caught.value.findings] == [
        ("AICR-F013", f"the training container of {value} on {machine} has {asked_for} in {section}, not '1'")
        for section in ("limits", "requests")
    ]
