"""Requirements on reading nccl-tests: rows behind any prefix, of every version, of a run that ended or not."""

import pytest

from bundler.evidence.bandwidth import Measured, TableReader
from tests.unit.evidence.kit import log

ROW = "  8589934592    2147483648     float     sum      -1  47856.9  179.50  336.57      0  47875.0  179.43  336.44      0"


def table(*lines):
    reader = TableReader()
    for number, line in enumerate(lines, start=1):
        reader.read(line, number)
    return reader.table()


@pytest.mark.parametrize("prefix", ["", "[1,0]<stdout>:", "[pod/launcher-0-0/node] ", "2026-09-01T00:00:00.000000000Z "])
def test_a_row_is_read_behind_any_prefix(prefix):
    (row,) = table(prefix + ROW).rows
    assert (row.size, row.line) == (8589934592, 1)
    assert row.out_of_place == Measured(algbw=179.5, busbw=336.57, wrong=0)
    assert row.in_place == Measured(algbw=179.43, busbw=336.44, wrong=0)


@pytest.mark.parametrize(
    ("line", "out_of_place", "in_place"),
    [
        # nccl-tests 2.10 and before: no root, and an error instead of a count.
        (
            "  1048576        262144     float     sum   119.4    8.78   16.47  4e-07   118.1    8.88   16.65  0e+00",
            Measured(algbw=8.78, busbw=16.47, wrong=None),
            Measured(algbw=8.88, busbw=16.65, wrong=None),
        ),
        # Without validation (-c 0), and an all-to-all without a measurement in place.
        (
            "  1048576         16384     float    none      -1   119.4    8.78   16.47    N/A      N/A      N/A      N/A    N/A",
            Measured(algbw=8.78, busbw=16.47, wrong=None),
            Measured(algbw=None, busbw=None, wrong=None),
        ),
        (
            "  1048576        524288  bfloat16     sum      -1   119.4    8.78   16.47      3    118.1    8.88   16.65      0",
            Measured(algbw=8.78, busbw=16.47, wrong=3),
            Measured(algbw=8.88, busbw=16.65, wrong=0),
        ),
    ],
)
def test_the_rows_of_other_versions_are_read(line, out_of_place, in_place):
    (row,) = table(line).rows
    assert (row.out_of_place, row.in_place) == (out_of_place, in_place)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "node-0-0:41:102 [0] NCCL INFO Channel 00/0 : 8[0] -> 0[0] [receive] via NET/FasTrak/0/GDRDMA",
        "  8589934592    2147483648     float     sum      -1  47856.9  179.50",  # cut off
        "#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong",
        "1 2 3 4 5 6 7 8 9 10 11 12 13",
    ],
)
def test_what_is_no_row_is_none(line):
    assert table(line) is None


def test_a_whole_run():
    found = log("tcpxo").table
    assert (len(found.rows), found.largest, found.complete, found.wrong, found.out_of_bounds) == (32, 1 << 34, True, 0, 0)
    assert (found.top.size, found.top.out_of_place.busbw) == (1 << 34, 337.88)
    assert found.average == 90.141
    assert (len(found.hosts), set(found.hosts.values())) == (16, {"node-0-0", "node-0-1"})


def test_a_run_that_was_cut_off_is_not_complete():
    found = log("tcpxo-cut").table
    assert (found.complete, found.average, found.top.size) == (False, None, 1 << 31)


def test_rows_of_a_termination_message_stand_without_their_head():
    found = log("termination").table
    assert (found.complete, found.largest, found.top.out_of_place.busbw) == (True, None, 337.88)


@pytest.mark.parametrize(
    ("line", "collective"),
    [
        ("# Collective test starting: all_reduce_perf", "all-reduce"),
        ("+ mpirun -np 16 /usr/local/bin/all_reduce_perf_mpi -b 8 -e 16G -f 2", "all-reduce"),
        ("./build/reduce_scatter_perf -b 1G", "reduce-scatter"),
        ("nothing", ""),
    ],
)
def test_the_collective_is_named_where_the_log_does(line, collective):
    assert table(line, ROW).collective == collective
