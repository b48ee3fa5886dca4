"""Requirements on proof: a line that says so, of the expected transport; TCP, silence and a quiet log are three things."""

import pytest

from bundler.evidence.proof import prove
from bundler.model.check import Outcome
from tests.unit.evidence.kit import TRANSPORTS, lines, log

FASTRAK = TRANSPORTS.named("FasTrak")


def judged(name, expected=FASTRAK):
    check = prove([log(name)], TRANSPORTS, expected)
    return str(check.outcome), check.says


@pytest.mark.parametrize(
    ("name", "outcome", "says"),
    [
        ("tcpxo", "passed", "FasTrak (GPUDirect-TCPXO) carried the data of 16 processes on 2 hosts"),
        ("prefixed", "passed", "FasTrak (GPUDirect-TCPXO) carried the data of 16 processes on 2 hosts"),
        (
            "socket",
            "failed",
            "Socket (TCP sockets) carried the data of 16 processes on 2 hosts; FasTrak (GPUDirect-TCPXO) was expected",
        ),
        (
            "mixed",
            "failed",
            "Socket (TCP sockets) carried the data of 8 processes on 1 host, and FasTrak that of 8 processes on 1 host",
        ),
        (
            "efa",
            "failed",
            "Libfabric (EFA) carried the data of 16 processes on 2 hosts; FasTrak (GPUDirect-TCPXO) was expected",
        ),
        ("rxdm", "failed", "FasTrak: the tcpxo-daemon was not ready on node-0-0 after 30 seconds"),
        (
            "warn",
            "unproven",
            "nothing proves FasTrak (GPUDirect-TCPXO): NCCL wrote no line at INFO, where alone it names its network",
        ),
        (
            "silent-info",
            "unproven",
            (
                "nothing proves FasTrak (GPUDirect-TCPXO): NCCL wrote at INFO, and no line names the network: "
                "the log is cut, or its NCCL_DEBUG_SUBSYS lacks INIT"
            ),
        ),
        ("not-nccl", "unproven", "nothing proves FasTrak (GPUDirect-TCPXO): no line is of NCCL"),
    ],
)
def test_what_a_log_proves(name, outcome, says):
    assert judged(name) == (outcome, says)


@pytest.mark.parametrize(
    ("name", "outcome", "says"),
    [
        ("efa", "passed", "Libfabric (EFA) carried the data of 16 processes on 2 hosts"),
        ("socket", "failed", "Socket (TCP sockets) carried the data of 16 processes on 2 hosts"),
        ("rxdm", "failed", "FasTrak: the tcpxo-daemon was not ready on node-0-0 after 30 seconds"),
        ("warn", "unproven", "nothing proves a fabric: NCCL wrote no line at INFO, where alone it names its network"),
    ],
)
def test_without_a_recipe_any_fabric_will_do(name, outcome, says):
    assert judged(name, None) == (outcome, says)


def test_a_plugin_that_was_loaded_is_no_proof():
    job = lines(
        "node-0-0:41:102 [0] NCCL INFO NET/FasTrak 2026-09-07T12:00:00+00:00: Initializing network FasTrak, version: 1.0.17",
        "node-0-0:41:102 [0] NCCL INFO NET/FasTrak 2026-09-07T12:00:01+00:00: RxDM ready",
    )
    check = prove([job], TRANSPORTS, FASTRAK)
    assert check.outcome is Outcome.UNPROVEN
    assert check.says.endswith("; 'Initializing network FasTrak, version: 1.0.17' shows that it was at hand, not that it was used")


def test_that_multicast_is_available_is_no_use_of_nvls():
    nvls = TRANSPORTS.named("NVLS")
    available = lines("node-0-0:29:51 [0] NCCL INFO NVLS multicast support is available on dev 0 (NVLS_NCHANNELS 16)")
    check = prove([available], TRANSPORTS, nvls)
    assert check.outcome is Outcome.UNPROVEN
    assert check.says.startswith("nothing proves NVLS (NVLink SHARP): NCCL wrote at INFO, and no line shows its use; ")
    used = lines("node-0-0:29:160 [0] NCCL INFO NVLS comm 0x7f10a80 headRank 0", "n:1:1 [0] NCCL INFO Using network Socket")
    assert prove([used], TRANSPORTS, nvls).outcome is Outcome.PASSED


def test_no_channel_for_imex_fails_nvlink_between_nodes():
    check = prove([lines("Cuda failure 800 'operation not permitted'")], TRANSPORTS, TRANSPORTS.named("MNNVL"))
    assert (check.outcome, check.says) == (
        Outcome.FAILED,
        "MNNVL: the pod has no IMEX channel: a claim is made, and no container takes it",
    )


def test_the_logs_of_several_pods_are_one_job():
    check = prove([log("warn"), log("tcpxo")], TRANSPORTS, FASTRAK)
    assert check.outcome is Outcome.PASSED
    assert check.unseen == ("warn.log has no line of NCCL at INFO",)
    assert prove([log("tcpxo"), log("socket")], TRANSPORTS, FASTRAK).outcome is Outcome.FAILED


def test_ranks_that_say_nothing_are_counted():
    job = lines(
        "node-0-0:41:102 [0] NCCL INFO Using network FasTrak",
        "node-0-0:41:102 [0] NCCL INFO comm 0x55d2 rank 0 nRanks 16 nNodes 2 localRanks 8 localRank 0 MNNVL 0",
    )
    check = prove([job], TRANSPORTS, FASTRAK)
    assert check.outcome is Outcome.PASSED
    assert check.unseen == ("15 of 16 ranks: the logs have no line that proves their transport",)


def test_a_fabric_that_is_used_and_degraded_is_a_warning_beside_the_pass():
    job = lines(
        "node-0-0:29:51 [0] NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 0 'mlx5_0'",
        "node-0-0:29:51 [0] NCCL INFO Using network IB",
    )
    check = prove([job], TRANSPORTS, TRANSPORTS.named("IB"))
    assert check.outcome is Outcome.PASSED
    assert [(one.rule, str(one.severity), one.message, str(one.location)) for one in check.findings] == [
        ("AICR-E013", "warning", "IB: data takes the way through the host's memory on mlx5_0", "job.log:1")
    ]


def test_a_failure_that_was_overcome_is_a_warning():
    job = lines(
        "n:1:1 [0] NCCL WARN NET/FasTrak x: Timeout: RxDM not ready on n after 30 seconds: DEADLINE_EXCEEDED",
        "n:1:1 [0] NCCL INFO Using network FasTrak",
    )
    check = prove([job], TRANSPORTS, FASTRAK)
    assert check.outcome is Outcome.PASSED
    assert [(one.rule, str(one.severity)) for one in check.findings] == [("AICR-E014", "warning")]


def test_the_reason_of_a_fallback_stands_beside_it():
    check = prove([log("socket")], TRANSPORTS, TRANSPORTS.named("IB"))
    assert [(one.rule, one.message) for one in check.findings] == [
        ("AICR-E011", "Socket (TCP sockets) carried the data of 16 processes on 2 hosts; IB (InfiniBand or RoCE) was expected"),
        ("AICR-E010", "IB: NCCL found no InfiniBand or RoCE device in the pod"),
    ]
