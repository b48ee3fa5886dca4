"""Requirements on the table of transports: every known line is classified, and only proof is proof.

The lines are those of sample 16: shapes from NCCL and the plugins, with neutral hosts.
"""

import re
from pathlib import Path

import pytest

from bundler.catalog.catalog import Catalog
from bundler.errors import InvalidInput
from bundler.evidence.transports import Carries, Transports
from bundler.yamlio.reader import read
from tests.unit.evidence.kit import TRANSPORTS

SAMPLE = Path(__file__).parents[2] / "samples/16-nccl-log-lines.yaml"

LINES = read(SAMPLE.read_bytes(), SAMPLE.name).data
NAMES = {
    "tcpxo": "FasTrak",
    "tcpx": "GPUDirectTCPX_v7",
    "gib": "gIB",
    "efa": "Libfabric",
    "ib": "IB",
    "gdr": "IB",
    "nvls": "NVLS",
    "mnnvl": "MNNVL",
    "socket": "Socket",
}
SHOWS = {"proof": "use", "init": "support", "fail": "failure"}


@pytest.mark.parametrize("row", LINES, ids=lambda row: row["line"][-40:])
def test_a_line_is_of_one_transport_and_shows_one_thing(row):
    assert re.search(row["pattern"], row["line"])
    ((sign, _),) = TRANSPORTS.read(row["line"])
    # That TCP is used is what a fabric's failure looks like.
    shows = "use" if row["fabric"] == "socket" else SHOWS[row["kind"]]
    assert (sign.transport, str(sign.shows)) == (NAMES[row["fabric"]], shows)


def test_only_sockets_are_tcp():
    assert [one.name for one in TRANSPORTS.by_name.values() if one.carries is Carries.TCP] == ["Socket"]


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("Timeout: RxDM not ready on node-0-0 after 30 seconds: X", "the tcpxo-daemon was not ready on node-0-0 after 30 seconds"),
        (
            "NCCL/NET (shim) mismatch enforced: NCCL_FASTRAK_NUM_FLOWS=4 (expected 2)",
            "the plugin enforces NCCL_FASTRAK_NUM_FLOWS=2 and found 4",
        ),
        ("mismatch enforced: NCCL_ALGO= (expected Ring,Tree)", None),
        ("NCCL/NET (shim) mismatch enforced: NCCL_X= (expected 2)", "the plugin enforces NCCL_X=2 and found nothing"),
        (
            "Error loading libnccl-net_internal.so: libcudart.so.13: cannot open",
            "the plugin is built for CUDA 13, which the image does not have",
        ),
        (
            "NET/IBext_v9 : GPU Direct RDMA Disabled for HCA 0 'mlx5_0'",
            "data takes the way through the host's memory on mlx5_0",
        ),
    ],
)
def test_a_failure_says_what_it_means(line, meaning):
    assert [sign.meaning(match) for sign, match in TRANSPORTS.read(line)] == ([meaning] if meaning else [])


@pytest.mark.parametrize(
    ("pattern", "says", "why"),
    [
        ("Using [", "", "unterminated character set at position 6"),
        (r"(\w+) \1", "", "it refers to a group of its own, or names one"),
        (r"(?P<net>\w+)", "", "it refers to a group of its own, or names one"),
        ("Using", "found {1}", "Replacement index 1 out of range for positional args tuple"),
    ],
)
def test_a_pattern_that_cannot_be_searched_for_is_refused(tmp_path, pattern, says, why):
    (tmp_path / "bom").mkdir()
    line = f"{{shows: use, pattern: '{pattern}'" + (f", says: '{says}'" if says else "") + "}"
    (tmp_path / "bom/transports.yaml").write_text(
        "apiVersion: aicr.run/v2\nkind: TransportTable\nmetadata: {name: transports, description: Mine., source: x}\n"
        f"transports:\n  - {{name: Mine, title: Mine, carries: fabric, source: x, lines: [{line}]}}\n"
    )
    with pytest.raises(InvalidInput) as error:
        Transports.of(Catalog.load(tmp_path))
    assert error.value.findings[0].message == f"the line {pattern!r} of Mine cannot be searched for: {why}"
    assert error.value.findings[0].location.line == 5


def test_an_unknown_transport_is_refused_with_the_nearest():
    with pytest.raises(InvalidInput) as error:
        TRANSPORTS.named("FastTrak")
    assert error.value.findings[0].fix == "did you mean 'FasTrak'?"
