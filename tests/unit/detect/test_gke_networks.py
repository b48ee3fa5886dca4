"""Requirements on GKE networks. Source: NVIDIA/cluster-readiness-engine, GCP H100 clusters; NVIDIA/aicr issue 2265."""

import json

import pytest

from bundler.detect.gke_networks import DEFAULTS, attached, detect_networks, placed
from bundler.detect.nodes import nodes_of
from bundler.model.finding import Severity
from tests.unit.detect.kit import node, sample

EIGHT = tuple(f"vpc{number}" for number in range(1, 9))
FALLBACK = (
    "; rendering the default networks gpu-nic0..gpu-nic7 instead; "
    "GKE rejects the pods unless Network objects with those names exist"
)


def gke(name, networks, nics=None, **more):
    """A node attached to networks; `nics` is NIC → network, which its annotations say."""
    resources = {f"networking.gke.io.networks/{network}{suffix}": "1" for network in networks for suffix in ("", ".IP")}
    resources["networking.gke.io.networks/default"] = "1"
    annotations = {}
    if nics is not None:
        births = [{"birthName": nic, "birthIP": f"10.0.0.{index}", "pciAddress": "0"} for index, nic in enumerate(nics)]
        north = [{"network": network, "ipAddress": f"10.0.0.{index}"} for index, network in enumerate(nics.values())]
        annotations = {"networking.gke.io/nic-info": json.dumps(births), "networking.gke.io/north-interfaces": json.dumps(north)}
    return node(name, resources=resources, annotations={**annotations, **more})


IN_ORDER = {f"eth{number}": network for number, network in enumerate(EIGHT, start=1)}
REVERSED = {f"eth{number}": network for number, network in enumerate(reversed(EIGHT), start=1)}


def test_addresses_and_the_default_network_are_ignored():
    assert attached(gke("a", EIGHT)) == frozenset(EIGHT)


@pytest.mark.parametrize(
    ("nodes", "order"),
    [
        ([gke("a", EIGHT, IN_ORDER)], EIGHT),
        ([gke("a", EIGHT, REVERSED), gke("b", EIGHT, REVERSED)], tuple(reversed(EIGHT))),  # the pod's eth1 is the host's eth1
        ([gke("a", EIGHT, REVERSED), gke("b", EIGHT, IN_ORDER)], EIGHT),  # nodes disagree: sorted
        ([gke("a", EIGHT, REVERSED), gke("b", EIGHT)], EIGHT),  # one does not say it: sorted
        ([gke("a", reversed(EIGHT))], EIGHT),
        ([gke("a", EIGHT, {**REVERSED, "eth1": "default"})], EIGHT),  # a network that is on no NIC: sorted
    ],
)
def test_the_order_is_that_of_the_host_s_nics_where_all_nodes_agree_else_sorted(nodes, order):
    found = detect_networks(nodes)
    assert (found.names, found.detected) == (order, True)
    assert found.note.message == f"Auto-detected GKE TCPXO networks {', '.join(order)} (allocatable on every target node)"


@pytest.mark.parametrize(
    "annotations",
    [
        {"networking.gke.io/nic-info": "not json"},
        {"networking.gke.io/nic-info": '{"birthName": "eth1"}'},
        {"networking.gke.io/nic-info": "[1, null]"},
        {"networking.gke.io/nic-info": "[" * 2000},
        {"networking.gke.io/north-interfaces": '[{"network": 1, "ipAddress": []}]'},
        {"networking.gke.io/nic-info": '[{"birthName": "ens1", "birthIP": "10.0.0.0"}]'},
    ],
)
def test_annotations_of_another_shape_place_nothing(annotations):
    assert placed([gke("a", EIGHT, IN_ORDER, **annotations)], EIGHT) is None


def test_two_networks_on_one_nic_are_not_placed():
    twice = json.dumps([{"network": name, "ipAddress": "10.0.0.0"} for name in EIGHT])
    assert placed([gke("a", EIGHT, IN_ORDER, **{"networking.gke.io/north-interfaces": twice})], EIGHT) is None


def test_addresses_of_version_6_join_too():
    births = json.dumps([{"birthName": "eth1", "birthIPv6": "fd00::1"}])
    north = json.dumps([{"network": "vpc1", "ipAddress": "fd00::1"}])
    annotations = {"networking.gke.io/nic-info": births, "networking.gke.io/north-interfaces": north}
    assert placed([gke("a", ["vpc1"], None, **annotations)], ["vpc1"]) == {"vpc1": 1}


@pytest.mark.parametrize(
    ("nodes", "found"),
    [
        (
            [gke("a", EIGHT[:7])],
            f"found 7 networks allocatable on every target node ({', '.join(EIGHT[:7])}), but TCPXO needs exactly 8",
        ),
        (
            [gke("a", EIGHT), gke("b", EIGHT[1:])],  # missing from one node
            f"found 7 networks allocatable on every target node ({', '.join(EIGHT[1:])}), but TCPXO needs exactly 8",
        ),
        (
            [gke("a", [])],
            (
                "found no networking.gke.io.networks/* resource allocatable on every target node, "
                "but TCPXO needs 8 GPU NIC networks per node (a3-megagpu-8g)"
            ),
        ),
        (
            [],
            (
                "found no networking.gke.io.networks/* resource allocatable on every target node, "
                "but TCPXO needs 8 GPU NIC networks per node (a3-megagpu-8g)"
            ),
        ),
    ],
)
def test_any_other_number_renders_the_defaults_with_a_warning(nodes, found):
    networks = detect_networks(nodes)
    assert (networks.names, networks.detected) == (DEFAULTS, False)
    assert (networks.note.rule, networks.note.severity) == ("AICR-N005", Severity.WARNING)
    assert networks.note.message == f"GKENetworkDetection: {found}{FALLBACK}"


def test_recorded_a3_mega_nodes_have_eight_networks_in_the_order_of_their_nics():
    assert detect_networks(nodes_of(sample("01"))).names == tuple(f"demo-gpu-nic-{number}" for number in range(8))


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("02", "found 7 networks"),  # a gVNIC network took eth1, and with it a GPU NIC
        ("02b", "found 9 networks"),
        ("02c", "found no networking.gke.io.networks/* resource"),
        ("06", "found 4 networks"),  # an A3 High pool
        ("07", "found 9 networks"),
        ("10", "found no networking.gke.io.networks/* resource"),
    ],
)
def test_recorded_nodes_without_eight_networks_fall_back(name, found):
    networks = detect_networks(nodes_of(sample(name)))
    assert networks.names == DEFAULTS
    assert networks.note.message.startswith(f"GKENetworkDetection: {found}")
