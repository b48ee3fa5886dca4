"""Requirements on the advice: what the nodes show and the selection does not use, what jobs lose by that, and what was not seen.

Device classes are those of the recorded claims (samples 08, 11 and 15).
"""

import pytest
import yaml

from bundler.model.check import Outcome
from bundler.model.request import Request
from bundler.model.snapshot import Snapshot
from bundler.validate.shipped import Shipped
from tests.unit.validate.kit import CATALOG, SAMPLES, deployed, read_samples, said

CLASSES = "deviceclasses.resource.k8s.io"
MRDMA, CHANNEL = "mrdma.google.com", "compute-domain-default-channel.nvidia.com"
CLIQUE = "nvidia.com/gpu.clique"
NICS = ", ".join(f"networking.gke.io.networks/{name}" for name in ("gvnic-1", "rdma-0", "rdma-1", "rdma-2", "rdma-3"))
GB300 = {"nvidia.com/gpu.product": "NVIDIA-GB300", "node.kubernetes.io/instance-type": "p6e-gb300.36xlarge"}


def of(recipe, parameters=None, **profiles):
    parameters = {"fabricAttachment": parameters} if parameters else {}
    return Shipped.of_request(CATALOG, Request(recipe=recipe, profiles=profiles, parameters=parameters))


def advised(shipped, node, *classes, read=True):
    """The check on one node, where these device classes were read."""
    found = {CLASSES: tuple({"metadata": {"name": name}} for name in classes)} if read else {}
    return deployed(Snapshot(sources=("x",), objects={"nodes": (node,), **found}), shipped)["fabric-used"]


def node_of(sample, index=0, *, label=(), drop=()):
    """A recorded node, perhaps with another label, and without labels and resources whose names begin so."""
    node = read_samples(sample).of("nodes")[index]
    labels = {**node["metadata"]["labels"], **dict(label)}
    kept = {key: value for key, value in labels.items() if not key.startswith(tuple(drop))}
    allocatable = {key: value for key, value in node["status"]["allocatable"].items() if not key.startswith(tuple(drop))}
    return {**node, "metadata": {**node["metadata"], "labels": kept}, "status": {**node["status"], "allocatable": allocatable}}


def test_a_fabric_that_nothing_uses_is_an_advice_that_names_value_and_runtime(snapshot, shipped):
    check = deployed(snapshot, of("h100-gke-cos-training-kubeflow", gpuStack="gke-default", fabricAttachment="none"))["fabric-used"]
    names = ", ".join(f"networking.gke.io.networks/demo-gpu-nic-{number}" for number in range(8))
    [finding] = check.findings
    assert check.outcome is Outcome.ADVISED
    assert (finding.rule, str(finding.severity)) == ("AICR-V070", "note")
    assert finding.message == (
        f"the cluster has {names} on each of 2 nodes with GPUs, which fabricAttachment=none does not use: jobs would run over TCP"
    )
    assert finding.fix == (
        "choose --profile fabricAttachment=gke-tcpxo-multinetwork; jobs then name the runtime torch-distributed-tcpxo"
    )
    assert said(deployed(snapshot, shipped)["fabric-used"]) == ("passed", "what the nodes show is used by gke-tcpxo-multinetwork")


@pytest.mark.parametrize(
    ("sample", "recipe", "value", "runtime"),
    [
        ("06-gke-a3high-node", "h100-gke-cos-training-kubeflow", "gke-tcpx-multinetwork", "torch-distributed-tcpx"),
        ("07-gke-a4-rdma-node", "b200-gke-cos-training-kubeflow", "gke-rdma-multinetwork", "torch-distributed-gib"),
        ("07c-gke-a4x-gb200-node", "gb200-gke-cos-training-kubeflow", "gke-nvls-rdma", "torch-distributed-nvls-gib"),
        ("10-eks-nodes", "h100-eks-ubuntu-training-kubeflow", "eks-efa-device-plugin", "torch-distributed-efa"),
        ("13-oke-gb200-node", "gb200-oke-ubuntu-training-kubeflow", "nvls-imex", "torch-distributed-nvls"),
        ("12-aks-nodes", "h100-aks-ubuntu-training-kubeflow", "aks-rdma-shared", "torch-distributed-rdma"),
        ("14-onprem-nodes", "h100-bcm-ubuntu-training-kubeflow", "onprem-rdma", "torch-distributed-rdma"),
    ],
)
def test_which_fabric_the_nodes_show_depends_on_their_machine(sample, recipe, value, runtime):
    axes = CATALOG.recipes[recipe].data["profiles"]
    chosen = {axis: declared.get("default") or declared["values"][0] for axis, declared in axes.items()}
    first = read_samples(sample).of("nodes")[3 if sample == "14-onprem-nodes" else 0]
    alone = Snapshot(sources=("x",), objects={"nodes": (first,)})
    check = deployed(alone, of(recipe, **{**chosen, "fabricAttachment": "none"}))
    advice = [finding.fix for finding in check["fabric-used"].findings]
    assert advice == [f"choose --profile fabricAttachment={value}; jobs then name the runtime {runtime}"]


