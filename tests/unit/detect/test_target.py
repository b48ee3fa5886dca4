"""Requirements on targets. Source: NVIDIA/cluster-readiness-engine TargetSpec; labels as k8s.io/apimachinery compares them."""

import pytest

from bundler.detect.target import Target, targeted
from bundler.errors import InvalidInput
from tests.unit.detect.kit import node

SPOT = {"key": "spot", "value": "true", "effect": "NoSchedule"}
NODES = (
    node("a", labels={"pool": "x"}),
    node("b", labels={"pool": "y"}, taints=[SPOT]),
    node(
        "c",
        labels={"pool": "x", "old": "1"},
        cordoned=True,
        taints=[{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}],
    ),
    node("d", labels={"nvidia.com/gpu.present": None}),
    node("e", labels={"nvidia.com/gpu.present": "false"}),
)


def names(**target):
    return "".join(each.name for each in targeted(NODES, Target.of(target)).nodes)


@pytest.mark.parametrize(
    ("target", "found"),
    [
        ({}, "ab"),  # cordoned nodes and those without nvidia.com/gpu.present=true are left out
        ({"nodeSelector": {"pool": "x"}}, "a"),
        ({"nodeSelector": {"pool": "x", "old": "1"}}, ""),
        ({"matchExpressions": [{"key": "pool", "operator": "In", "values": ["y", "z"]}]}, "b"),
        ({"matchExpressions": [{"key": "pool", "operator": "In"}]}, ""),
        ({"matchExpressions": [{"key": "pool", "operator": "NotIn", "values": ["y"]}]}, "a"),
        ({"matchExpressions": [{"key": "absent", "operator": "NotIn", "values": ["y"]}]}, "ab"),  # holds without the label
        ({"matchExpressions": [{"key": "pool", "operator": "Exists"}]}, "ab"),
        ({"matchExpressions": [{"key": "pool", "operator": "DoesNotExist"}]}, ""),
        (
            {"matchExpressions": [{"key": "pool", "operator": "Exists"}, {"key": "pool", "operator": "NotIn", "values": ["x"]}]},
            "b",
        ),
        ({"nodeNames": ["b", "a", "nowhere"]}, "ab"),
        ({"nodeNames": ["a", "b"], "nodeSelector": {"pool": "y"}}, "b"),  # both hold together
        ({"taintSelectors": [{"key": "spot"}]}, "b"),
        ({"taintSelectors": [{"key": "spot", "value": "true", "effect": "NoSchedule"}]}, "b"),
        ({"taintSelectors": [{"key": "spot", "value": "false"}]}, ""),
        ({"taintSelectors": [{"key": "spot", "effect": "NoExecute"}]}, ""),
        ({"taintSelectors": [{"key": "spot"}, {"key": "other"}]}, ""),  # a node has all of them
        ({"taintSelectors": [{"key": "node.kubernetes.io/unschedulable"}]}, "c"),  # asks for cordoned nodes
    ],
)
def test_all_parts_of_a_target_hold_together(target, found):
    assert names(**target) == found


def test_a_target_without_nodes_says_which_part_left_none():
    with pytest.raises(InvalidInput) as caught:
        targeted(NODES, Target.of({"nodeSelector": {"pool": "x"}, "nodeNames": ["c"]})).require()
    (finding,) = caught.value.findings
    assert finding.rule == "AICR-N001"
    assert finding.message == (
        "the target selects no GPU node: 5 nodes read, 2 left by nodeSelector, 1 left by nodeNames, 0 left without cordoned ones, "
        "0 left by the label nvidia.com/gpu.present=true"
    )
