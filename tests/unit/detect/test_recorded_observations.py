"""Requirements on what a bundle records of a snapshot: later renders need none, and an edited value is no observation."""

import pytest

from bundler import pipeline
from bundler.cluster.saved import read
from bundler.detect.fill import fill
from bundler.model.observation import Observation
from bundler.publish.drift import drift
from bundler.publish.recipe_file import read_request
from bundler.publish.write import write
from tests.unit.detect.kit import SAMPLES, sample
from tests.unit.detect.test_fill import H100_GKE, TCPXO, request

NODES = "nodes: label node.kubernetes.io/instance-type"


@pytest.fixture(scope="module")
def observed(catalog):
    """A bundle whose machine type, interfaces and release were observed."""
    filled = fill(catalog, request(H100_GKE, profiles=TCPXO), sample("01", "03", "04"))
    return pipeline.bundle(catalog, filled.request)


@pytest.fixture
def recorded_recipe(observed, tmp_path):
    write(observed, tmp_path / "out")
    return tmp_path / "out/recipe.yaml"


def reread(catalog, path):
    return read_request(catalog.open(path, kinds=("BundleRecipe",)))


def test_recipe_and_lock_say_what_was_observed_where_and_on_how_many_nodes(catalog, observed, recorded_recipe):
    stated = catalog.open(recorded_recipe, kinds=("BundleRecipe",)).data["observed"]
    assert [(each["at"], each["nodes"], each["source"]) for each in stated] == [
        ("/machineType", 2, NODES),
        (
            "/profiles/fabricAttachment/parameters/interfaces",
            2,
            "nodes: allocatable networking.gke.io.networks/*, annotations networking.gke.io/north-interfaces and nic-info",
        ),
        ("/profiles/fabricAttachment/parameters/release", 2, "pods of kube-system: images of running installers"),
    ]
    assert observed.lock["observed"] == stated


def test_a_bundle_of_stated_values_says_nothing_of_observations(catalog):
    asked = request(H100_GKE, profiles={"fabricAttachment": "none"})
    assert "observed" not in pipeline.bundle(catalog, asked).lock


def test_the_recipe_renders_the_same_bundle_without_a_snapshot(catalog, recorded_recipe):
    again = pipeline.bundle(catalog, reread(catalog, recorded_recipe))
    assert drift(again, recorded_recipe.parent) == ()


def test_an_observation_is_read_back(catalog, recorded_recipe):
    assert reread(catalog, recorded_recipe).observed["/machineType"] == Observation(source=NODES, nodes=2)


def test_a_value_that_was_edited_is_no_observation_any_more(catalog, recorded_recipe):
    text = recorded_recipe.read_text()
    assert "eth8: demo-gpu-nic-7" in text
    recorded_recipe.write_text(text.replace("eth8: demo-gpu-nic-7", "eth8: vpc8"))
    asked = reread(catalog, recorded_recipe)
    assert sorted(asked.observed) == ["/machineType", "/parameters/fabricAttachment/release"]
    assert [each["at"] for each in pipeline.bundle(catalog, asked).lock["observed"]] == [
        "/machineType",
        "/profiles/fabricAttachment/parameters/release",
    ]


def test_a_recorded_value_is_held_against_a_later_snapshot(catalog, recorded_recipe):
    asked = reread(catalog, recorded_recipe)
    assert fill(catalog, asked, sample("01", "03", "04")).findings == ()


@pytest.mark.parametrize(
    ("names", "recipe", "value"),
    [
        (("01", "03", "04"), H100_GKE, "gke-tcpxo-multinetwork"),
        (("07", "07b"), "b200-gke-cos-training-kubeflow", "gke-rdma-multinetwork"),
        (("06",), H100_GKE, "gke-tcpx-multinetwork"),
        (("09", "13"), "gb200-oke-ubuntu-training-kubeflow", "none"),
    ],
)
def test_the_fields_that_a_snapshot_keeps_are_enough(catalog, names, recipe, value):
    paths = [next(SAMPLES.glob(f"{name}-*.yaml")) for name in names]
    asked = request(recipe, profiles={"fabricAttachment": value})
    whole, kept = fill(catalog, asked, sample(*names)), fill(catalog, asked, read(paths, catalog))
    assert kept.request.parameters == whole.request.parameters
    assert kept.request.observed == whole.request.observed
    assert {finding.rule for finding in kept.findings} == {finding.rule for finding in whole.findings}
