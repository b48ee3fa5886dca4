"""Requirements on the capacity filter. Source: NVIDIA/cluster-readiness-engine issue 82 and its documentation (RTX PRO 6000)."""

import pytest

from bundler.detect.capacity import capable
from bundler.errors import InvalidInput
from tests.unit.detect.kit import node


def test_nodes_with_fewer_gpus_are_left_out_and_those_without_a_number_kept():
    nodes = [node("a", gpu="8"), node("b", gpu="4"), node("c", gpu="0"), node("d"), node("e", gpu="16")]
    found = capable(nodes, 8)
    assert [each.name for each in found.nodes] == ["a", "c", "d", "e"]
    assert [each.name for each in found.excluded] == ["b"]


def test_a_target_of_four_gpu_nodes_fails_rather_than_reducing_the_request():
    with pytest.raises(InvalidInput) as caught:
        capable([node("a", gpu="4"), node("b", gpu="2")], 8)
    (finding,) = caught.value.findings
    assert finding.rule == "AICR-N004"
    assert finding.message == "no target node has the 8 allocatable nvidia.com/gpu that a pod asks for; the most that one has is 4"
    assert finding.fix == "set gpusPerNode to what the nodes have, such as 4, or choose other nodes"


@pytest.mark.parametrize(
    ("written", "amount"), [("8", 8), (8, 8), ("1k", 1000), ("63", 63), ("no", 0), ("", 0), (None, 0), (True, 0), ([], 0)]
)
def test_an_amount_is_read_as_a_quantity(written, amount):
    assert node("a", resources={"rdma/ib": written}).amount("rdma/ib") == amount
