"""Requirements on parameters that a snapshot proves: each fabric's, and what is said where it proves nothing."""

import copy

import pytest

from bundler.detect.discoveries import DISCOVERIES
from bundler.detect.fill import fill
from bundler.errors import InvalidInput
from bundler.model.finding import Severity
from bundler.profiles.axes import Axes
from tests.unit.detect.kit import forbidden, installer, node_object, recorded, sample, snapshot_of
from tests.unit.detect.test_fill import A3_MEGA, H100_GKE, TCPXO, refused, request, said

PLUGIN = "us-docker.pkg.dev/gce-ai-infra/gpudirect-tcpxo/nccl-plugin-gpudirecttcpx-dev"
NODES = ("gke-demo-gpu-pool-5e6f7a80-k4xz", "gke-demo-gpu-pool-5e6f7a80-q9wd")
GPU_NICS = ", ".join(f"demo-gpu-nic-{number}" for number in range(8))
JOINED = "nodes: allocatable networking.gke.io.networks/*, annotations networking.gke.io/north-interfaces and nic-info"


def filled(catalog, recipe, value, snapshot, **more):
    return fill(catalog, request(recipe, profiles={"fabricAttachment": value}, **more), snapshot)


def given(found):
    return found.request.parameters.get("fabricAttachment", {})


def with_system(objects, image):
    changed = copy.deepcopy(objects)
    for each in changed:
        if each["kind"] == "Node":
            each["status"].setdefault("nodeInfo", {})["osImage"] = image
    return changed


def without_order(objects):
    changed = copy.deepcopy(objects)
    for each in changed:
        each["metadata"].get("annotations", {}).pop("networking.gke.io/nic-info", None)
    return changed


def test_every_discovery_that_a_parameter_names_is_there(catalog):
    named = {
        parameter.declaration["discovers"]
        for axis in catalog.derived(Axes.of).values()
        for value in axis.values.values()
        for parameter in value.parameters.values()
        if "discovers" in parameter.declaration
    }
    assert named == {*DISCOVERIES, "machine-type"}
    assert set(catalog.schema("profile")["$defs"]["parameter"]["properties"]["discovers"]["enum"]) == named


def test_tcpxo_interfaces_and_release_are_those_of_the_nodes(catalog):
    found = filled(catalog, H100_GKE, "gke-tcpxo-multinetwork", sample("01", "03", "04"))
    assert given(found) == {"interfaces": A3_MEGA, "release": "v1.0.15"}
    assert found.request.observed["/parameters/fabricAttachment/interfaces"].source == JOINED
    assert (
        found.request.observed["/parameters/fabricAttachment/release"].source == "pods of kube-system: images of running installers"
    )


def test_tcpx_interfaces_are_those_of_the_nodes(catalog):
    found = filled(catalog, H100_GKE, "gke-tcpx-multinetwork", sample("06"))
    assert given(found) == {"interfaces": {"eth1": "demo-vpc1", "eth2": "demo-vpc2", "eth3": "demo-vpc3", "eth4": "demo-vpc4"}}


@pytest.mark.parametrize("objects", [("07", "07b"), ("07",)])
def test_rdma_interfaces_are_those_of_the_rdma_nics_beside_the_gvnic(catalog, objects):
    found = filled(catalog, "b200-gke-cos-training-kubeflow", "gke-rdma-multinetwork", sample(*objects))
    assert found.request.machine_type == "a4-highgpu-8g"
    assert given(found) == {"interfaces": {f"eth{number + 2}": f"rdma-{number}" for number in range(8)}}


def test_rdma_interfaces_of_gb200_have_the_keys_of_their_machine(catalog):
    found = filled(catalog, "gb200-gke-cos-training-kubeflow", "gke-rdma-multinetwork", sample("07c"))
    assert given(found) == {"interfaces": {f"eth{number + 2}": f"rdma-{number}" for number in range(4)}}


