"""Facts of the TCPXO releases.

Sources: README of GoogleCloudPlatform/container-engine-accelerators gpudirect-tcpxo (dates, images, NCCL, settings); tags of
google/nccl-plugin-gpudirect-tcpxo (CUDA, driver, the profile script); NVIDIA/aicr (digests, what an unprivileged worker needs).
"""

import pytest

from bundler.catalog.catalog import Catalog

CATALOG = Catalog.load()
TABLE = CATALOG.release_table("tcpxo").data
ROWS = {row["name"]: row for row in TABLE["releases"]}
HOST = "us-docker.pkg.dev/gce-ai-infra/gpudirect-tcpxo"
README = {"v1.0.13", "v1.0.16", "v1.0.17"} ^ ROWS.keys()

PAIRS = [
    ("v1.0.0", "v1.0.6-sctp", "2024-04-17", None, 12, None),
    ("v1.0.1", "v1.0.8", "2024-05-20", ("2.21.5", "2.21.5"), 12, None),
    ("v1.0.2", "v1.0.8", "2024-05-30", ("2.21.5", "2.21.5"), 12, None),
    ("v1.0.3", "v1.0.09", "2024-06-27", ("2.21.5", "2.21.5"), 12, None),
    ("v1.0.4", "v1.0.10", "2024-08-06", ("2.21.5", "2.21.5"), 12, None),
    ("v1.0.5", "v1.0.11", "2024-09-19", ("2.21.5", "2.21.5"), 12, None),
    ("v1.0.6", "v1.0.12", "2024-10-18", ("2.21.5", "2.21.5"), 12, None),
    ("v1.0.7", "v1.0.13_1", "2024-11-27", ("2.21.5", "2.21.5"), 12, None),
    ("v1.0.8-1", "v1.0.14", "2025-02-06", ("2.23", "2.21.5-2.23.4"), 12, None),
    ("v1.0.9-1", "v1.0.15", "2025-05-01", ("2.23", "2.21.5-2.23.4"), 12, None),
    ("v1.0.11", "v1.0.17", "2025-06-27", ("2.23", "2.23.4"), 12, None),
    ("v1.0.12", "v1.0.18", "2025-08-21", ("2.26", "2.26.5"), 12, "570.133.20"),
    ("v1.0.13", "v1.0.19", None, ("2.28.3-1", "2.28.3-1"), 12, "570.133.20"),
    ("v1.0.14", "v1.0.20", "2025-11-19", ("2.28", "2.28.7-1"), 12, "580.65.06"),
    ("v1.0.15", "v1.0.21", "2026-01-09", ("2.28", "2.28.7-1"), 12, "580.95.05"),
    ("v1.0.16", "v1.0.22", "2026-04-30", ("2.28.7-1", "2.28.7-1"), 12, "580.65.06"),
    ("v1.0.17", "v1.0.23", "2026-06-26", ("2.28.7-1", "2.28.7-1"), 13, "595.71.05"),
]


def settings(row, *sources):
    return {each["name"]: each["value"] for each in ROWS[row]["env"] if not sources or each["source"] in sources}


def test_every_release_is_there_oldest_first():
    assert list(ROWS) == [plugin for plugin, *_ in PAIRS]
    assert len(TABLE["releases"]) == len(ROWS)
    assert TABLE["default"] == "v1.0.15"


@pytest.mark.parametrize(("plugin", "daemon", "date", "nccl", "cuda", "driver"), PAIRS)
def test_what_belongs_together(*, plugin, daemon, date, nccl, cuda, driver):
    row = ROWS[plugin]
    assert (row["plugin"]["tag"], row["daemon"]["tag"]) == (plugin, daemon)
    # The repository says tcpxo and the image's name tcpx: not a typing error.
    assert row["plugin"]["repository"] == f"{HOST}/nccl-plugin-gpudirecttcpx-dev"
    assert row["daemon"]["repository"] == f"{HOST}/tcpgpudmarxd-dev"
    assert row.get("date") == date
    assert row.get("nccl") == (nccl and {"default": nccl[0], "qualified": nccl[1]})
    assert row["cuda"]["major"] == cuda
    assert row.get("driver") == driver
    assert row["source"].startswith("https://github.com/")


def test_only_one_pair_has_published_digests():
    digests = {name: (row["plugin"].get("digest"), row["daemon"].get("digest")) for name, row in ROWS.items()}
    assert {name: pair for name, pair in digests.items() if any(pair)} == {
        "v1.0.15": (
            "sha256:4c9f0de3f39455a2ea35e844e0fc92564ca5629f6b03250fde40e8160719dae4",
            "sha256:8d9e10fd589a34ab8a0aa64f7e70ad075c8f1c69bea176350f8d211367697e3d",
        )
    }


