"""What a drawing shows of a runtime: for every fabric value, read off what it renders to; and for objects made for one question."""

import json

import pytest

from bundler.kube.resource import Resource
from bundler.report.html.attachment import Box, Link, Volume, Way, attached

CLUSTER = Link(way=Way.CLUSTER, name="pod interface", network="cluster network")


def gke(*interfaces, networks):
    own = Link(way=Way.CLUSTER, name="eth0", network="default")
    return (own, *(Link(way=Way.NETWORK, name=name, network=network) for name, network in zip(interfaces, networks, strict=True)))


IMEX = {
    name: Link(way=Way.CLAIM, name="imex-channel", network=f"ComputeDomain torch-distributed-{name}")
    for name in ("nvls", "nvls-efa", "nvls-gib")
}

# The first request of each value, its parameters being the examples of recipes/profiles/fabricAttachment.yaml; counts are those of
# the machine tables in bom/machines.
LINKS = {
    "aks-rdma-shared": (CLUSTER, Link(way=Way.DEVICE, name="rdma/hca_shared_devices_a")),
    "eks-efa-device-plugin": (CLUSTER, Link(way=Way.DEVICE, name="vpc.amazonaws.com/efa", count=4)),
    "eks-nvls-efa": (CLUSTER, Link(way=Way.DEVICE, name="vpc.amazonaws.com/efa", count=4), IMEX["nvls-efa"]),
    "gke-managed-dranet": (CLUSTER, Link(way=Way.DEVICE, name="mrdma.google.com", count=8)),
    "gke-nvls-rdma": (
        *gke(*(f"eth{number}" for number in range(2, 6)), networks=[f"rdma-{number}" for number in range(4)]),
        IMEX["nvls-gib"],
    ),
    "gke-rdma-multinetwork": gke(*(f"eth{number}" for number in range(2, 10)), networks=[f"rdma-{number}" for number in range(8)]),
    "gke-tcpx-multinetwork": gke(*(f"eth{number}" for number in range(1, 5)), networks=[f"vpc{number}" for number in range(1, 5)]),
    "gke-tcpxo-multinetwork": gke(
        *(f"eth{number}" for number in range(1, 9)), networks=[f"gpu-nic-{number}" for number in range(8)]
    ),
    "none": (CLUSTER,),
    "nvls-imex": (CLUSTER, IMEX["nvls"]),
    "oke-rdma-vf": (CLUSTER, Link(way=Way.NETWORK, name="nvidia.com/rdma-vf", network="default/rdma-vf", count=16)),
    "onprem-rdma": (CLUSTER, Link(way=Way.DEVICE, name="rdma/rdma_shared_device_a")),
}


def test_every_fabric_value_is_here(catalog):
    assert LINKS.keys() == catalog.profiles["fabricAttachment"].data["values"].keys()


@pytest.mark.parametrize("value", LINKS)
def test_a_fabric_value_leads_where_it_says(first_of_each_value, value):
    pods, *_ = first_of_each_value[value].pods
    assert pods.links == LINKS[value]
    assert pods.has_fabric is (value != "none")


def test_the_pod_of_tcpxo_is_a_daemon_beside_the_processes_that_train(first_of_each_value):
    pods, *_ = first_of_each_value["gke-tcpxo-multinetwork"].pods
    daemon, node = pods.boxes
    assert (daemon.name, daemon.role, daemon.image) == ("tcpxo-daemon", "sidecar", "tcpgpudmarxd-dev:v1.0.21")
    assert daemon.capabilities == ("NET_ADMIN", "NET_BIND_SERVICE")
    assert daemon.devices == (
        *(f"/dev/nvidia{number}" for number in range(8)),
        "/dev/nvidiactl",
        "/dev/nvidia-uvm",
        "/dev/dmabuf_import_helper",
    )
    assert (node.name, node.role, node.gpus, node.gpu, node.settings) == ("node", "trains", 8, "nvidia.com/gpu", 27)
    assert [(mount.path, pods.volumes[mount.number - 1].name, mount.read_only) for mount in node.mounts] == [
        ("/dev/shm", "dshm", False),
        ("/usr/local/nvidia", "nvtcpxo-libraries", True),
        ("/dev/aperture_devices", "nvtcpxo-aperture-devices", False),
    ]
    assert pods.volumes[:2] == (
        Volume(number=1, name="dshm", source="emptyDir Memory"),
        Volume(number=2, name="nvtcpxo-libraries", source="hostPath /home/kubernetes/bin/nvidia"),
    )


def runtime(pod, *, annotations=None, policy=None):
    metadata = {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}}
    job = {"name": "node", "template": {"metadata": metadata}}
    job["template"]["spec"] = {"template": {"metadata": {"annotations": annotations or {}}, "spec": pod}}
    spec = {"mlPolicy": policy or {"torch": {}}, "template": {"spec": {"replicatedJobs": [job]}}}
    data = {"kind": "ClusterTrainingRuntime", "metadata": {"name": "made-up"}, "spec": spec}
    return Resource(data=data, template="x.yaml", positions={}, owner="")


@pytest.mark.parametrize(
    "text",
    ["", "[", "{}", "null", "[1, null]", "- a\n- b", "a: *b", "[" * 5000, json.dumps([{"interfaceName": "eth1"}])[:-1]],
)
def test_an_annotation_that_is_no_list_of_interfaces_leads_nowhere(text):
    pods = attached(runtime({"containers": []}, annotations={"networking.gke.io/interfaces": text}), ())
    assert pods.links == (CLUSTER,)


def test_a_pod_on_the_network_of_its_node_is_said_to_be():
    (link,) = attached(runtime({"hostNetwork": True}), ()).links
    assert link.network == "the node's own network"


def test_interfaces_without_a_name_are_those_of_as_many_devices():
    pod = {"containers": [{"name": "node", "resources": {"limits": {"a.example/vf": "2", "b.example/vf": "3"}}}]}
    _, *links = attached(runtime(pod, annotations={"k8s.v1.cni.cncf.io/networks": "x/net, x/net,x/other"}), ()).links
    assert links == [
        Link(way=Way.NETWORK, name="a.example/vf", network="x/net", count=2),
        Link(way=Way.NETWORK, name="interface", network="x/other"),
        Link(way=Way.DEVICE, name="b.example/vf", count=3),
    ]


def test_a_claim_without_a_maker_leads_to_the_name_of_its_template():
    pod = {"resourceClaims": [{"name": "c", "resourceClaimTemplateName": "elsewhere"}]}
    assert attached(runtime(pod), ()).links[1:] == (Link(way=Way.CLAIM, name="c", network="elsewhere"),)


def test_what_starts_before_the_others_is_no_sidecar():
    pod = {"initContainers": [{"name": "fetch", "image": "not an image"}], "containers": [{"name": "node"}, {"name": "log"}]}
    assert attached(runtime(pod), ()).boxes == (
        Box(name="fetch", role="runs first", image="not an image"),
        Box(name="node", role="trains", image=""),
        Box(name="log", role="beside it", image=""),
    )


def test_a_runtime_without_pods_that_train_is_not_drawn():
    assert attached(Resource(data={"kind": "ClusterTrainingRuntime"}, template="", positions={}, owner=""), ()) is None