@pytest.mark.parametrize(
    ("objects", "message", "fix"),
    [
        (
            recorded("02"),  # a gVNIC network displaced a GPU NIC
            (f"every node is attached to 7 such networks ({GPU_NICS.removesuffix(', demo-gpu-nic-7')}), and 8 are needed"),
            "give --param fabricAttachment.interfaces=eth1=gpu-nic-0,",
        ),
        (
            recorded("02b"),
            (f"every node is attached to 9 such networks ({GPU_NICS}, demo-storage-net), and 8 are needed"),
            "give --param fabricAttachment.interfaces=eth1=gpu-nic-0,",
        ),
        (
            recorded("02c"),
            "no node is attached to a GPU NIC network, and 8 are needed",
            "give --param fabricAttachment.interfaces=eth1=gpu-nic-0,",
        ),
        (
            without_order(recorded("01")),
            (f"the annotations of the nodes do not place {GPU_NICS} on NICs, or not alike, so their order is not proven"),
            "give --param fabricAttachment.interfaces=eth1=demo-gpu-nic-0,eth2=demo-gpu-nic-1,",
        ),
    ],
)
def test_interfaces_that_the_nodes_do_not_prove_are_refused_with_the_candidates(catalog, objects, message, fix):
    (finding,) = refused(catalog, request(H100_GKE, profiles=TCPXO), snapshot_of(*objects))
    assert finding.rule == "AICR-N011"
    assert finding.message == f"parameter fabricAttachment.interfaces cannot be read from the snapshot: {message} ({JOINED})"
    assert finding.fix.startswith(fix)


def test_an_unproven_order_is_the_users_to_state(catalog):
    asked = request(H100_GKE, profiles=TCPXO, parameters={"fabricAttachment": {"interfaces": A3_MEGA}})
    assert given(fill(catalog, asked, snapshot_of(*without_order(recorded("01"))))) == {"interfaces": A3_MEGA}


def test_a_network_that_is_not_ready_is_refused_with_its_cause(catalog):
    ready = [each for each in recorded("03") if each["metadata"]["name"] != "demo-gpu-nic-3"]
    snapshot = snapshot_of(*recorded("01"), *ready, *recorded("03b"))
    (finding,) = refused(catalog, request(H100_GKE, profiles=TCPXO), snapshot)
    assert finding.message == (
        "parameter fabricAttachment.interfaces cannot be read from the snapshot: "
        "network demo-gpu-nic-3 is not Ready (ParamsNotReady: VPCNotFound) "
        "(networks.networking.gke.io: status.conditions)"
    )


def test_a_network_without_an_object_is_refused(catalog):
    objects = [each for each in recorded("03") if each["metadata"]["name"] != "demo-gpu-nic-7"]
    (finding,) = refused(catalog, request(H100_GKE, profiles=TCPXO), snapshot_of(*recorded("01"), *objects))
    assert "nodes advertise network demo-gpu-nic-7, but there is no Network object of that name" in finding.message


def test_stated_interfaces_that_the_nodes_contradict_are_an_error_with_both_places(catalog):
    swapped = {**A3_MEGA, "eth1": "demo-gpu-nic-1", "eth2": "demo-gpu-nic-0"}
    text = ",".join(f"{key}={name}" for key, name in swapped.items())
    asked = request(H100_GKE, profiles=TCPXO, parameters={"fabricAttachment": {"interfaces": text}})
    (finding,) = refused(catalog, asked, sample("01"))
    assert finding.rule == "AICR-N012"
    assert finding.message.startswith(
        f"parameter fabricAttachment.interfaces is stated as {text}, but the nodes say eth1=demo-gpu-nic-0,"
    )
    assert str(finding.location) == "--param fabricAttachment.interfaces"
    assert [str(place.location) for place in finding.related] == ["--snapshot snapshot.yaml"]


def test_a_stated_network_that_no_node_has_is_an_error_also_where_nothing_is_proven(catalog):
    asked = request(H100_GKE, profiles=TCPXO, parameters={"fabricAttachment": {"interfaces": {**A3_MEGA, "eth8": "vpc8"}}})
    (finding,) = refused(catalog, asked, sample("02b"))
    assert "but every node is attached to 9 such networks" in finding.message


@pytest.mark.parametrize(("tags", "release"), [(("v1.0.16", "v1.0.16"), "v1.0.16"), (("v1.0.17", "v1.0.17-1"), "v1.0.17")])
def test_the_release_is_the_row_of_the_installed_plugin(catalog, tags, release):
    pods = [installer(name, f"{PLUGIN}:{tag}") for name, tag in zip(NODES, tags, strict=True)]
    assert given(filled(catalog, H100_GKE, "gke-tcpxo-multinetwork", snapshot_of(*recorded("01"), *pods)))["release"] == release


