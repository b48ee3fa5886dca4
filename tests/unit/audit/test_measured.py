"""Requirements on the guard in the build: what a layer does to a runtime it does to its fixture, or there is no bundle."""

from pathlib import Path

import pytest

from bundler import pipeline
from bundler.audit import measured
from bundler.catalog.catalog import Catalog
from bundler.errors import InvalidInput
from bundler.model.finding import Severity
from bundler.model.request import Request

RUNTIME, FIXTURE = "torch-distributed-tcpxo", "nccl-all-reduce-tcpxo"
VALIDATOR = f"validators/trainingruntime-{FIXTURE}.yaml"
POD = "/spec/template/spec/replicatedJobs/0/template/spec/template/spec"
HEAD = "apiVersion: aicr.run/v2\nkind: {}\nmetadata: {{name: {}, description: A test.}}\n"
REQUEST = Request(
    recipe="h100-gke-cos-training-kubeflow",
    profiles={"gpuStack": "gke-default", "fabricAttachment": "gke-tcpxo-multinetwork"},
    parameters={"fabricAttachment": {"interfaces": {f"eth{number}": f"net-{number}" for number in range(1, 9)}}},
)
SETTING = f"{{op: add, path: {POD}/containers/0/env/-, value: {{name: MINE, value: x}}}}"
HOST_NETWORK = f"{{op: add, path: {POD}/hostNetwork, value: true}}"


def catalog(directory, patches, **files):
    """The packaged catalogue with patches of an overlay, one operation for each runtime, and other files."""
    rows = "".join(f"  - name: {name}\n    patches:\n      - {operation}\n" for name, operation in patches.items())
    overlay = f"{HEAD.format('Overlay', 'mine')}criteria: {{service: gke}}\nruntimes:\n{rows}"
    for path, text in {"overlays/mine.yaml": overlay, **files}.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text)
    return Catalog.load(directory)


def refused(data):
    with pytest.raises(InvalidInput) as caught:
        pipeline.bundle(data, REQUEST)
    return caught.value.findings


def test_a_layer_that_changes_the_wiring_of_the_runtime_alone_is_refused(tmp_path):
    (finding,) = refused(catalog(tmp_path, {RUNTIME: SETTING}))
    assert (finding.rule, finding.severity) == ("AICR-G002", Severity.ERROR)
    assert finding.message == "spec/containers/node/env/MINE stands in the runtime and not in the fixture"
    (other,) = finding.related
    assert (finding.subject, finding.location.file) == (f"TrainingRuntime/{FIXTURE}", "manifests/runtimes/_gke-tcpxo-pod.yaml.j2")
    assert (other.subject, other.location.file) == (f"ClusterTrainingRuntime/{RUNTIME}", f"{tmp_path}/overlays/mine.yaml")


def test_a_layer_that_changes_both_is_taken_and_the_lock_says_that_they_are_equal(tmp_path):
    changed = catalog(tmp_path, {RUNTIME: SETTING, FIXTURE: SETTING})
    ((_, plain),) = measured.of_request(Catalog.load(), REQUEST).verdicts
    ((_, verdict),) = measured.of_request(changed, REQUEST).verdicts
    (digest,) = set(verdict.digests.values())
    assert digest not in plain.digests.values()
    bundle = pipeline.bundle(changed, REQUEST)
    assert bundle.files["bundle.lock.yaml"].decode().count(digest) == 2
    assert [path for path in bundle.files if FIXTURE in path] == [VALIDATOR]


def test_a_layer_that_changes_what_is_the_benchmarks_own_is_taken(tmp_path):
    changed = catalog(tmp_path, {FIXTURE: f"{{op: add, path: {POD}/containers/0/readinessProbe/periodSeconds, value: 2}}"})
    assert measured.of_request(changed, REQUEST).findings == ()
    assert "periodSeconds: 2\n" in pipeline.bundle(changed, REQUEST).files[VALIDATOR].decode()


def test_a_field_that_the_contract_does_not_know_needs_a_line_which_a_data_directory_adds(tmp_path):
    patches = {RUNTIME: HOST_NETWORK, FIXTURE: HOST_NETWORK}
    (finding,) = refused(catalog(tmp_path, patches))
    assert (finding.rule, finding.message) == ("AICR-G006", "nobody says whose spec/hostNetwork is; both sides have it")
    line = "lines:\n  - {path: /pod/spec/hostNetwork, owner: fabric, reason: The daemon listens there.}\n"
    changed = catalog(tmp_path, patches, **{"manifests/validators/contract.yaml": HEAD.format("Contract", "wiring") + line})
    assert measured.of_request(changed, REQUEST).findings == ()


def test_a_value_that_ships_a_runtime_which_nothing_measures_is_a_warning(tmp_path):
    profile = "recipes/profiles/fabricAttachment.yaml"
    text = (Path(__file__).parents[3] / profile).read_text()
    named = f"    fixture: {FIXTURE}\n"
    assert named in text
    found = measured.of_request(catalog(tmp_path, {RUNTIME: SETTING}, **{profile: text.replace(named, "")}), REQUEST)
    assert found.verdicts == ()
    (finding,) = found.findings
    assert (finding.rule, finding.severity) == ("AICR-G011", Severity.WARNING)
    assert finding.message == f"nothing measures {RUNTIME}, which fabricAttachment=gke-tcpxo-multinetwork ships"