def test_nodes_without_a_fabric_give_no_advice():
    recipe = of("h100-gke-cos-training-kubeflow", gpuStack="gke-default", fabricAttachment="none")
    check = deployed(read_samples("02c-gke-node-no-multinet"), recipe)["fabric-used"]
    assert said(check) == ("skipped", "no fabric that this recipe could use is shown by every node")
    assert (check.looked, check.unseen) == (("labels and allocatable resources of 1 node with GPUs",), ())


@pytest.fixture(scope="module")
def nvlink():
    """NVLink alone, on EKS."""
    return of("gb300-eks-ubuntu-training-kubeflow", {"gpus": 4, "namespace": "team-a"}, fabricAttachment="nvls-imex")


@pytest.fixture(scope="module")
def dranet():
    chosen = {"machineType": "a4-highgpu-8g", "namespace": "team-a"}
    return of("b200-gke-cos-training-kubeflow", chosen, gpuStack="gke-default", fabricAttachment="gke-managed-dranet")


def test_a_selection_that_uses_a_part_is_told_what_the_rest_is():
    interfaces = {f"eth{number}": f"rdma-{number - 2}" for number in range(2, 6)}
    chosen = {"machineType": "a4x-highgpu-4g", "interfaces": interfaces}
    rdma = of("gb200-gke-cos-training-kubeflow", chosen, gpuStack="gke-default", fabricAttachment="gke-rdma-multinetwork")
    [finding] = advised(rdma, node_of("07c-gke-a4x-gb200-node")).findings
    assert finding.message == (
        f"the cluster has {NICS} on the only node with GPUs and the label {CLIQUE} on the only node with GPUs, "
        "which fabricAttachment=gke-rdma-multinetwork does not use: jobs would do without NVLS (NVLink SHARP)"
    )
    bare = advised(rdma, node_of("07c-gke-a4x-gb200-node", drop=[CLIQUE]), read=False)
    assert said(bare) == ("passed", "what the nodes show is used by gke-rdma-multinetwork")
    needs = [f"4 of networking.gke.io.networks/* with DeviceClass {CHANNEL}", f"DeviceClass {MRDMA}"]
    assert bare.unseen == (f"{CLASSES}: {', '.join(needs)}",)


def test_nvlink_alone_leaves_the_nics_idle(nvlink):
    [finding] = advised(nvlink, node_of("10-eks-nodes", 3, label=GB300, drop=[CLIQUE]), CHANNEL).findings
    assert finding.message == (
        f"the cluster has vpc.amazonaws.com/efa on the only node with GPUs and DeviceClass {CHANNEL}, which "
        "fabricAttachment=nvls-imex does not use: jobs would do without Libfabric (EFA), "
        "and run over TCP where NVLink does not reach"
    )
    assert finding.fix == "choose --profile fabricAttachment=eks-nvls-efa; jobs then name the runtime torch-distributed-nvls-efa"
    alone = advised(nvlink, node_of("10-eks-nodes", 3, label=GB300, drop=["vpc.amazonaws.com"]))
    assert said(alone) == ("passed", "what the nodes show is used by nvls-imex")


def test_a_selection_whose_devices_are_not_there_does_not_run_over_tcp(dranet):
    check = advised(dranet, node_of("07-gke-a4-rdma-node"))
    uses = f"DeviceClass {MRDMA}, which fabricAttachment=gke-managed-dranet uses"
    assert check.outcome is Outcome.ADVISED
    assert check.says.endswith(f", and not {uses}: its pods would not start")
    nothing = advised(dranet, node_of("07-gke-a4-rdma-node", drop=["networking.gke.io"]))
    assert said(nothing) == ("unproven", f"the cluster does not show {uses}")