def test_a_rollout_between_releases_is_refused_with_the_candidates(catalog):
    pods = [installer(name, f"{PLUGIN}:{tag}") for name, tag in zip(NODES, ("v1.0.15", "v1.0.17"), strict=True)]
    (finding,) = refused(catalog, request(H100_GKE, profiles=TCPXO), snapshot_of(*recorded("01"), *pods))
    assert finding.message == (
        "parameter fabricAttachment.release cannot be read from the snapshot: "
        'found different plugin versions across the target nodes ("v1.0.15", "v1.0.17") '
        "(pods of kube-system: images of running installers)"
    )
    assert finding.fix == "give --param fabricAttachment.release=v1.0.15|v1.0.17 as it is meant"


@pytest.mark.parametrize(
    ("snapshot", "why"),
    [
        (sample("01", gaps=[forbidden("pods")]), "could not list kube-system pods (403 Forbidden)"),
        (sample("01"), "could not list kube-system pods (the snapshot has none)"),
        (
            sample("01", empty=["pods"]),
            (
                "found no running tcpxo installer pod (image nccl-plugin-gpudirecttcpx-dev) "
                f"on 2 of 2 target nodes: {NODES[0]}, {NODES[1]}"
            ),
        ),
        (
            snapshot_of(*recorded("01"), *(installer(name, f"{PLUGIN}:v1.9.0") for name in NODES)),
            "the nodes run v1.9.0, which is no row of bom/releases/tcpxo.yaml",
        ),
    ],
)
def test_where_no_release_is_proven_the_default_stays_and_it_says_why(catalog, snapshot, why):
    found = filled(catalog, H100_GKE, "gke-tcpxo-multinetwork", snapshot)
    assert "release" not in given(found)
    message = f"parameter fabricAttachment.release is not proven by the snapshot: {why}; the default v1.0.15 stays"
    assert ("AICR-N013", message) in said(found)


def test_another_release_than_the_installed_is_an_upgrade_and_a_warning(catalog):
    found = filled(
        catalog, H100_GKE, "gke-tcpxo-multinetwork", sample("01", "04"), parameters={"fabricAttachment": {"release": "v1.0.17"}}
    )
    (finding,) = [each for each in found.findings if each.rule == "AICR-N012"]
    assert finding.severity is Severity.WARNING
    assert finding.message.startswith("parameter fabricAttachment.release is stated as v1.0.17, but the nodes say v1.0.15")


def aks(*names):
    """The recorded H100 nodes with these numbers."""
    nodes = [each for each in recorded("12") if each["metadata"]["name"][-1] in names]
    return snapshot_of(*nodes)


@pytest.mark.parametrize(
    ("number", "name"),
    [("0", "rdma/ib"), ("1", "rdma/shared_ib"), ("2", "rdma/hca_shared_devices_a"), ("3", "nvidia.com/mlnxnics")],
)
def test_the_resource_of_a_site_s_plugin_is_the_one_that_all_nodes_have(catalog, number, name):
    found = filled(
        catalog,
        "h100-aks-ubuntu-training-kubeflow",
        "aks-rdma-shared",
        aks(number),
        parameters={"fabricAttachment": {"count": "1"}},
    )
    assert given(found)["resourceName"] == name
    assert found.request.machine_type == "Standard_ND96isr_H100_v5"


def test_nodes_with_different_plugins_have_no_resource_in_common(catalog):
    asked = request("h100-aks-ubuntu-training-kubeflow", profiles={"fabricAttachment": "aks-rdma-shared"})
    (finding,) = refused(catalog, asked, aks("0", "1"))
    assert finding.message == (
        "parameter fabricAttachment.resourceName cannot be read from the snapshot: "
        "no candidate (rdma/ib, rdma/shared_ib) is allocatable 1 time on every node (nodes: status.allocatable)"
    )
    assert finding.fix == "give --param fabricAttachment.resourceName=rdma/ib|rdma/shared_ib as it is meant"


