"""Requirements on a bundle's recipe.yaml: it says everything that was chosen, and reproduces the bundle byte for byte."""

from dataclasses import replace

import pytest

from bundler.catalog.catalog import Catalog
from bundler.errors import InvalidInput
from bundler.model.digest import canonical_digest
from bundler.model.location import Location
from bundler.model.request import Override, Request, Scheduling
from bundler.publish.recipe_file import read_request, write_request
from bundler.yamlio.writer import dump

AT = Location(file="--set")
OVERRIDES = (
    Override(component="gpuoperator", path=("driver", "version"), value="580.1", location=Location(file="--set a"), raw="580.1"),
    Override(
        component="gpu-operator", path=("dcgmExporter", "enabled"), value=None, location=Location(file="--set b"), raw="false"
    ),
    Override(
        component="gpu-operator", path=("operator", "nodeSelector"), value={"a.b/c": "d"}, location=Location(file="--set-json c")
    ),
)
PLACED = Scheduling(
    node_selector={"pool": "gpu"}, tolerations=({"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"},)
)


@pytest.fixture
def full(tcpxo):
    """A request that states everything."""
    return replace(
        tcpxo,
        overrides=OVERRIDES,
        versions={"kubeflow-trainer": "2.3.0"},
        accelerated=PLACED,
        system=Scheduling(node_selector={"pool": "system"}),
        allow_unpinned=True,
    )


@pytest.fixture
def written(make, full, tmp_path):
    """The recipe.yaml of a bundle that states everything."""
    path = tmp_path / "recipe.yaml"
    path.write_bytes(make(full).bundle.files["recipe.yaml"])
    return path


def opened(catalog, made, tmp_path):
    path = tmp_path / "recipe.yaml"
    path.write_bytes(made.bundle.files["recipe.yaml"])
    return catalog.open(path, kinds=("BundleRecipe",))


def test_states_what_was_chosen_and_every_parameter(made):
    assert made.data("recipe.yaml") == {
        "apiVersion": "aicr.run/v2",
        "kind": "BundleRecipe",
        "recipe": "h100-gke-cos-training-kubeflow",
        "criteria": {"service": "gke", "accelerator": "h100", "os": "cos", "intent": "training", "platform": "kubeflow"},
        "profiles": {
            "fabricAttachment": {
                "value": "gke-tcpxo-multinetwork",
                "parameters": {"interfaces": {f"eth{n}": f"net-{n}" for n in range(1, 9)}, "release": "v1.0.15"},
            },
            "gpuStack": {"value": "gke-default"},
        },
    }


def test_a_choice_that_was_left_to_its_default_is_written_down(make, tcpxo, made):
    left = make(replace(tcpxo, profiles={"fabricAttachment": "gke-tcpxo-multinetwork"}))
    assert left.bundle.files == made.bundle.files


def test_a_recipe_found_by_criteria_is_written_by_name(make, tcpxo, made):
    by_criteria = make(replace(tcpxo, recipe=None, criteria=made.composition.criteria))
    assert by_criteria.bundle.files == made.bundle.files


def test_overrides_are_written_with_the_types_they_came_to_have(make, full):
    assert make(full).data("recipe.yaml")["overrides"] == [
        {"component": "gpuoperator", "path": ["driver", "version"], "value": "580.1"},
        {"component": "gpu-operator", "path": ["dcgmExporter", "enabled"], "value": False},
        {"component": "gpu-operator", "path": ["operator", "nodeSelector"], "value": {"a.b/c": "d"}},
    ]


def test_placement_versions_and_concessions_are_written(make, full):
    data = make(full).data("recipe.yaml")
    assert data["scheduling"] == {
        "accelerated": {
            "nodeSelector": {"pool": "gpu"},
            "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}],
        },
        "system": {"nodeSelector": {"pool": "system"}},
    }
    assert data["versions"] == {"kubeflow-trainer": "2.3.0"}
    assert data["allowUnpinned"] is True


@pytest.mark.parametrize("which", ["tcpxo", "full"])
def test_what_is_read_back_makes_the_same_bundle(which, make, catalog, tmp_path, request):
    made = make(request.getfixturevalue(which))
    again = make(read_request(opened(catalog, made, tmp_path)))
    assert again.bundle.files == made.bundle.files


def test_a_deletion_is_read_back_as_one(make, tcpxo, catalog, tmp_path):
    gone = Override(component="gpu-operator", path=("dcgmExporter",), value=None, location=AT, raw="null")
    made = make(replace(tcpxo, overrides=(gone,)))
    assert made.data("recipe.yaml")["overrides"] == [{"component": "gpu-operator", "path": ["dcgmExporter"], "value": None}]
    assert make(read_request(opened(catalog, made, tmp_path))).bundle.files == made.bundle.files