@pytest.mark.parametrize(
    ("rows", "args", "retired"),
    [
        (
            ("v1.0.0", "v1.0.7", "v1.0.8-1", "v1.0.9-1", "v1.0.11"),
            ["--num_hops=2", "--num_nics=8", "--uid=", "--alsologtostderr"],
            [],
        ),
        (("v1.0.12", "v1.0.13"), ["--num_hops=2", "--num_nics=8"], ["--uid", "--alsologtostderr"]),
        (("v1.0.14", "v1.0.15", "v1.0.16", "v1.0.17"), ["--num_hops=2"], ["--uid", "--alsologtostderr", "--num_nics"]),
    ],
)
def test_a_daemon_gets_the_arguments_that_it_still_takes(rows, args, retired):
    for row in rows:
        assert ROWS[row]["daemon"]["args"] == args
        assert ROWS[row]["retiredFlags"] == retired


@pytest.mark.parametrize("row", ROWS)
def test_no_daemon_gets_a_retired_flag(row):
    given = {argument.partition("=")[0] for argument in ROWS[row]["daemon"]["args"]}
    assert not given & set(ROWS[row]["retiredFlags"])


@pytest.mark.parametrize(
    ("row", "count"),
    [
        *(("v1.0.0", 19), ("v1.0.1", 21), ("v1.0.2", 23), ("v1.0.3", 24), ("v1.0.4", 24), ("v1.0.5", 26), ("v1.0.6", 26)),
        *(("v1.0.7", 26), ("v1.0.8-1", 26), ("v1.0.9-1", 24), ("v1.0.11", 24), ("v1.0.12", 23), ("v1.0.14", 25), ("v1.0.15", 25)),
    ],
)
def test_the_release_notes_list_this_many_settings(row, count):
    # LD_LIBRARY_PATH, which the older lists have too, stands with what the runtime adds.
    assert len(settings(row, "readme")) == count


def test_releases_without_notes_take_the_profile_script():
    # tcpxo_scripts/nccl-env-profile.sh: 25 exports with LD_LIBRARY_PATH, the same in all tags from v1.0.12 to v1.0.17.
    scripts = [settings(row, "script") for row in ROWS if row not in README]
    assert [len(script) for script in scripts] == [24, 24, 24]
    assert scripts[0] == scripts[1] == scripts[2]
    assert settings("v1.0.15", "readme").items() - scripts[0].items() == {("NCCL_NVLS_ENABLE", "1")}


@pytest.mark.parametrize("row", ROWS)
def test_no_setting_stands_twice(row):
    assert len({each["name"] for each in ROWS[row]["env"]}) == len(ROWS[row]["env"])


@pytest.mark.parametrize("row", ROWS)
def test_an_unprivileged_worker_gets_two_settings_more(row):
    # NVIDIA/aicr torch-distributed-tcpxo: the aperture directory without a trailing slash, the loader path of its image.
    assert settings(row, "runtime") == {
        "NCCL_FASTRAK_LLCM_DEVICE_DIRECTORY": "/dev/aperture_devices",
        "LD_LIBRARY_PATH": "/usr/lib/x86_64-linux-gnu:/usr/local/nvidia/lib64:/usr/local/cuda/lib64",
    }


def first(name, value=None):
    """The releases that have a setting (with that value), as first and last."""
    having = [row for row in ROWS if row in README and name in settings(row) and value in {None, settings(row)[name]}]
    return having[0], having[-1]