def test_device_classes_that_were_not_read_prove_nothing(dranet):
    says = f"{CLASSES} were not read: DeviceClass {MRDMA} would show the fabric of fabricAttachment=gke-managed-dranet"
    assert said(advised(dranet, node_of("07-gke-a4-rdma-node"), read=False)) == ("unproven", says)
    none = of("b200-gke-cos-training-kubeflow", gpuStack="gke-default", fabricAttachment="none")
    bare = node_of("07-gke-a4-rdma-node", drop=["networking.gke.io"])
    check = advised(none, bare, read=False)
    says = f"{CLASSES} were not read: DeviceClass {MRDMA} would show a fabric that fabricAttachment=none does not use"
    assert said(check) == ("unproven", says)
    assert [finding.fix for finding in check.findings] == [f"add them to the snapshot: {CLASSES}"]
    assert said(advised(none, bare)) == ("skipped", "no fabric that this recipe could use is shown by every node")


def test_the_label_of_a_node_shows_what_a_class_does_before_its_driver_is_there(dranet, nvlink):
    key = "cloud.google.com/gke-networking-dra-driver"
    labelled, other = (node_of("07-gke-a4-rdma-node", label={key: value}) for value in ("true", "false"))
    assert advised(dranet, labelled, read=False).outcome is Outcome.PASSED
    assert advised(dranet, other, read=False).outcome is Outcome.UNPROVEN
    assert (
        advised(nvlink, node_of("10-eks-nodes", 3, label=GB300, drop=["vpc.amazonaws.com"]), read=False).outcome is Outcome.PASSED
    )


def test_efa_by_claims_is_not_the_efa_of_the_device_plugin():
    classes = [one["metadata"]["name"] for one in read_samples("11-eks-efa-dra").of(CLASSES)]
    assert classes == ["efa.networking.k8s.aws"]
    shipped = of("a100-eks-ubuntu-training-kubeflow", {"instanceType": "p4d.24xlarge"}, fabricAttachment="eks-efa-device-plugin")
    check = advised(shipped, node_of("10-eks-nodes", 2, drop=["vpc.amazonaws.com"]), *classes)
    says = "the cluster does not show vpc.amazonaws.com/efa, which fabricAttachment=eks-efa-device-plugin uses"
    assert said(check) == ("unproven", says)


@pytest.mark.parametrize(
    ("sample", "values"),
    [
        ("08-gke-managed-dranet", {"gke-managed-dranet"}),
        ("15-computedomain-gb200", {"nvls-imex", "eks-nvls-efa", "gke-nvls-rdma"}),
    ],
)
def test_device_classes_are_those_that_recorded_claims_name(sample, values):
    documents = yaml.safe_load_all((SAMPLES / f"{sample}.yaml").read_text())
    (template,) = (one for one in documents if one["kind"] == "ResourceClaimTemplate")
    (request,) = template["spec"]["spec"]["devices"]["requests"]
    table = CATALOG.document("recipes/detection/capabilities.yaml", kind="CapabilityTable").data["capabilities"]
    assert {row["value"] for row in table if row.get("deviceClass") == request["exactly"]["deviceClassName"]} == values


def test_nodes_of_other_gpus_are_not_asked():
    """Five pools of EKS in one cluster: what the recipe's own nodes show counts."""
    nodes = read_samples("10-eks-nodes").of("nodes")
    none = of("gb200-eks-ubuntu-training-kubeflow", fabricAttachment="none")
    [finding] = deployed(Snapshot(sources=("x",), objects={"nodes": nodes}), none)["fabric-used"].findings
    assert finding.fix.startswith("choose --profile fabricAttachment=eks-nvls-efa; ")
    others = tuple(node for node in nodes if "gb200" not in node["metadata"]["labels"]["node.kubernetes.io/instance-type"])
    check = deployed(Snapshot(sources=("x",), objects={"nodes": others}), none)["fabric-used"]
    assert said(check) == ("unproven", "no node with the GPUs of the recipe is known that is not cordoned")


def test_every_value_that_attaches_a_fabric_has_a_row():
    table = CATALOG.document("recipes/detection/capabilities.yaml", kind="CapabilityTable").data["capabilities"]
    values = CATALOG.profiles["fabricAttachment"].data["values"]
    assert {row["value"] for row in table} == {name for name, value in values.items() if value.get("runtimes")}
