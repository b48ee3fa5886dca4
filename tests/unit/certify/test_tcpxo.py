"""Requirements on the TCPXO row. Source: pkg/catalog/tcpxo.go and the documentation of platform detection."""

from pathlib import Path

import pytest

from bundler.catalog.catalog import Catalog
from bundler.certify.tcpxo import choose_row, variables
from bundler.detect.gke_networks import DEFAULTS as NETWORKS
from bundler.detect.installed import release_of
from bundler.errors import InvalidInput

DAEMONS = {"v1.0.15": "v1.0.21", "v1.0.16": "v1.0.22", "v1.0.17": "v1.0.23"}


@pytest.mark.parametrize(
    ("tag", "release"),
    [
        ("v1.0.15", (1, 0, 15)),
        ("v1.0.17-1", (1, 0, 17)),
        ("v1.0.18rc1", None),
        ("latest", None),
        ("", None),
        ("1.0.15", None),
    ],
)
def test_a_build_suffix_is_a_rebuild_and_any_other_tag_no_release(tag, release):
    assert release_of(tag) == release


@pytest.mark.parametrize(
    ("tag", "row", "exact", "message"),
    [
        (None, "v1.0.15", False, None),
        ("v1.0.15", "v1.0.15", True, None),
        ("v1.0.16", "v1.0.16", True, None),
        ("v1.0.17", "v1.0.17", True, None),
        ("v1.0.17-1", "v1.0.17", True, None),
        ("v1.0.18", "v1.0.17", False, "newer than the latest mapped release v1.0.17"),
        ("v1.1.0", "v1.0.17", False, "(nccl-tests-cuda13, megatron-cuda13), which are not validated against v1.1.0"),
        ("v2.0.0", "v1.0.17", False, "newer than the latest mapped release"),
        ("v1.0.14", "v1.0.15", False, "older than the minimum supported release v1.0.15"),
        ("v1.0.9-1", "v1.0.15", False, "older than the minimum supported release"),
        ("latest", "v1.0.15", False, "found a plugin image with tag 'latest', which is not a release version"),
    ],
)
def test_a_plugin_gets_its_row_or_the_nearest_safe_one_with_a_word(catalog, tag, row, exact, message):
    choice = choose_row(catalog, tag)
    assert (choice.row["name"], choice.exact) == (row, exact)
    assert [message in note.message for note in choice.notes] == ([True] if message else [])


def test_a_release_between_mapped_ones_takes_the_newest_older_row(catalog, tmp_path):
    text = Path(catalog.sources[0].paths["bom/releases/tcpxo.yaml"]).read_text()
    head, middle = text.split("  - name: v1.0.16\n")
    unmapped = middle.replace("    certification: {nccl: nccl-tests-cuda12, training: nccl-tests-cuda12}\n", "")
    (tmp_path / "bom/releases").mkdir(parents=True)
    (tmp_path / "bom/releases/tcpxo.yaml").write_text(f"{head}  - name: v1.0.16\n{unmapped}")
    choice = choose_row(Catalog.load(tmp_path), "v1.0.16")
    assert choice.row["name"] == "v1.0.15"
    assert "v1.0.16, which has no row of its own; rendering the v1.0.15 images" in choice.notes[0].message


@pytest.mark.parametrize(("release", "daemon"), sorted(DAEMONS.items()))
def test_daemon_and_arguments_are_those_of_the_pair(catalog, release, daemon):
    row = choose_row(catalog, release).row
    assert row["daemon"]["tag"] == daemon
    assert row["daemon"]["args"] == ["--num_hops=2"]


def test_the_settings_are_those_of_the_release_but_for_a_log_that_names_the_transport(catalog):
    row = choose_row(catalog).row
    stated = {one["name"]: one["value"] for one in variables(catalog, row, NETWORKS)["env"]}
    assert stated["NCCL_PROTO"] == "Simple,LL128"  # enforced by the plugin's configuration checker
    assert "NCCL_ALGO" not in stated
    assert stated == {one["name"]: one["value"] for one in row["env"]} | {"NCCL_DEBUG": "INFO"}


def test_exactly_eight_networks_are_attached(catalog):
    with pytest.raises(InvalidInput) as caught:
        variables(catalog, choose_row(catalog).row, ("vpc1", "vpc2"))
    assert caught.value.findings[0].message == "TCPXO needs exactly 8 networks, and is given 2"
