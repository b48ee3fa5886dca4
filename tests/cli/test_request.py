"""Requirements on flags as a request: each part with the place where it was stated, all mistakes at once, flags over a file."""

import pytest

from bundler.catalog.catalog import Catalog
from bundler.cli.flags import Flags
from bundler.cli.request import read_request
from bundler.errors import InvalidInput, NotFound
from bundler.model.criteria import Criteria
from bundler.model.location import Location
from bundler.model.request import Request, Scheduling

CATALOG = Catalog.load()
BUNDLE_RECIPE = """\
apiVersion: aicr.run/v2
kind: BundleRecipe
recipe: h100-gke-cos-training-kubeflow
criteria: {accelerator: h100, intent: training, os: cos, platform: kubeflow, service: gke}
profiles:
  fabricAttachment:
    value: gke-tcpxo-multinetwork
    parameters: {release: v1.0.15}
  gpuStack: {value: gke-default}
overrides:
- {component: gpu-operator, path: [driver, enabled], value: false}
scheduling:
  accelerated:
    nodeSelector: {pool: gpu}
    tolerations:
    - {key: nvidia.com/gpu, operator: Exists}
"""


def request(**flags):
    return read_request(Flags(**flags), CATALOG)[0]


def refused(**flags):
    with pytest.raises(InvalidInput) as caught:
        request(**flags)
    return [(finding.rule, finding.message) for finding in caught.value.findings]


@pytest.fixture
def bundle_recipe(tmp_path):
    path = tmp_path / "recipe.yaml"
    path.write_text(BUNDLE_RECIPE)
    return str(path)


def test_a_name_is_looked_up_later():
    found = request(recipe="h100-kind-training-kubeflow")
    assert found == Request(
        recipe="h100-kind-training-kubeflow", origins={"/recipe": Location(file="--recipe h100-kind-training-kubeflow")}
    )


def test_criteria_are_stated_one_by_one():
    found = request(criteria={"service": "gke", "accelerator": "h100"})
    assert found.criteria == Criteria(service="gke", accelerator="h100")
    assert found.origins == {
        "/criteria/service": Location(file="--service gke"),
        "/criteria/accelerator": Location(file="--accelerator h100"),
    }


def test_something_must_choose_a_recipe():
    assert refused() == [("AICR-U010", "nothing chooses a recipe")]


def test_a_recipe_and_criteria_do_not_stand_together():
    message = "a recipe states all its criteria; --service, --os cannot stand beside --recipe"
    assert refused(recipe="x", criteria={"service": "gke", "os": "cos"}) == [("AICR-U011", message)]


@pytest.mark.parametrize("recipe", ["dir/x", "./x", "x.yaml", "x.yml"])
def test_what_looks_like_a_path_is_a_file(recipe, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotFound) as caught:
        request(recipe=recipe)
    assert caught.value.findings[0].rule == "AICR-S014"


def test_a_file_without_suffix_is_read(tmp_path, monkeypatch, bundle_recipe):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "recipe.yaml").rename(tmp_path / "mine")
    assert request(recipe="mine").recipe == "h100-gke-cos-training-kubeflow"


def test_a_directory_of_the_recipes_name_is_not_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "h100-kind-training-kubeflow").mkdir()
    assert request(recipe="h100-kind-training-kubeflow").recipe == "h100-kind-training-kubeflow"


