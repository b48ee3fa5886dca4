"""Requirements on platforms. Source: NVIDIA/cluster-readiness-engine detectPlatform and its documentation of platform detection."""

import pytest

from bundler.detect.nodes import nodes_of
from bundler.detect.platforms import detect_platform, platform_of_node, platforms
from bundler.errors import InvalidInput
from tests.unit.detect.kit import node, sample


@pytest.mark.parametrize(
    ("provider", "labels", "platform"),
    [
        ("aws:///us-east-2b/i-0", {}, "aws"),
        ("gce://proj/zone/name", {}, "gcp"),
        ("azure:///subscriptions/0", {}, "azure"),
        ("ocid1.instance.oc1.us-demo-1.example", {}, "oci"),  # a bare OCID, no scheme
        ("nscale://a", {}, "nscale"),
        ("kubevirt://a", {"node-role.together.ai/worker": ""}, "togetherai"),
        ("kubevirt://a", {}, "onprem"),
        ("metal3://a/b/c", {}, "mistral"),  # the trap: also the nodes of any other Cluster API and Metal3 site
        ("openstack:///0", {}, "onprem"),
        ("vsphere://0", {}, "onprem"),
        ("", {}, "onprem"),
        ("", {"kubernetes.io/hostname": "dgx-01"}, "onprem"),
        ("", {"kubernetes.io/hostname": "gpu-forge-17"}, "forge"),
        ("", {"nke.nvidia.com/site-name": "a"}, "forge"),
        ("aws:///a", {"nke.nvidia.com/site-name": "a"}, "aws"),  # the label counts only without a provider ID
        ("aws", {}, "onprem"),
    ],
)
def test_a_platform_is_recognised_by_provider_id_and_labels(catalog, provider, labels, platform):
    assert platform_of_node(catalog, node("n", provider=provider, labels=labels)) == platform


def test_onprem_is_what_no_rule_recognises(catalog):
    assert [name for name, row in platforms(catalog).items() if "nodes" not in row] == ["onprem"]


def test_no_nodes_are_on_premises(catalog):
    assert detect_platform(catalog, ()) == "onprem"


def test_nodes_of_several_platforms_are_refused_whatever_the_first_is(catalog):
    nodes = [node("a", provider="aws:///z/i"), node("b", provider="gce://p/z/b"), node("c", provider="aws:///z/j")]
    with pytest.raises(InvalidInput) as caught:
        detect_platform(catalog, nodes)
    (finding,) = caught.value.findings
    assert (finding.rule, finding.message) == ("AICR-N003", "heterogeneous platforms detected: aws (2), gcp (1)")
    assert finding.fix == "narrow the target to the nodes of one platform, or state the platform"


@pytest.mark.parametrize(
    ("name", "platform"),
    [("01", "gcp"), ("06", "gcp"), ("07", "gcp"), ("07c", "gcp"), ("10", "aws"), ("12", "azure"), ("13", "oci")],
)
def test_recorded_nodes_are_on_their_platform(catalog, name, platform):
    assert detect_platform(catalog, nodes_of(sample(name))) == platform


def test_a_site_with_a_metal3_node_is_not_onprem_alone(catalog):
    found = {each.name: platform_of_node(catalog, each) for each in nodes_of(sample("14"))}
    assert found == {"dgx-01": "onprem", "dgx-02": "onprem", "gpu-05": "onprem", "hgx-03": "mistral", "hgx-04": "onprem"}
