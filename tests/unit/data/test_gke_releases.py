"""Facts of the TCPX and gIB releases and of GKE's machines.

Sources: GoogleCloudPlatform/container-engine-accelerators gpudirect-tcpx and gpudirect-rdma; docs.cloud.google.com on A4X and on
managed DRANET; NVIDIA/aicr docs/user/container-images.md (the digest).
"""

import pytest

from bundler.catalog.catalog import Catalog

CATALOG = Catalog.load()
TCPX = CATALOG.release_table("tcpx").data
GIB = CATALOG.release_table("gib").data
HOST = "us-docker.pkg.dev/gce-ai-infra"
MACHINES = {row["name"]: row for row in CATALOG.machine_table("gke").data["machines"]}


def settings(row):
    return {each["name"]: each["value"] for each in row["env"]}


@pytest.mark.parametrize(
    ("index", "plugin", "daemon", "date", "qualified", "algorithms", "floor"),
    [
        # The release notes state settings of these two pairs only; the floors of the older one are the Cluster Toolkit's.
        (
            *(0, "v3.1.9", "v2.0.12", "2024-02-15", "2.19.3", "Ring"),
            {"1.27": "1.27.16-gke.2874000", "1.28": "1.28.15-gke.3163000", "1.29": "1.29.15-gke.2467000"},
        ),
        (1, "v3.1.12", "v2.0.15", "2026-06-22", "2.19.4", "Ring,Tree", {}),
    ],
)
def test_a_tcpx_release_is_one_pair(*, index, plugin, daemon, date, qualified, algorithms, floor):
    row = TCPX["releases"][index]
    assert (row["name"], row["plugin"]["tag"], row["daemon"]["tag"], row["date"]) == (plugin, plugin, daemon, date)
    assert row["plugin"]["repository"] == f"{HOST}/gpudirect-tcpx/nccl-plugin-gpudirecttcpx-dev"
    assert row["daemon"]["repository"] == f"{HOST}/gpudirect-tcpx/tcpgpudmarxd-dev"
    assert row["nccl"] == {"default": "2.19", "qualified": qualified}
    assert row["gkeFloor"] == floor
    assert settings(row)["NCCL_ALGO"] == algorithms


def test_the_newest_tcpx_release_is_the_default():
    assert TCPX["default"] == "v3.1.12" == TCPX["releases"][-1]["name"]


@pytest.mark.parametrize("row", TCPX["releases"], ids=lambda row: row["name"])
def test_the_settings_of_tcpx_are_those_of_the_notes_in_their_order(row):
    assert list(settings(row).items()) == [
        ("NCCL_SOCKET_IFNAME", "eth0"),
        ("NCCL_ALGO", settings(row)["NCCL_ALGO"]),
        ("NCCL_PROTO", "Simple"),
        ("NCCL_CROSS_NIC", "0"),
        ("NCCL_NET_GDR_LEVEL", "PIX"),
        ("NCCL_P2P_PXN_LEVEL", "0"),
        ("NCCL_GPUDIRECTTCPX_SOCKET_IFNAME", "eth1,eth2,eth3,eth4"),
        ("NCCL_GPUDIRECTTCPX_CTRL_DEV", "eth0"),
        ("NCCL_DYNAMIC_CHUNK_SIZE", "524288"),
        ("NCCL_P2P_NET_CHUNKSIZE", "524288"),
        ("NCCL_P2P_PCI_CHUNKSIZE", "524288"),
        ("NCCL_P2P_NVL_CHUNKSIZE", "1048576"),
        ("NCCL_BUFFSIZE", "4194304"),
        ("NCCL_NSOCKS_PERTHREAD", "4"),
        ("NCCL_SOCKET_NTHREADS", "1"),
        ("NCCL_GPUDIRECTTCPX_TX_BINDINGS", "eth1:8-21,112-125;eth2:8-21,112-125;eth3:60-73,164-177;eth4:60-73,164-177"),
        ("NCCL_GPUDIRECTTCPX_RX_BINDINGS", "eth1:22-35,126-139;eth2:22-35,126-139;eth3:74-87,178-191;eth4:74-87,178-191"),
        ("NCCL_GPUDIRECTTCPX_PROGRAM_FLOW_STEERING_WAIT_MICROS", "500000"),
        # On GKE the installer puts the plugin here, not below /usr/local/tcpx as in its own image.
        ("LD_LIBRARY_PATH", "/usr/local/nvidia/lib64"),
    ]


@pytest.mark.parametrize("row", TCPX["releases"], ids=lambda row: row["name"])
def test_the_tcpx_daemon_is_told_where_its_sockets_are(row):
    args = row["daemon"]["args"]
    assert args == ["--gpu_nic_preset", "a3vm", "--gpu_shmem_type", "fd", "--uds_path", "/run/tcpx", "--setup_param", args[-1]]
    assert args[-1] == "--verbose 128 2 0 "


def test_tcpx_is_wired_to_a_daemon_of_its_own():
    assert {key: value for key, value in TCPX["wiring"].items() if key != "excludes"} == {
        "interfacesAnnotation": "networking.gke.io/interfaces",
        "devicesAnnotation": "devices.gke.io/container.tcpx-daemon",
        "interfaceEnv": "NCCL_GPUDIRECTTCPX_SOCKET_IFNAME",
        "primary": {"interfaceName": "eth0", "network": "default"},
        "sidecar": "tcpx-daemon",
    }


def test_the_tcpx_daemon_gets_ten_devices_and_no_import_helper():
    expected = [*(f"/dev/nvidia{number}" for number in range(8)), "/dev/nvidiactl", "/dev/nvidia-uvm"]
    assert TCPX["devices"] == expected


