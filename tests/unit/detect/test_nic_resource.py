"""Requirements on the NIC resource. Source: NVIDIA/cluster-readiness-engine, documentation of on-prem clusters."""

import pytest

from bundler.detect.nic_resource import concerns, detect_nic_resource
from bundler.detect.nodes import nodes_of
from bundler.model.finding import Severity
from tests.unit.detect.kit import node, sample


def nodes(*each):
    return tuple(node(f"n{index}", resources=resources) for index, resources in enumerate(each))


@pytest.mark.parametrize(
    ("each", "count", "name"),
    [
        ([{"rdma/ib": "8"}, {"rdma/ib": "8"}], 8, "rdma/ib"),
        ([{"nvidia.com/mlnxnics": "8"}], 8, "nvidia.com/mlnxnics"),
        ([{"rdma/shared": "63"}], 8, "rdma/shared"),
        ([{"rdma/ib": "1"}], 8, None),  # a pool of one is not detected at eight: the request could never be scheduled
        ([{"rdma/ib": "1"}], 1, "rdma/ib"),
        ([{"rdma/ib": "1"}], 0, "rdma/ib"),
        ([{"rdma/a": "8", "rdma/b": "8"}], 8, None),
        ([{"rdma/a": "8", "rdma/b": "4"}], 8, "rdma/a"),  # one candidate alone has the count
        ([{"rdma/a": "8"}, {"rdma/b": "8"}], 8, None),
        ([{"nvidia.com/resibp24s0": "8"}], 8, None),  # no candidate: any rdma/ name, or exactly nvidia.com/mlnxnics
        ([{"nvidia.com/mlnxnics-b": "8"}], 8, None),
        ([], 8, None),
    ],
)
def test_the_only_candidate_that_every_node_has_at_the_count_is_requested(each, count, name):
    assert detect_nic_resource(nodes(*each), count).name == name


@pytest.mark.parametrize(
    ("each", "message"),
    [
        (
            [{"rdma/a": "8", "rdma/b": "8"}],
            (
                "NICResourceDetection: found multiple candidates allocatable on every target node (rdma/a, rdma/b); "
                "no NIC resource is requested. Set nicResourceName to choose one"
            ),
        ),
        (
            [{"nvidia.com/gpu": "8"}],
            (
                "NICResourceDetection: found no RDMA extended resource (rdma/* or nvidia.com/mlnxnics) on any target node; "
                "no NIC resource is requested"
            ),
        ),
        (
            [{"rdma/ib": "1"}],
            (
                "NICResourceDetection: found candidates (rdma/ib), but none is allocatable at the requested count 8 "
                "on every target node; no NIC resource is requested. Set nicResourceName, or adjust mlnxPerNode"
            ),
        ),
    ],
)
def test_what_is_not_requested_is_a_normal_event_that_says_what_was_found(each, message):
    note = detect_nic_resource(nodes(*each), 8).note
    assert (note.rule, note.severity, note.message) == ("AICR-N006", Severity.NOTE, message)


def test_what_is_requested_is_said():
    note = detect_nic_resource(nodes({"rdma/ib": "8"}), 8).note
    assert note.message == 'Auto-detected NIC resource "rdma/ib" (allocatable at the requested count on every target node)'


@pytest.mark.parametrize(
    ("platform", "architecture", "asked"),
    [
        ("onprem", "gb200", True),
        ("onprem", "gb300", True),
        ("onprem", "b200", True),
        ("onprem", "b300", True),
        ("onprem", "h100", False),
        ("mistral", "gb300", False),  # the metal3 trap: neither toleration nor NIC request there
        ("oci", "gb200", False),
    ],
)
def test_it_is_looked_for_where_an_override_requests_a_site_s_nic(platform, architecture, asked):
    assert concerns(platform, architecture) is asked


def test_recorded_sites_say_what_they_advertise():
    by_name = {each.name: each for each in nodes_of(sample("14"))}
    assert (
        detect_nic_resource([by_name["dgx-01"]], 8).name == "rdma/rdma_shared_device_a"
    )  # a shared device, and 64 functions beside it
    assert detect_nic_resource([by_name["dgx-01"], by_name["dgx-02"]], 8).name is None  # before a cold reboot
    assert "(rdma/hca_shared_devices_a, rdma/hca_shared_devices_b)" in detect_nic_resource([by_name["hgx-04"]], 8).note.message
    assert detect_nic_resource(nodes_of(sample("12"))[:4], 8).candidates == (
        "nvidia.com/mlnxnics",
        "rdma/hca_shared_devices_a",
        "rdma/ib",
        "rdma/shared_ib",
    )  # four plugins for one hardware: the name can never be a constant