@pytest.mark.parametrize("place", [("a/my-recipe.yaml",), ("b/c/other.yaml",)])
def test_a_recipe_from_a_file_is_embedded_and_its_place_forgotten(place, catalog, make, tcpxo, tmp_path):
    def bundle_from(relative, text):
        path = tmp_path / relative
        path.parent.mkdir(parents=True)
        path.write_text(text)
        document = catalog.open(path, kinds=("Recipe",))
        return make(replace(tcpxo, recipe=None, document=document))

    data = {**catalog.recipes["h100-gke-cos-training-kubeflow"].data, "metadata": {"name": "mine", "description": "My own."}}
    made = bundle_from("first/recipe.yaml", dump(data))
    assert made.data("recipe.yaml")["document"] == data
    assert made.data("bundle.lock.yaml")["inputs"]["layers"][-3] == {
        "layer": "recipe mine",
        "file": "recipe.yaml",
        "digest": canonical_digest(data),
    }
    assert bundle_from(place[0], "# moved and commented\n" + dump(data)).bundle.files == made.bundle.files
    again = make(read_request(opened(catalog, made, tmp_path)))
    assert again.bundle.files == made.bundle.files


def test_every_part_knows_where_it_was_written(make, full, catalog, tmp_path):
    made = make(full)
    document = opened(catalog, made, tmp_path)
    request = read_request(document)
    lines = made.bundle.files["recipe.yaml"].decode().splitlines()

    def line(pointer):
        return lines[request.origins[pointer].line - 1].strip()

    assert line("/recipe") == "recipe: h100-gke-cos-training-kubeflow"
    assert line("/criteria/os") == "os: cos"
    assert line("/profiles/gpuStack") == "value: gke-default"
    assert line("/parameters/fabricAttachment/interfaces") == "interfaces:"
    assert line("/versions/kubeflow-trainer") == "kubeflow-trainer: 2.3.0"
    assert line("/accelerated/nodeSelector/pool") == "pool: gpu"
    assert line("/accelerated/tolerations/0") == "- effect: NoSchedule"
    assert lines[request.overrides[2].location.line - 1].strip() == "- component: gpu-operator"
    assert {location.file for location in request.origins.values()} == {str(tmp_path / "recipe.yaml")}


@pytest.mark.parametrize(
    ("before", "after", "finding"),
    [
        ("allowUnpinned", "allowUnpined", "unknown field 'allowUnpined'; did you mean 'allowUnpinned'?"),
        ("nodeSelector", "nodeSelectors", "unknown field 'nodeSelectors'; did you mean 'nodeSelector'?"),
        ("  gpuStack:\n    value:", "  gpuStack:\n    valeu:", "unknown field 'valeu'; did you mean 'value'?"),
        ("operator: Exists", "operator: Exist", "'Exist' is not one of Exists, Equal; did you mean 'Exists'?"),
    ],
)
def test_a_mistake_made_by_hand_is_found_when_it_is_read(before, after, finding, catalog, written):
    assert before in written.read_text()
    written.write_text(written.read_text().replace(before, after))
    with pytest.raises(InvalidInput) as caught:
        catalog.open(written, kinds=("BundleRecipe",))
    assert finding in [f"{found.message}; {found.fix}" for found in caught.value.findings]


def test_a_data_directory_may_be_named_in_any_way(make, tcpxo, tmp_path, monkeypatch):
    overlays = tmp_path / "data/overlays"
    overlays.mkdir(parents=True)
    (overlays / "mine.yaml").write_text(
        "apiVersion: aicr.run/v2\nkind: Overlay\nmetadata: {name: mine, description: Mine.}\ncriteria: {service: gke}\n"
        "constraints:\n  - {name: My.own, value: 'x', reason: Mine.}\n"
    )
    monkeypatch.chdir(tmp_path)
    bundles = [
        make(tcpxo, Catalog.load(tmp_path / "data" if absolute else overlays.parent.relative_to(tmp_path))) for absolute in (0, 1)
    ]
    assert bundles[0].bundle.files == bundles[1].bundle.files
    layers = bundles[0].data("bundle.lock.yaml")["inputs"]["layers"]
    assert "overlays/mine.yaml" in [layer["file"] for layer in layers]


def test_writing_is_for_a_composition_of_the_same_request(made, tcpxo):
    stranger = Override(component="nfd", path=("x",), value=None, location=AT, raw="1")
    with pytest.raises(AssertionError, match="composing left no trace of nfd:x"):
        write_request(made.composition, replace(tcpxo, overrides=(stranger,)))


def test_reading_needs_nothing_that_was_left_out(make, catalog, tmp_path):
    made = make(Request(recipe="h100-kind-training-kubeflow"))
    request = read_request(opened(catalog, made, tmp_path))
    assert (request.overrides, request.versions, request.system, request.allow_unpinned) == ((), {}, Scheduling(), False)