def test_a_recipe_file_is_composed_itself(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(
        "apiVersion: aicr.run/v2\nkind: Recipe\nmetadata: {name: mine, description: Mine.}\n"
        "criteria: {service: kind, accelerator: h100, os: ubuntu, intent: training, platform: kubeflow}\n"
    )
    assert request(recipe=str(path)).document.name == "mine"


def test_a_file_of_another_kind_is_refused(tmp_path):
    path = tmp_path / "overlay.yaml"
    path.write_text("apiVersion: aicr.run/v2\nkind: Overlay\n")
    assert refused(recipe=str(path)) == [("AICR-S007", "kind is 'Overlay', not Recipe or BundleRecipe or RecipeResult")]


def test_an_upstream_recipe_is_read_with_what_it_does_not_carry(tmp_path):
    path = tmp_path / "upstream.yaml"
    path.write_text("apiVersion: aicr.run/v1\nkind: RecipeResult\ncriteria: {service: gke, nodes: 2}\n")
    found, notes = read_request(Flags(recipe=str(path)), CATALOG)
    assert found.criteria == Criteria(service="gke")
    assert [note.message for note in notes] == ["upstream recipe's criteria.nodes is not carried over"]


def test_a_bundles_recipe_is_a_whole_request(bundle_recipe):
    found = request(recipe=bundle_recipe)
    assert found.profiles == {"fabricAttachment": "gke-tcpxo-multinetwork", "gpuStack": "gke-default"}
    assert found.parameters == {"fabricAttachment": {"release": "v1.0.15"}}
    assert found.accelerated.node_selector == {"pool": "gpu"}


def test_flags_win_over_a_bundles_recipe(bundle_recipe):
    found = request(
        recipe=bundle_recipe,
        profile=("gpuStack=driver-installer",),
        param=("fabricAttachment.release=v1.0.14",),
        overrides=(("--set", "gpu-operator:driver.enabled=true"),),
        accelerated_node_selector=("pool=other",),
    )
    assert found.profiles == {"fabricAttachment": "gke-tcpxo-multinetwork", "gpuStack": "driver-installer"}
    assert found.parameters == {"fabricAttachment": {"release": "v1.0.14"}}
    assert [override.raw for override in found.overrides] == [None, "true"]
    assert found.accelerated == Scheduling(
        node_selector={"pool": "other"}, tolerations=({"key": "nvidia.com/gpu", "operator": "Exists"},)
    )
    assert found.origins["/profiles/gpuStack"] == Location(file="--profile gpuStack=driver-installer")
    assert found.origins["/profiles/fabricAttachment"].file == bundle_recipe


def test_a_machine_type_knows_its_flag_and_wins_over_the_recorded_one(bundle_recipe, tmp_path):
    made = request(recipe=str(bundle_recipe), machine_type="a3-megagpu-8g")
    assert made.machine_type == "a3-megagpu-8g"
    assert made.origins["/machineType"] == Location(file="--machine-type a3-megagpu-8g")
    recorded = tmp_path / "recorded.yaml"
    recorded.write_text(BUNDLE_RECIPE + "machineType: a3-highgpu-8g\n")
    made = request(recipe=str(recorded))
    assert made.machine_type == "a3-highgpu-8g"
    assert str(made.origins["/machineType"]) == f"{recorded}:17:1"
    assert request(recipe=str(recorded), machine_type="a3-megagpu-8g").machine_type == "a3-megagpu-8g"
    assert request(recipe="h100-gke-cos-training-kubeflow").machine_type is None


def test_another_value_drops_the_recorded_parameters_of_its_axis(bundle_recipe):
    assert request(recipe=bundle_recipe, profile=("fabricAttachment=none",)).parameters == {}


def test_the_same_value_keeps_the_recorded_parameters(bundle_recipe):
    found = request(recipe=bundle_recipe, profile=("fabricAttachment=gke-tcpxo-multinetwork",))
    assert found.parameters == {"fabricAttachment": {"release": "v1.0.15"}}


def test_profiles_and_parameters_know_their_flags():
    found = request(recipe="x", profile=("gpuStack=gke-default",), param=("a.b=1", "a.c="))
    assert found.profiles == {"gpuStack": "gke-default"}
    assert found.parameters == {"a": {"b": "1", "c": ""}}
    assert found.origins["/parameters/a/b"] == Location(file="--param a.b")


def test_a_parameters_file_keeps_types_and_lines_and_yields_to_flags(tmp_path):
    path = tmp_path / "params.yaml"
    path.write_text("fabricAttachment:\n  count: 4\n  release: v1.0.14\n")
    found = request(recipe="x", params_file=path, param=("fabricAttachment.release=v1.0.15",))
    assert found.parameters == {"fabricAttachment": {"count": 4, "release": "v1.0.15"}}
    assert str(found.origins["/parameters/fabricAttachment/count"]) == f"{path}:2:3"
    assert str(found.origins["/parameters/fabricAttachment/release"]) == "--param fabricAttachment.release"


@pytest.mark.parametrize(("text", "pointer"), [("- a\n", ""), ("text\n", ""), ("a: 1\n", "/a"), ("a: [x]\n", "/a")])
def test_a_parameters_file_is_a_map_of_maps(tmp_path, text, pointer):
    path = tmp_path / "params.yaml"
    path.write_text(text)
    with pytest.raises(InvalidInput) as caught:
        request(recipe="x", params_file=path)
    (finding,) = caught.value.findings
    assert (finding.rule, finding.pointer) == ("AICR-U012", pointer)


def test_overrides_keep_the_order_in_which_they_were_given(tmp_path):
    path = tmp_path / "values.yaml"
    path.write_text("a: 1\nb: {c: 2}\n")
    found = request(recipe="x", overrides=(("--set", "x:a=3"), ("--set-file", f"x={path}"), ("--set-json", 'y:d={"e": null}')))
    assert [(override.component, override.path, override.value, override.raw) for override in found.overrides] == [
        ("x", ("a",), "3", "3"),
        ("x", ("a",), 1, None),
        ("x", ("b", "c"), 2, None),
        ("y", ("d", "e"), None, None),
    ]
    assert [str(override.location) for override in found.overrides] == [
        "--set x:a",
        f"{path}:1:1",
        f"{path}:2:5",
        "--set-json y:d",
    ]


def test_of_two_sets_of_one_path_the_last_is_asked_for():
    found = request(recipe="x", overrides=(("--set", "x:a=1"), ("--set", "x:b=2"), ("--set", "x:a=3")))
    assert [(override.path, override.raw) for override in found.overrides] == [(("b",), "2"), (("a",), "3")]


def test_a_missing_file_is_not_found_unless_something_else_is_wrong_too(tmp_path):
    for flags in ({"params_file": tmp_path / "no"}, {"overrides": (("--set-file", f"x={tmp_path}/no"),)}):
        with pytest.raises(NotFound):
            request(recipe="x", **flags)
        assert sorted(rule for rule, _ in refused(recipe="x", param=("nonsense",), **flags)) == ["AICR-S014", "AICR-U005"]


def test_placement_is_what_kubernetes_writes():
    found = request(
        recipe="x",
        accelerated_node_selector=("pool=gpu", "zone=a"),
        accelerated_toleration=("nvidia.com/gpu:NoSchedule",),
        system_toleration=("dedicated=system",),
    )
    assert found.accelerated == Scheduling(
        node_selector={"pool": "gpu", "zone": "a"},
        tolerations=({"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"},),
    )
    assert found.system == Scheduling(tolerations=({"key": "dedicated", "operator": "Equal", "value": "system"},))
    assert found.origins["/accelerated/nodeSelector/zone"] == Location(file="--accelerated-node-selector zone=a")
    assert found.origins["/system/tolerations/0"] == Location(file="--system-toleration dedicated=system")


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ({"profile": ("gpuStack=gke-default", "gpuStack=driver-installer")}, "--profile names 'gpuStack' twice"),
        ({"param": ("a.b=1", "a.b=1")}, "--param names 'a.b' twice"),
        ({"component_version": ("a=1", "a=2")}, "--component-version names 'a' twice"),
        ({"system_node_selector": ("a=1", "a=2")}, "--system-node-selector names 'a' twice"),
        ({"accelerated_toleration": ("a", "a")}, "--accelerated-toleration names 'a' twice"),
    ],
)
def test_of_two_words_on_one_thing_neither_is_dropped(flags, message):
    assert refused(recipe="x", **flags) == [("AICR-U013", message)]


def test_the_allowed_values_are_named_when_an_axis_is_named_twice():
    with pytest.raises(InvalidInput) as caught:
        request(recipe="x", profile=("fabricAttachment=none", "fabricAttachment=none"))
    assert caught.value.findings[0].fix.startswith("choose one value for fabricAttachment: none, gke-tcpxo-multinetwork")


def test_every_mistake_is_reported_at_once():
    rules = refused(
        recipe="x",
        profile=("nonsense",),
        param=("nonsense",),
        overrides=(("--set", "nonsense"), ("--set-json", "x={")),
        component_version=("nonsense",),
        system_node_selector=("nonsense",),
        accelerated_toleration=(":",),
    )
    assert [rule for rule, _ in rules] == [
        "AICR-U004",
        "AICR-U005",
        "AICR-C050",
        "AICR-U006",
        "AICR-U007",
        "AICR-U008",
        "AICR-U008",
    ]