def test_a_count_that_no_node_has_proves_no_resource(catalog):
    asked = request(
        "h100-aks-ubuntu-training-kubeflow",
        profiles={"fabricAttachment": "aks-rdma-shared"},
        parameters={"fabricAttachment": {"count": "8"}},
    )
    nodes = aks("0").of("nodes")
    nodes[0]["status"]["allocatable"]["rdma/ib"] = "1"
    (finding,) = refused(catalog, asked, snapshot_of(*nodes))
    assert "no candidate (rdma/ib) is allocatable 8 times on every node" in finding.message


def on_site(*names):
    return snapshot_of(*with_system([each for each in recorded("14") if each["metadata"]["name"] in names], "Ubuntu 24.04.3 LTS"))


def test_two_plugins_on_every_node_are_refused_with_the_candidates(catalog):
    asked = request("h100-bcm-ubuntu-training-kubeflow", profiles={"fabricAttachment": "onprem-rdma"})
    (finding,) = refused(catalog, asked, on_site("hgx-04"))
    assert finding.message == (
        "parameter fabricAttachment.resourceName cannot be read from the snapshot: "
        "every node has rdma/hca_shared_devices_a, rdma/hca_shared_devices_b (nodes: status.allocatable)"
    )


def test_a_metal3_site_is_not_bcm(catalog):
    asked = request("h100-bcm-ubuntu-training-kubeflow", profiles={"fabricAttachment": "onprem-rdma"})
    (finding,) = refused(catalog, asked, on_site("hgx-03"))
    assert finding.message.startswith("service is stated as bcm, but the nodes say metal3")


def test_a_node_without_a_plugin_is_said(catalog):
    found = filled(catalog, "h100-bcm-ubuntu-training-kubeflow", "onprem-rdma", on_site("gpu-05"))
    why = "no node advertises rdma/* or nvidia.com/mlnxnics"
    assert ("AICR-N013", f"parameter fabricAttachment.resourceName is not proven by the snapshot: {why}") in said(found)


@pytest.mark.parametrize(
    ("name", "shown"), [("nvidia.com/rdma-vf", "nvidia.com/rdma-vf"), ("nvidia.com/sriov-rdma-vf", "nvidia.com/sriov-rdma-vf")]
)
def test_functions_of_oke_have_the_name_that_the_cluster_s_stack_gave_them(catalog, name, shown):
    labels = {"node.kubernetes.io/instance-type": "BM.GPU.A100-v2.8"}
    node = node_object(
        "10.0.0.1",
        product="NVIDIA-A100-SXM4-80GB",
        provider="ocid1.instance.a",
        labels=labels,
        info={"osImage": "Ubuntu 22.04"},
        resources={name: "16"},
    )
    found = filled(catalog, "a100-oke-ubuntu-training-kubeflow", "oke-rdma-vf", snapshot_of(node))
    assert given(found) == {"resourceName": shown}


def test_the_instance_type_of_eks_is_the_machine_type(catalog):
    nodes = with_system(recorded("10"), "Ubuntu 24.04.3 LTS")
    found = filled(catalog, "h200-eks-ubuntu-training-kubeflow", "eks-efa-device-plugin", snapshot_of(*nodes))
    assert found.request.machine_type == "p5en.48xlarge"
    assert given(found) == {}


def test_a_value_that_the_recipe_lacks_is_left_for_composing_to_refuse(catalog):
    assert given(filled(catalog, H100_GKE, "no-such-value", sample("01"))) == {}


def test_a_text_that_is_no_value_is_left_for_composing_to_refuse(catalog):
    asked = request(H100_GKE, profiles=TCPXO, parameters={"fabricAttachment": {"interfaces": "eth1"}})
    assert given(fill(catalog, asked, sample("01"))) == {"interfaces": "eth1"}


def test_recorded_objects_of_other_kinds_prove_nothing_and_disturb_nothing(catalog):
    found = filled(catalog, H100_GKE, "gke-tcpxo-multinetwork", sample("01", "05", "08", "11", "14b", "15"))
    assert given(found) == {"interfaces": A3_MEGA}


def test_errors_come_with_the_notes_on_what_was_found(catalog):
    with pytest.raises(InvalidInput) as caught:
        fill(catalog, request(H100_GKE, profiles=TCPXO), sample("02"))
    assert [finding.rule for finding in caught.value.findings] == ["AICR-N011", "AICR-N010", "AICR-N013"]
