"""Requirements on the floor: a figure counts when it is whole, right, and of the fabric that it is held against."""

from dataclasses import replace

import pytest

from bundler.evidence.floor import Floor, measure, sized
from tests.unit.evidence.kit import HERE, TRANSPORTS, lines, log

FASTRAK = TRANSPORTS.named("FasTrak")
FLOOR = Floor(metric="busbw", gbps=300, collective="all-reduce", source="x", transport=FASTRAK)


def judged(name, floor=FLOOR):
    check = measure([log(name)], TRANSPORTS, floor)
    return str(check.outcome), check.says


@pytest.mark.parametrize(
    ("name", "outcome", "says"),
    [
        ("tcpxo", "passed", "busbw 337.88 GB/s at 16 GiB out of place, not below the floor: busbw of 300 GB/s (all-reduce)"),
        ("tcpxo-slow", "failed", "busbw 211.57 GB/s at 16 GiB out of place, below the floor: busbw of 300 GB/s (all-reduce)"),
        ("tcpxo-wrong", "failed", "192 values came out wrong: what was measured did not carry the data as it was"),
        (
            "tcpxo-cut",
            "unproven",
            "busbw 328.92 GB/s at 2 GiB out of place, and the run did not end: the table stops at 2 GiB of 16 GiB",
        ),
        (
            "one-node",
            "unproven",
            "busbw 337.88 GB/s at 16 GiB out of place, and one node measured itself: nothing crossed a network",
        ),
        (
            "warn",
            "unproven",
            "busbw 336.68 GB/s at 16 GiB out of place, and nothing proves that it is of FasTrak (GPUDirect-TCPXO)",
        ),
        (
            "efa",
            "unproven",
            "busbw 478.13 GB/s at 16 GiB out of place, and nothing proves that it is of FasTrak (GPUDirect-TCPXO)",
        ),
        ("mixed", "unproven", "busbw 3.98 GB/s at 16 GiB out of place, and part of it is of Socket"),
        ("rxdm", "unproven", "no log has a table of nccl-tests"),
    ],
)
def test_what_a_figure_says(name, outcome, says):
    assert judged(name) == (outcome, says)


def test_without_a_floor_nothing_is_judged():
    check = measure([log("tcpxo")], TRANSPORTS, None, "nothing says what to reach")
    assert (str(check.outcome), check.says) == (
        "skipped",
        "busbw 337.88 GB/s at 16 GiB out of place; nothing says what to reach",
    )
    assert check.findings == ()


def test_a_floor_of_another_collective_or_metric():
    other = lines("# Collective test starting: all_gather_perf", *log_lines("tcpxo"))
    check = measure([other], TRANSPORTS, FLOOR)
    assert check.says == "busbw 337.88 GB/s at 16 GiB out of place, and the floor is of all-reduce, not of all-gather"
    assert judged("tcpxo", replace(FLOOR, metric="algbw"))[1].startswith("algbw 180.2 GB/s at 16 GiB out of place, below")


def test_the_average_alone_is_no_figure():
    check = measure([lines("# Avg bus bandwidth    : 325.4 ")], TRANSPORTS, FLOOR)
    assert (str(check.outcome), check.says) == (
        "unproven",
        "the rows of the table are missing; their average, 325.4 GB/s, is of all sizes and no figure of the fabric",
    )


def test_of_several_runs_the_lowest_counts():
    check = measure([log("tcpxo"), log("tcpxo-slow")], TRANSPORTS, FLOOR)
    assert (str(check.outcome), check.findings[0].location.file) == ("failed", "tcpxo-slow.log")


def test_a_collective_that_is_not_named_is_said_to_be_assumed():
    assert measure([log("tcpxo")], TRANSPORTS, FLOOR).unseen == (
        "the log does not say which collective ran; all-reduce is assumed",
    )


@pytest.mark.parametrize(("size", "text"), [(8, "8 B"), (1536, "1.5 KiB"), (1 << 34, "16 GiB"), (1 << 50, "1024 TiB")])
def test_sizes(size, text):
    assert sized(size) == text


def log_lines(name):
    return (HERE / f"logs/{name}.log").read_text().splitlines()
