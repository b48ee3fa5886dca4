"""Requirements on release tables as a person reads them: what belongs together, since when, and where that is published."""

import pytest

from bundler.catalog.catalog import Catalog
from bundler.report.releases import release_data, release_text, releases_data, releases_table

TCPXO = Catalog.load().release_table("tcpxo")
ROWS = {row["name"]: row for row in TCPXO.data["releases"]}


def test_the_newest_release_comes_first_and_the_default_has_a_star():
    lines = releases_table([TCPXO]).splitlines()
    assert lines[0].split() == ["TABLE", "RELEASE", "DATE", "IMAGES", "THAT", "BELONG", "TOGETHER", "PINNED", "SOURCE"]
    assert lines[1].split()[:2] == ["tcpxo", "v1.0.17"]
    (default,) = [line for line in lines if "* " in line]
    # Release notes of January 9, 2026: plugin v1.0.15 with daemon v1.0.21, the one pair with published digests.
    assert default.split()[1:9] == ["*", "v1.0.15", "2026-01-09", "plugin", "v1.0.15,", "daemon", "v1.0.21", "yes"]
    assert len(lines) == len(ROWS) + 1


@pytest.mark.parametrize("name", ROWS)
def test_every_release_is_shown_with_its_source(name):
    assert any(ROWS[name]["source"] in line and name in line for line in releases_table([TCPXO]).splitlines())
    assert f"source: {ROWS[name]['source']}\n" in release_text(TCPXO, ROWS[name])


def test_one_release_is_shown_whole():
    text = release_text(TCPXO, ROWS["v1.0.15"])
    assert text.startswith("tcpxo v1.0.15, taken when none is chosen\n")
    assert "daemon: us-docker.pkg.dev/gce-ai-infra/gpudirect-tcpxo/tcpgpudmarxd-dev:v1.0.21@sha256:8d9e10fd" in text
    assert "  arguments: --num_hops=2\n" in text
    variables = [line.split()[0] for line in text.splitlines() if line.startswith(("NCCL_", "CUDA_", "LD_"))]
    assert variables == [setting["name"] for setting in ROWS["v1.0.15"]["env"]]


def test_as_data_images_are_references():
    data = release_data(ROWS["v1.0.14"])
    assert data["images"]["daemon"] == "us-docker.pkg.dev/gce-ai-infra/gpudirect-tcpxo/tcpgpudmarxd-dev:v1.0.20"
    (table,) = releases_data([TCPXO])
    assert (table["table"], table["default"], len(table["releases"])) == ("tcpxo", "v1.0.15", len(ROWS))
