"""Row I4, the guard's half: plugin and daemon are a pair of the matrix, in the runtime, in the fixture and in the installer."""

from dataclasses import replace

import pytest

from bundler import pipeline
from bundler.audit import measured
from bundler.conform.context import Context
from bundler.guard.contract import Contract
from bundler.guard.guard import hold, pairs
from bundler.model.request import Request
from bundler.publish.write import write
from bundler.render.render import render_resources
from tests.unit.guard.kit import catalog

RELEASES = [row["name"] for row in catalog().release_table("tcpxo").data["releases"]]
INSTALLER = "components/gke-nccl-tcpxo/templates/daemonset-nccl-tcpxo-installer.yaml"
FIXTURE = "validators/trainingruntime-nccl-all-reduce-tcpxo.yaml"
DAEMON = "spec/initContainers/tcpxo-daemon"
RUNTIME = "runtimes/clustertrainingruntime-torch-distributed-tcpxo.yaml"


def request(**parameters):
    interfaces = {f"eth{number}": f"net-{number}" for number in range(1, 9)}
    return Request(
        recipe="h100-gke-cos-training-kubeflow",
        profiles={"gpuStack": "gke-default", "fabricAttachment": "gke-tcpxo-multinetwork"},
        parameters={"fabricAttachment": {"interfaces": interfaces, **parameters}},
    )


def rendered(release):
    composition = pipeline.compose(catalog(), request(release=release))
    resources = render_resources(catalog(), composition)
    return next(pairs(resources, composition)), Context.of(resources, composition, catalog())


@pytest.mark.parametrize("release", RELEASES)
def test_i4_each_release_is_measured_with_its_own_pair(release):
    (only,) = measured.of_request(catalog(), request(release=release)).verdicts
    assert only[1].findings == ()


@pytest.mark.parametrize("release", [name for name in RELEASES if name != "v1.0.15"])
def test_i4_a_fixture_of_another_release_is_told_to_take_the_pair_of_this_one(release):
    ours, context = rendered("v1.0.15")
    theirs, _ = rendered(release)
    verdict = hold(replace(ours, fixture=theirs.fixture), catalog().derived(Contract.of), context)
    (image,) = (
        finding for finding in verdict.findings if finding.message.startswith("spec/initContainers/tcpxo-daemon/image is '")
    )
    assert "is not the one of release v1.0.15, v1.0.21" in image.message
    assert image.fix == "in the fixture, take tag and digest from the release record"


@pytest.fixture
def bundle(tmp_path):
    write(pipeline.bundle(catalog(), request()), tmp_path / "out", force=False)
    return tmp_path / "out"


def findings(bundle, file, before, after):
    text = (bundle / file).read_text()
    assert before in text
    (bundle / file).write_text(text.replace(before, after))
    return measured.of_bundle(catalog(), request(), bundle).findings


def test_i4_an_untouched_bundle_has_nothing(bundle):
    assert measured.of_bundle(catalog(), request(), bundle).findings == ()


def test_i4_an_installer_of_another_release_than_the_daemon_is_one_finding(bundle):
    (finding,) = findings(bundle, INSTALLER, "nccl-plugin-gpudirecttcpx-dev:v1.0.15@", "nccl-plugin-gpudirecttcpx-dev:v1.0.14@")
    assert finding.rule == "AICR-F011"
    assert finding.message.endswith(" is not the one of release v1.0.15, v1.0.15")
    assert finding.location.file == str(bundle / INSTALLER)
    assert finding.location.line


@pytest.mark.parametrize("file", [FIXTURE, RUNTIME])
def test_i4_a_daemon_of_another_release_on_one_side_is_one_finding_at_both(bundle, file):
    text = next(line for line in (bundle / file).read_text().splitlines() if "tcpgpudmarxd-dev" in line)
    image = text.split()[-1]
    (finding,) = findings(bundle, file, image, image.replace("v1.0.21", "v1.0.20").partition("@")[0] + "@sha256:" + "0" * 64)
    assert finding.rule == "AICR-G001"
    assert "is not the one of release v1.0.15, v1.0.21" in finding.message
    assert {finding.location.file, finding.related[0].location.file} == {str(bundle / FIXTURE), str(bundle / RUNTIME)}


def test_i4_a_daemon_of_another_release_on_both_sides_is_one_finding_about_both(bundle):
    for file in (FIXTURE, RUNTIME):
        text = (bundle / file).read_text()
        (bundle / file).write_text(text.replace("tcpgpudmarxd-dev:v1.0.21@", "tcpgpudmarxd-dev:v1.0.20@"))
    (finding,) = measured.of_bundle(catalog(), request(), bundle).findings
    assert (finding.rule, finding.message.partition(",")[0]) == ("AICR-F011", "in both")