@pytest.mark.parametrize(
    ("index", "amd64", "arm64", "digest"),
    [
        (0, "v1.1.0", "v1.1.0", None),
        (1, "v1.1.1", "v1.1.0", None),  # when the one manifest moved, the other did not
        (2, "v1.1.2", "v1.1.2", "sha256:6b7950cac6e6833661d4206920f5633b6e361b18bfd5315b63f9bf4a4b84a80e"),
    ],
)
def test_a_gib_release_has_an_image_for_each_architecture(*, index, amd64, arm64, digest):
    row = GIB["releases"][index]
    assert row["name"] == amd64
    assert row["plugin"] == {"repository": f"{HOST}/gpudirect-gib/nccl-plugin-gib", "tag": amd64}
    pinned = {"digest": digest} if digest else {}
    assert row["pluginArm64"] == {"repository": f"{HOST}/gpudirect-gib/nccl-plugin-gib-arm64", "tag": arm64} | pinned


def test_the_newest_gib_release_is_the_default():
    assert GIB["default"] == "v1.1.2" == GIB["releases"][-1]["name"]


@pytest.mark.parametrize("row", GIB["releases"], ids=lambda row: row["name"])
def test_a_release_of_gib_selects_the_plugin_by_name_and_finds_it(row):
    assert settings(row) == {
        "NCCL_NET": "gIB",
        "NCCL_SOCKET_IFNAME": "eth0",
        "LD_LIBRARY_PATH": "/usr/local/gib/lib64:/usr/local/nvidia/lib64",
    }


PUBLISHED = {
    # GoogleCloudPlatform/PerfKitBenchmarker with the image of gIB v1.1.0 (A4); the guide to verl on GKE (A4 and A3 Ultra).
    "NCCL_CROSS_NIC": "0",
    "NCCL_NET_GDR_LEVEL": "PIX",
    "NCCL_P2P_NET_CHUNKSIZE": "131072",
    "NCCL_NVLS_CHUNKSIZE": "524288",
    "NCCL_IB_ADAPTIVE_ROUTING": "1",
    "NCCL_IB_QPS_PER_CONNECTION": "4",
    "NCCL_IB_TC": "52",
    "NCCL_IB_FIFO_TC": "84",
}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a3u", PUBLISHED | {"NCCL_TUNER_CONFIG_PATH": "/usr/local/gib/configs/tuner_config_a3u.txtpb"}),
        ("a4", PUBLISHED | {"NCCL_TUNER_CONFIG_PATH": "/usr/local/gib/configs/tuner_config_a4.txtpb"}),
        # No list is published for A4X. Its NVLink reaches other nodes, which fails without an IMEX channel.
        ("a4x", {"NCCL_TUNER_PLUGIN": "none", "NCCL_MNNVL_ENABLE": "0"}),
        ("a4x-nvls", {"NCCL_TUNER_PLUGIN": "none"}),
    ],
)
def test_what_the_profile_script_adds_depends_on_the_machine(name, expected):
    assert {each["name"]: each["value"] for each in CATALOG.fragment("gib-tuning")[name]} == expected


def test_the_tuner_of_gib_has_a_file_or_stays_out():
    # It loads by itself, and ends NCCL's start when NCCL_TUNER_CONFIG_PATH names no file.
    for tuning in CATALOG.fragment("gib-tuning").values():
        assert {each["name"] for each in tuning} & {"NCCL_TUNER_CONFIG_PATH", "NCCL_TUNER_PLUGIN"}


@pytest.mark.parametrize(
    ("name", "accelerator", "gpus", "arch", "rails", "nics"),
    [
        ("a2-highgpu-1g", "a100", 1, "amd64", None, None),
        ("a2-highgpu-8g", "a100", 8, "amd64", None, None),
        ("a2-megagpu-16g", "a100", 16, "amd64", None, None),
        ("a2-ultragpu-8g", "a100", 8, "amd64", None, None),
        ("a3-highgpu-4g", "h100", 4, "amd64", None, None),
        ("a3-highgpu-8g", "h100", 8, "amd64", (1, 4), None),
        ("a3-megagpu-8g", "h100", 8, "amd64", (1, 8), None),
        ("a3-ultragpu-8g", "h200", 8, "amd64", (2, 9), 8),
        ("a4-highgpu-8g", "b200", 8, "amd64", (2, 9), 8),
        ("a4x-highgpu-4g", "gb200", 4, "arm64", (2, 5), 4),
        ("a4x-highgpu-4g-nolssd", "gb200", 4, "arm64", (2, 5), 4),
    ],
)
def test_a_machine_has_these_gpus_and_rails(*, name, accelerator, gpus, arch, rails, nics):
    row = MACHINES[name]
    assert (row["accelerator"], row["gpus"], row["arch"], row.get("rdmaNics")) == (accelerator, gpus, arch, nics)
    assert row.get("interfaces") == (None if rails is None else [f"eth{number}" for number in range(rails[0], rails[1] + 1)])


@pytest.mark.parametrize("row", MACHINES.values(), ids=lambda row: row["name"])
def test_the_number_of_gpus_stands_in_a_machines_name(row):
    assert row["name"].removesuffix("-nolssd").endswith(f"-{row['gpus']}g")


def test_a_machine_with_rdma_nics_has_a_rail_for_each_and_settings():
    for row in MACHINES.values():
        if "rdmaNics" in row:
            assert len(row["interfaces"]) == row["rdmaNics"]
            assert row["gibTuning"] in CATALOG.fragment("gib-tuning")