@pytest.mark.parametrize(
    ("name", "value", "span"),
    [
        ("NCCL_FASTRAK_IFNAME", "eth1,eth2,eth3,eth4,eth5,eth6,eth7,eth8", ("v1.0.0", "v1.0.15")),
        ("NCCL_PROTO", "Simple", ("v1.0.0", "v1.0.8-1")),
        ("NCCL_PROTO", "Simple,LL128", ("v1.0.9-1", "v1.0.15")),
        ("NCCL_ALGO", "Ring", ("v1.0.0", "v1.0.0")),
        ("NCCL_ALGO", "Ring,Tree", ("v1.0.1", "v1.0.11")),
        ("NCCL_TUNER_PLUGIN", "libnccl-tuner.so", ("v1.0.1", "v1.0.15")),
        ("NCCL_TUNER_CONFIG_PATH", "/usr/local/nvidia/lib64/a3plus_tuner_config.textproto", ("v1.0.3", "v1.0.15")),
        (
            "NCCL_SHIMNET_GUEST_CONFIG_CHECKER_CONFIG_FILE",
            "/usr/local/nvidia/lib64/a3plus_guest_config.textproto",
            ("v1.0.2", "v1.0.15"),
        ),
        ("NCCL_NVLSTREE_MAX_CHUNKSIZE", "131072", ("v1.0.12", "v1.0.15")),
        ("NCCL_DYNAMIC_CHUNK_SIZE", "524288", ("v1.0.0", "v1.0.12")),
        ("NCCL_FASTRAK_PLUGIN_ACCEPT_TIMEOUT_MS", "600000", ("v1.0.2", "v1.0.15")),
        ("NCCL_NVLS_ENABLE", "0", ("v1.0.1", "v1.0.11")),
        ("NCCL_NVLS_ENABLE", "1", ("v1.0.14", "v1.0.15")),
        ("NCCL_DEBUG", "WARN", ("v1.0.5", "v1.0.15")),
    ],
)
def test_a_setting_holds_from_one_release_to_another(name, value, span):
    assert first(name, value) == span


def test_settings_that_were_left_out_for_a_while():
    # CUDA_VISIBLE_DEVICES and NCCL_DEBUG_SUBSYS are not in the notes of v1.0.9-1 to v1.0.12.
    for name in ("CUDA_VISIBLE_DEVICES", "NCCL_DEBUG_SUBSYS"):
        assert not any(name in settings(row) for row in ("v1.0.9-1", "v1.0.11", "v1.0.12"))
        assert all(name in settings(row) for row in ("v1.0.8-1", "v1.0.14", "v1.0.15"))


def test_the_default_release_is_what_upstream_ships_in_the_order_of_the_notes():
    assert list(settings("v1.0.15").items()) == [
        ("NCCL_FASTRAK_CTRL_DEV", "eth0"),
        ("NCCL_FASTRAK_IFNAME", "eth1,eth2,eth3,eth4,eth5,eth6,eth7,eth8"),
        ("NCCL_SOCKET_IFNAME", "eth0"),
        ("NCCL_CROSS_NIC", "0"),
        ("NCCL_PROTO", "Simple,LL128"),
        ("NCCL_MIN_NCHANNELS", "4"),
        ("NCCL_TUNER_PLUGIN", "libnccl-tuner.so"),
        ("NCCL_TUNER_CONFIG_PATH", "/usr/local/nvidia/lib64/a3plus_tuner_config.textproto"),
        ("NCCL_SHIMNET_GUEST_CONFIG_CHECKER_CONFIG_FILE", "/usr/local/nvidia/lib64/a3plus_guest_config.textproto"),
        ("CUDA_VISIBLE_DEVICES", "0,1,2,3,4,5,6,7"),
        ("NCCL_NVLSTREE_MAX_CHUNKSIZE", "131072"),
        ("NCCL_P2P_NET_CHUNKSIZE", "524288"),
        ("NCCL_P2P_PCI_CHUNKSIZE", "524288"),
        ("NCCL_P2P_NVL_CHUNKSIZE", "1048576"),
        ("NCCL_FASTRAK_NUM_FLOWS", "2"),
        ("NCCL_FASTRAK_USE_SNAP", "1"),
        ("NCCL_FASTRAK_PLUGIN_ACCEPT_TIMEOUT_MS", "600000"),
        ("NCCL_FASTRAK_ENABLE_CONTROL_CHANNEL", "0"),
        ("NCCL_BUFFSIZE", "8388608"),
        ("NCCL_NET_GDR_LEVEL", "PIX"),
        ("NCCL_FASTRAK_ENABLE_HOTPATH_LOGGING", "0"),
        ("NCCL_FASTRAK_USE_LLCM", "1"),
        ("NCCL_NVLS_ENABLE", "1"),
        ("NCCL_DEBUG", "WARN"),
        ("NCCL_DEBUG_SUBSYS", "INIT,NET,ENV,COLL,GRAPH"),
        ("NCCL_FASTRAK_LLCM_DEVICE_DIRECTORY", "/dev/aperture_devices"),
        ("LD_LIBRARY_PATH", "/usr/lib/x86_64-linux-gnu:/usr/local/nvidia/lib64:/usr/local/cuda/lib64"),
    ]


