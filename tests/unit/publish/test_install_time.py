"""Requirements on values that are left to install time: only where nothing that was checked hangs on them."""

from dataclasses import replace

import pytest

from bundler.errors import InvalidInput
from bundler.model.location import Location
from bundler.model.request import InstallTime
from bundler.pipeline import compose
from bundler.publish.install_time import left_open, split
from bundler.publish.recipe_file import read_request
from bundler.yamlio.reader import read

LEFT = "{} cannot be left to install time: "


def opened(*texts):
    return tuple(
        InstallTime(
            component=text.partition(":")[0],
            path=tuple(text.partition(":")[2].split(".")),
            location=Location(file=f"--dynamic {text}"),
        )
        for text in texts
    )


@pytest.fixture(scope="module")
def refused(catalog, tcpxo):
    composition = compose(catalog, tcpxo)

    def refused(*texts):
        with pytest.raises(InvalidInput) as caught:
            left_open(composition, replace(tcpxo, install_time=opened(*texts)), catalog)
        return [(each.rule, each.message, each.fix) for each in caught.value.findings]

    return refused


@pytest.mark.parametrize(
    ("values", "paths", "rest", "moved"),
    [
        ({"a": 1}, [], {"a": 1}, None),
        ({"a": 1, "b": 2}, [("a",)], {"b": 2}, {"a": 1}),
        ({"a": {"b": 1, "c": 2}}, [("a", "b")], {"a": {"c": 2}}, {"a": {"b": 1}}),
        ({"a": {"b": {"c": 1}}, "d": {}}, [("a", "b", "c")], {"d": {}}, {"a": {"b": {"c": 1}}}),
        ({"a": {"b": 1, "c": 2}}, [("a", "b"), ("a", "c")], {}, {"a": {"b": 1, "c": 2}}),
        ({"a": 1}, [("b",), ("a", "x")], {"a": 1}, {}),
        ({"a": [1]}, [("a",)], {}, {"a": [1]}),
        ({"a": None}, [("a",)], {}, {"a": None}),
    ],
)
def test_values_move_and_leave_no_empty_map_behind(values, paths, rest, moved):
    assert split(values, paths) == (rest, moved)


def test_what_stood_in_the_values_stands_in_the_file_of_the_cluster(make, tcpxo):
    made = make(replace(tcpxo, install_time=opened("trainer:manager.resources", "nfd:master.nodeSelector")))
    plain = make(tcpxo)
    moved = made.data("components/kubeflow-trainer/cluster-values.yaml")
    rest = made.data("components/kubeflow-trainer/values.yaml")
    before = plain.data("components/kubeflow-trainer/values.yaml")
    assert moved == {"manager": {"resources": before["manager"]["resources"]}}
    assert "resources" not in rest["manager"]
    assert made.data("components/nfd/cluster-values.yaml") == {}
    touched = {path for path in plain.bundle.files if plain.bundle.files[path] != made.bundle.files[path]}
    assert touched == {"README.md", "recipe.yaml", "bundle.lock.yaml", "checksums.txt", "components/kubeflow-trainer/values.yaml"}


def test_what_is_recorded_gives_the_same_bundle_again(make, tcpxo, catalog):
    made = make(replace(tcpxo, install_time=opened("nfd:master.nodeSelector", "kubeflow-trainer:manager.resources")))
    document = read(made.bundle.files["recipe.yaml"], "recipe.yaml")
    assert catalog.validator("bundlerecipe").check(document.data, document=document) == ()
    assert make(read_request(document)).bundle.files == made.bundle.files


@pytest.mark.parametrize("text", ["gpu-operator:driver.enabled", "gpu-operator:driver", "gpuoperator:driver.enabled"])
def test_a_value_that_a_profile_owns_is_refused_from_above_and_from_below(refused, text):
    """gpuStack owns driver.enabled on GKE; the driver's map holds it."""
    ((rule, message, fix),) = refused(text)
    assert rule == "AICR-A010"
    assert message.endswith("gpu-operator:driver.enabled belongs to the profile gpuStack=gke-default")
    assert fix == "choose it with --profile gpuStack=VALUE"


@pytest.mark.parametrize(
    ("text", "rule", "message"),
    [
        ("nope:x", "AICR-C051", "component 'nope' is not known"),
        ("aws-efa:x", "AICR-C052", "component 'aws-efa' is not part of this recipe"),
        ("nfd:mastr.nodeSelector", "AICR-C053", "nfd has no value 'mastr.nodeSelector'"),
        (
            "gke-nccl-tcpxo:x",
            "AICR-A011",
            "gke-nccl-tcpxo:x cannot be left to install time: its objects are rendered with its values",
        ),
        (
            "gpu-operator:hostPaths.driverInstallDir",
            "AICR-A011",
            LEFT.format("gpu-operator:hostPaths.driverInstallDir")
            + "components must agree on gpu-operator:hostPaths.driverInstallDir "
            + "(the operator installs the driver, and the DRA driver must look for it there)",
        ),
        (
            "gpu-operator:dcgmExporter.version",
            "AICR-A012",
            LEFT.format("gpu-operator:dcgmExporter.version")
            + "dcgmExporter.version decides which images are pulled, and the lock lists them",
        ),
    ],
)
def test_what_cannot_be_left_open_is_refused_with_the_reason(refused, text, rule, message):
    assert [each[:2] for each in refused(text)] == [(rule, message)]


def test_a_value_within_another_one_is_refused_and_all_mistakes_are_told_at_once(refused):
    found = refused("nfd:master.resources", "nfd:master.resources", "nope:x")
    assert [each[:2] for each in found] == [
        ("AICR-A013", "nfd:master.resources is left to install time twice, with nfd:master.resources"),
        ("AICR-C051", "component 'nope' is not known"),
    ]
