"""Requirements on the TCPXO row. Source: pkg/catalog/tcpxo.go and the documentation of platform detection."""

from pathlib import Path

import pytest

from bundler.catalog.catalog import Catalog
from bundler.certify.tcpxo import choose_row, variables
from bundler.detect.gke_networks import DEFAULTS as NETWORKS
from bundler.detect.installed import release_of
from bundler.errors import InvalidInput

# entries/_lib/nccl/gcp-h100-fastrak-env.yaml of NVIDIA/cluster-readiness-engine, with two values that its documentation corrects.
FASTRAK = (
    "CUDA_DEVICE_MAX_CONNECTIONS=1",
    "NCCL_DEBUG=INFO",
    "LD_LIBRARY_PATH=/usr/lib/x86_64-linux-gnu:/usr/local/nvidia/lib64",
    "NCCL_FASTRAK_IFNAME=eth1,eth2,eth3,eth4,eth5,eth6,eth7,eth8",
    "NCCL_FASTRAK_CTRL_DEV=eth0",
    "NCCL_SOCKET_IFNAME=eth0",
    "NCCL_CROSS_NIC=0",
    "NCCL_PROTO=Simple,LL128",
    "NCCL_MIN_NCHANNELS=4",
    "NCCL_P2P_NET_CHUNKSIZE=524288",
    "NCCL_P2P_PCI_CHUNKSIZE=524288",
    "NCCL_P2P_NVL_CHUNKSIZE=1048576",
    "NCCL_FASTRAK_NUM_FLOWS=2",
    "NCCL_FASTRAK_ENABLE_CONTROL_CHANNEL=0",
    "NCCL_BUFFSIZE=8388608",
    "NCCL_FASTRAK_USE_SNAP=1",
    "NCCL_FASTRAK_USE_LLCM=1",
    "NCCL_NET_GDR_LEVEL=PIX",
    "NCCL_FASTRAK_ENABLE_HOTPATH_LOGGING=0",
    "NCCL_TUNER_PLUGIN=libnccl-tuner.so",
    "NCCL_TUNER_CONFIG_PATH=/usr/local/nvidia/lib64/a3plus_tuner_config.textproto",
    "NCCL_SHIMNET_GUEST_CONFIG_CHECKER_CONFIG_FILE=/usr/local/nvidia/lib64/a3plus_guest_config.textproto",
    "NCCL_FASTRAK_PLUGIN_ACCEPT_TIMEOUT_MS=600000",
    "NCCL_DYNAMIC_CHUNK_SIZE=524288",
    "NCCL_FASTRAK_LLCM_DEVICE_DIRECTORY=/dev/aperture_devices",
    "NCCL_NVLS_ENABLE=0",
    "NCCL_CUMEM_ENABLE=1",
    "NCCL_NET_GDR_C2C=1",
)
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
        (
            "v1.1.0",
            "v1.0.17",
            False,
            "(nvcr.io/nvidia/pytorch:26.01-py3, nvcr.io/nvidia/pytorch:25.08-py3), which are not validated against v1.1.0",
        ),
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
