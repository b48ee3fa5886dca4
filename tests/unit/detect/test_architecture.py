"""Requirements on the vote. Source: NVIDIA/cluster-readiness-engine, platform detection; its pull requests 251, 254."""

import pytest

from bundler.detect.architecture import detect_architecture, nodes_with
from bundler.detect.nodes import nodes_of
from tests.unit.detect.kit import node, sample


def nodes(**products):
    return tuple(node(name, product=product) for name, product in sorted(products.items()))


@pytest.mark.parametrize(
    ("products", "architecture"),
    [
        ({"a": "NVIDIA-A100-SXM4-40GB", "b": "NVIDIA-H100-NVL", "c": "NVIDIA-H100-80GB-HBM3"}, "h100"),  # the most nodes
        ({"a": "NVIDIA-H100-NVL", "b": "NVIDIA-A100-SXM4-40GB"}, "h100"),  # a tie: the earliest node by name
        ({"a": "NVIDIA-A100-SXM4-40GB", "b": "NVIDIA-H100-NVL"}, "a100"),
        ({"a": "NVIDIA-L40S", "b": "NVIDIA-GB200", "c": "NVIDIA-GB300", "d": "NVIDIA-GB300", "e": "NVIDIA-GB200"}, "gb200"),
        ({"a": None, "b": None, "c": "NVIDIA-B200"}, "b200"),  # nodes without the label have no vote
        ({"a": "", "b": "NVIDIA-B200"}, "b200"),
        ({"a": None, "b": None}, "unknown"),  # only when no node carries the label
        ({}, "unknown"),
    ],
)
def test_the_architecture_is_that_of_the_most_nodes(products, architecture):
    assert detect_architecture(nodes(**products)) == architecture


def test_a_job_runs_on_the_nodes_of_the_architecture():
    mixed = nodes(a="NVIDIA-A100-SXM4-40GB", b="NVIDIA-H100-NVL", c=None)
    assert [each.name for each in nodes_with(mixed, "h100")] == ["b"]
    assert nodes_with(mixed, "unknown") == mixed


@pytest.mark.parametrize(
    ("name", "architecture"),
    [("01", "h100"), ("06", "h100"), ("07c", "gb200"), ("10", "h100"), ("12", "h100"), ("13", "gb200"), ("14", "h100")],
)
def test_recorded_nodes_have_their_architecture(name, architecture):
    assert detect_architecture(nodes_of(sample(name))) == architecture
