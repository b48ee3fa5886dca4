"""A fixture from elsewhere, in upstream's form: its known divergences and no others, and what cannot be compared is said.

The facts are those of NVIDIA/aicr issues 2217 and 2296: plugin v1.0.15 with daemon v1.0.20, `--num_nics`, a tag without digest,
settings sourced from the profile script, and settings that only the benchmark had.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from bundler.catalog.manifests import read_objects
from bundler.guard.guard import Pair, hold
from bundler.guard.side import Role
from bundler.model.finding import Severity
from tests.unit.guard.kit import TCPXO, case

FILE = Path(__file__).parent / "foreign/h100-gke.yaml"
ENV = "spec/containers/node/env"
DAEMON = "spec/initContainers/tcpxo-daemon"
REPOSITORY = "us-docker.pkg.dev/gce-ai-infra/gpudirect-tcpxo/tcpgpudmarxd-dev"


@pytest.fixture(scope="module")
def verdict():
    (fixture,) = read_objects(FILE)
    pair = case(TCPXO).pair
    # Upstream adds the placement when it applies the fixture; here neither side has any.
    runtime = read_runtime_without_placement(pair.runtime)
    return hold(Pair(runtime=runtime, fixture=fixture, names=pair.names), case(TCPXO).contract, case(TCPXO).context)


def read_runtime_without_placement(runtime):
    data = case(TCPXO).data(Role.RUNTIME)
    pod = data["spec"]["template"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]
    for field in ("nodeSelector", "tolerations"):
        del pod["spec"][field]
    return replace(runtime, data=data)


def errors(verdict):
    return {finding.message.partition(": ")[0] for finding in verdict.findings if finding.severity is Severity.ERROR}


SCRIPT = '"set -ex\\nchmod 755 {entry}\\n{entry} {flags}\\n"'.replace("{entry}", "/fts/entrypoint_rxdm_container.sh")
PATHS = "/usr/lib/x86_64-linux-gnu:/usr/local/nvidia/lib64"


def test_has_exactly_its_known_divergences(verdict):
    ours, theirs = (SCRIPT.replace("{flags}", flags) for flags in ("--num_hops=2", "--num_hops=2 --num_nics ${GPU_COUNT_PER_NODE}"))
    assert errors(verdict) == {
        # Daemon of the release before.
        f"{DAEMON}/image is '{REPOSITORY}:v1.0.21' in the runtime and '{REPOSITORY}:v1.0.20' in the fixture",
        # By tag only.
        f"{DAEMON}/image is pinned by digest in the runtime; in the fixture it is '{REPOSITORY}:v1.0.20', and a tag can move",
        # A flag that v1.0.20 retired.
        f"{DAEMON}/args is {ours} in the runtime and {theirs} in the fixture",
        f"{DAEMON}/imagePullPolicy stands in the fixture and not in the runtime",
        # What only the launcher sets.
        f"{ENV}/NCCL_DYNAMIC_CHUNK_SIZE stands in the fixture and not in the runtime",
        f"{ENV}/CUDA_DEVICE_MAX_CONNECTIONS stands in the fixture and not in the runtime",
        f"{ENV}/UCX_NET_DEVICES stands in the fixture and not in the runtime",
        f'{ENV}/LD_LIBRARY_PATH/value is "{PATHS}:/usr/local/cuda/lib64" in the runtime and "{PATHS}" in the fixture',
    }
    assert verdict.diverges


@pytest.mark.parametrize(
    ("field", "reason", "fix"),
    [
        (
            f"{DAEMON}/image is '",
            f"image '{REPOSITORY}:v1.0.20' is not the one of release v1.0.15, v1.0.21",
            "in the fixture, take tag and digest from the release record",
        ),
        (
            f"{DAEMON}/args",
            "the daemon of release v1.0.15 no longer knows --num_nics",
            "in the fixture, remove --num_nics from its command",
        ),
        (
            f"{ENV}/NCCL_DYNAMIC_CHUNK_SIZE",
            "NCCL_DYNAMIC_CHUNK_SIZE is no variable of release v1.0.15",
            "in the fixture, remove it, or set it in the TrainJob that needs it",
        ),
    ],
)
def test_says_which_side_the_release_puts_in_the_wrong(verdict, field, reason, fix):
    (finding,) = [finding for finding in verdict.findings if finding.message.startswith(field)]
    assert finding.message.endswith(f": {reason}")
    assert finding.fix == fix


def test_what_cannot_be_compared_is_said(verdict):
    notes = [finding.message for finding in verdict.findings if finding.severity is Severity.NOTE]
    filled = "cannot be compared: its value is filled in when the fixture is applied"
    assert notes[:4] == [
        f"metadata/annotations/devices.gke.io/container.tcpxo-daemon {filled}",
        f"metadata/annotations/networking.gke.io/interfaces {filled}",
        f"spec/containers/node/resources/requests/nvidia.com/gpu {filled}",
        f"spec/containers/node/resources/limits/nvidia.com/gpu {filled}",
    ]
    assert len(notes) == 5
    script = "/usr/local/nvidia/lib64/nccl-env-profile.sh"
    assert notes[4].startswith(f"23 settings cannot be compared, which the fixture takes from {script}: NCCL_FASTRAK_CTRL_DEV, ")


def test_every_finding_points_at_both_files(verdict):
    for finding in verdict.findings:
        assert finding.location.file == str(FILE)
        assert finding.location.line > 1
        assert [place.subject for place in finding.related] == ["ClusterTrainingRuntime/torch-distributed-tcpxo"]


def test_the_two_are_not_called_equal(verdict):
    assert verdict.digests[Role.RUNTIME] != verdict.digests[Role.FIXTURE]
