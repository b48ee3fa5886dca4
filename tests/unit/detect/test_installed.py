"""Requirements on the installed plugin. Source: NVIDIA/cluster-readiness-engine, GCP H100 clusters; pkg/catalog/tcpxo.go."""

import pytest

from bundler.certify.tcpxo import choose_installed
from bundler.detect.installed import PODS, detect_installed, plugin_tag
from bundler.detect.nodes import nodes_of
from bundler.model.finding import Severity
from tests.unit.detect.kit import forbidden, installer, node, recorded, sample, snapshot_of

IMAGE = "us-docker.pkg.dev/gce-ai-infra/gpudirect-tcpxo/nccl-plugin-gpudirecttcpx-dev"
DIGEST = "sha256:4c9f0de3f39455a2ea35e844e0fc92564ca5629f6b03250fde40e8160719dae4"
FIRST = "; rendering the images for v1.0.15, the minimum supported release and the one that bundles pin"


def found(*pods, names="ab", **more):
    return detect_installed([node(name) for name in names], snapshot_of(*pods, empty=["pods"], **more))


@pytest.mark.parametrize(
    ("image", "tag"),
    [
        ("registry.local:5000/mirror/nccl-plugin-gpudirecttcpx-dev:v1.0.16", "v1.0.16"),  # by the last path segment
        (f"{IMAGE}:v1.0.15@{DIGEST}", "v1.0.15"),  # the digest is cut off
        (f"{IMAGE}@{DIGEST}", ""),
        (IMAGE, ""),
        ("nccl-plugin-gpudirecttcpx-dev:v1.0.15", "v1.0.15"),
        ("us-docker.pkg.dev/gce-ai-infra/gpudirect-tcpxo/tcpgpudmarxd-dev:v1.0.21", None),
        ("us-docker.pkg.dev/nccl-plugin-gpudirecttcpx-dev/other:v1.0.15", None),
        ("", None),
    ],
)
def test_the_plugin_is_recognised_by_the_last_path_segment_of_its_image(image, tag):
    assert plugin_tag(image) == tag


@pytest.mark.parametrize(
    ("tags", "release"),
    [
        (("v1.0.15", "v1.0.15"), "v1.0.15"),
        (("v1.0.17-1", "v1.0.17-1"), "v1.0.17"),  # a rebuild of the same release
        (("v1.0.17", "v1.0.17-1"), "v1.0.17"),  # caught in the middle of a rollout, and yet one release
    ],
)
def test_nodes_that_agree_on_a_release_have_it(tags, release):
    assert found(*(installer(name, f"{IMAGE}:{tag}") for name, tag in zip("ab", tags, strict=True))).release == release


def test_a_plugin_of_the_main_container_counts_too():
    assert found(installer("a", f"{IMAGE}:v1.0.16", part="containers"), names="a").release == "v1.0.16"


@pytest.mark.parametrize("tags", [("v1.0.15", "v1.0.17"), ("v1.0.17", "v1.0.15")])
def test_two_installers_on_one_node_that_disagree_prove_no_release(tags):
    installed = found(*(installer("a", f"{IMAGE}:{tag}") for tag in tags), names="a")
    reason = 'found different plugin versions across the target nodes ("v1.0.15", "v1.0.17")'
    assert (installed.release, installed.reason, installed.tags) == (None, reason, ("v1.0.15", "v1.0.17"))


def test_installers_of_other_nodes_do_not_count():
    pods = [installer("a", f"{IMAGE}:v1.0.16"), installer("elsewhere", f"{IMAGE}:v1.0.17")]
    assert found(*pods, names="a").release == "v1.0.16"