ENFORCED = {
    *("NCCL_PROTO", "NCCL_MIN_NCHANNELS", "NCCL_BUFFSIZE", "NCCL_CROSS_NIC", "NCCL_NET_GDR_LEVEL", "NCCL_P2P_NET_CHUNKSIZE"),
    *("NCCL_P2P_PCI_CHUNKSIZE", "NCCL_P2P_NVL_CHUNKSIZE", "NCCL_NVLSTREE_MAX_CHUNKSIZE", "NCCL_FASTRAK_NUM_FLOWS"),
    *("NCCL_FASTRAK_USE_SNAP", "NCCL_FASTRAK_USE_LLCM", "NCCL_FASTRAK_ENABLE_CONTROL_CHANNEL"),
    "NCCL_FASTRAK_ENABLE_HOTPATH_LOGGING",
}


def of_class(row, name):
    return {each["name"] for each in ROWS[row]["env"] if each["class"] == name}


@pytest.mark.parametrize("row", ["v1.0.12", "v1.0.13", "v1.0.14", "v1.0.15", "v1.0.16", "v1.0.17"])
def test_the_checker_aborts_on_fourteen_settings_and_warns_on_two(row):
    assert len(ENFORCED) == 14
    assert of_class(row, "enforced") == ENFORCED
    assert of_class(row, "recommended") == {"NCCL_TUNER_PLUGIN", "NCCL_FASTRAK_PLUGIN_ACCEPT_TIMEOUT_MS"}


def test_older_checkers_are_known_for_three_settings():
    # NVIDIA/aicr #422: PROTO=Simple, ALGO=Ring,Tree and NVLS_ENABLE=0. Before v1.0.2 there is no checker.
    for row in ("v1.0.2", "v1.0.8-1"):
        assert of_class(row, "enforced") == {"NCCL_PROTO", "NCCL_ALGO", "NCCL_NVLS_ENABLE"}
    for row in ("v1.0.0", "v1.0.1"):
        assert of_class(row, "enforced") == set()


@pytest.mark.parametrize(
    ("row", "floor"),
    [
        ("v1.0.0", {"1.28": "1.28.8-gke.1095000", "1.29": "1.29.3-gke.1093000"}),
        ("v1.0.4", {"1.28": "1.28.11-gke.1289000", "1.29": "1.29.6-gke.1254000", "1.30": "1.30.4-gke.1129000"}),
        (
            "v1.0.7",
            {
                "1.28": "1.28.11-gke.1289000",
                "1.29": "1.29.6-gke.1254000",
                "1.30": "1.30.4-gke.1348000",
                "1.31": "1.31.1-gke.2008000",
            },
        ),
        ("v1.0.8-1", {"1.32": "1.31.2-gke.1489001"}),
        ("v1.0.15", {}),
        ("v1.0.17", {"1.33": "1.33.5-gke.1125000"}),
    ],
)
def test_the_gke_versions_that_a_release_states(row, floor):
    assert ROWS[row]["gkeFloor"] == floor


def test_the_wiring_names_one_sidecar():
    assert {key: value for key, value in TABLE["wiring"].items() if key != "excludes"} == {
        "interfacesAnnotation": "networking.gke.io/interfaces",
        "devicesAnnotation": "devices.gke.io/container.tcpxo-daemon",
        "interfaceEnv": "NCCL_FASTRAK_IFNAME",
        "primary": {"interfaceName": "eth0", "network": "default"},
        "sidecar": "tcpxo-daemon",
    }


def test_the_sidecar_gets_eleven_devices():
    # google sample and NRI injector: eight GPUs, the control devices, the dma-buf import helper.
    expected = [*(f"/dev/nvidia{number}" for number in range(8)), "/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/dmabuf_import_helper"]
    assert TABLE["devices"] == expected


def test_there_is_a_worker_image_of_every_cuda_that_a_release_needs():
    for row in ROWS.values():
        assert CATALOG.images[f"torch-cuda{row['cuda']['major']}"]["cudaMajor"] == row["cuda"]["major"]


def test_images_are_pinned_where_a_digest_is_published():
    unpinned = {name for name, image in CATALOG.images.items() if "digest" not in image}
    # The images of certifications are named by tag, as their controller names them.
    certification = {"dcgm", "megatron-cuda13", "nccl-tests-efa-cuda12", "nccl-tests-roce"}
    assert unpinned == {"cos-nvidia-installer", "nccl-tests-cuda13", "torch-cuda13"} | certification
    # The node brings it: no registry has it, and no digest can be known.
    assert CATALOG.images["cos-nvidia-installer"]["preloaded"] is True