@pytest.mark.parametrize(
    ("pods", "reason"),
    [
        ([], "found no running nccl-tcpxo-installer pod (image nccl-plugin-gpudirecttcpx-dev) on 2 of 2 target nodes: a, b"),
        (
            [installer("a", f"{IMAGE}:v1.0.15"), installer("b", f"{IMAGE}:v1.0.15", phase="Pending")],
            "found no running nccl-tcpxo-installer pod (image nccl-plugin-gpudirecttcpx-dev) on 1 of 2 target nodes: b",
        ),
        (
            [installer("a", f"{IMAGE}:v1.0.15"), installer("b", f"{IMAGE}:v1.0.15", deleted=True)],
            "found no running nccl-tcpxo-installer pod (image nccl-plugin-gpudirecttcpx-dev) on 1 of 2 target nodes: b",
        ),
        (
            [installer("a", f"{IMAGE}:v1.0.15"), installer("b", f"{IMAGE}:v1.0.15", namespace="team-a")],
            "found no running nccl-tcpxo-installer pod (image nccl-plugin-gpudirecttcpx-dev) on 1 of 2 target nodes: b",
        ),
        (
            [installer("a", f"{IMAGE}:v1.0.15"), installer("b", f"{IMAGE}:v1.0.17")],
            'found different plugin versions across the target nodes ("v1.0.15", "v1.0.17")',
        ),
        (
            [installer("a", f"{IMAGE}@{DIGEST}"), installer("b", f"{IMAGE}:v1.0.17")],
            'found different plugin versions across the target nodes ("untagged", "v1.0.17")',
        ),
        (
            [installer("a", f"{IMAGE}:latest"), installer("b", f"{IMAGE}:latest")],
            'found plugin tag "latest", which is not a release version',
        ),
        (
            [installer("a", f"{IMAGE}:v1.0.18rc1"), installer("b", f"{IMAGE}:v1.0.18rc1")],
            'found plugin tag "v1.0.18rc1", which is not a release version',
        ),
        (
            [installer("a", f"{IMAGE}@{DIGEST}"), installer("b", f"{IMAGE}@{DIGEST}")],
            "found nccl-plugin-gpudirecttcpx-dev with no version tag",
        ),
    ],
)
def test_without_one_release_on_every_node_the_first_row_is_rendered_with_a_warning(catalog, pods, reason):
    installed = found(*pods)
    assert (installed.release, installed.reason) == (None, reason)
    choice = choose_installed(catalog, installed)
    (note,) = choice.notes
    assert (choice.row["name"], choice.exact) == ("v1.0.15", False)
    assert (note.rule, note.severity, note.message) == ("AICR-R018", Severity.WARNING, f"TCPXOPluginDetection: {reason}{FIRST}")
    assert note.fix == "if the plugin is v1.0.17 or later, set categories[].options.image to a CUDA 13 image"


def test_at_most_five_nodes_are_named():
    reason = found(names="abcdefg").reason
    assert reason.endswith("on 7 of 7 target nodes: a, b, c, d, e, and 2 more")


def test_pods_that_cannot_be_listed_prove_nothing(catalog):
    installed = detect_installed([node("a")], snapshot_of(gaps=[forbidden(PODS)]))
    (note,) = choose_installed(catalog, installed).notes
    assert note.message == f"TCPXOPluginDetection: could not list kube-system pods (403 Forbidden){FIRST}"


def test_a_target_without_nodes_proves_nothing():
    assert found(names="").reason == "had no target nodes to read"


@pytest.mark.parametrize(
    ("release", "row", "message"),
    [
        (
            "v1.0.16",
            "v1.0.16",
            "Auto-detected TCPXO plugin v1.0.16 on every target node; rendering nvcr.io/nvidia/pytorch:25.06-py3",
        ),
        (
            "v1.0.17",
            "v1.0.17",
            (
                "Auto-detected TCPXO plugin v1.0.17 on every target node; "
                "rendering nvcr.io/nvidia/pytorch:26.01-py3, nvcr.io/nvidia/pytorch:25.08-py3"
            ),
        ),
        (
            "v1.0.14",
            "v1.0.15",
            (
                "TCPXOPluginDetection: found plugin v1.0.14, older than the minimum supported release v1.0.15; "
                "rendering the v1.0.15 images"
            ),
        ),
        (
            "v1.1.0",
            "v1.0.17",
            (
                "TCPXOPluginDetection: found plugin v1.1.0, newer than the latest mapped release v1.0.17; "
                "rendering the v1.0.17 images "
                "(nvcr.io/nvidia/pytorch:26.01-py3, nvcr.io/nvidia/pytorch:25.08-py3), which are not validated against v1.1.0"
            ),
        ),
    ],
)
def test_a_release_gets_its_row_or_the_nearest_safe_one(catalog, release, row, message):
    choice = choose_installed(catalog, found(*(installer(name, f"{IMAGE}:{release}") for name in "ab")))
    assert choice.row["name"] == row
    assert [note.message for note in choice.notes] == [message]


def test_recorded_installers_on_the_recorded_nodes_run_the_release_that_bundles_pin():
    nodes = nodes_of(sample("01"))
    assert detect_installed(nodes, sample("04")).release == "v1.0.15"


def test_a_recorded_rollout_from_a_mirror_is_one_release_and_a_digest_alone_is_none():
    at = {"r111": "v1.0.17", "r222": "v1.0.17", "r333": None}
    nodes = {name: node(f"gke-demo-gpu-pool-5e6f7a80-{name}") for name in at}
    assert {name: detect_installed([each], sample("04")).release for name, each in nodes.items()} == at
    assert detect_installed([nodes["r111"], nodes["r222"]], sample("04")).release == "v1.0.17"


def test_a_worker_pod_is_no_installer():
    assert detect_installed(nodes_of(sample("01")), snapshot_of(*recorded("05"))).tags == ()
