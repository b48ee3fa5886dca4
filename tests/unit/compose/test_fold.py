"""Requirements on layers: their order, what they add up to, what is refused on the way."""

import pytest

from bundler.pipeline import compose
from tests.unit.compose.catalogues import base, catalogue, composed, overlay, recipe, refused, request, shown, values


def driver(text):
    return f"components:\n  - name: operator\n    values:\n      driver: {text}\n"


LAYERED = {
    "recipes/base.yaml": base(driver("{version: base, base: 1}")),
    "overlays/z.yaml": overlay("z-service", "{service: gke}", driver("{version: z, z: 1}")),
    "overlays/b.yaml": overlay("b-service-os", "{service: gke, os: cos}", driver("{version: b, b: 1}")),
    "overlays/a.yaml": overlay("a-service-accelerator", "{service: gke, accelerator: h100}", driver("{a: 1}")),
    "overlays/other.yaml": overlay("other", "{service: eks}", driver("{version: other}")),
    "recipes/mega.yaml": recipe("mega", driver("{version: mega, base: null}")),
}


def test_layers_apply_in_one_order(tmp_path):
    composition = composed(tmp_path, LAYERED)
    assert [layer.label for layer in composition.layers] == [
        "component operator", "base", "overlay z-service", "overlay a-service-accelerator", "overlay b-service-os", "recipe mega",
    ]  # fmt: skip
    assert values(composition)["driver"] == {"enabled": True, "version": "mega", "z": 1, "a": 1, "b": 1}


def test_layers_are_recorded_with_file_and_digest(tmp_path):
    layer = composed(tmp_path, LAYERED).layers[2]
    assert layer.file == "overlays/z.yaml"
    assert layer.digest.startswith("sha256:")


def test_the_trace_says_which_layer_set_a_value_over_what_and_where(tmp_path):
    made = composed(tmp_path, LAYERED).trace.assignments["/components/operator/values/driver/version"]
    assert [(each.layer, each.value, str(each.location)) for each in made] == [
        ("component operator", "580.1.0", "recipes/components/operator/values.yaml:3:3"),
        ("base", "base", "recipes/base.yaml:7:16"),
        ("overlay z-service", "z", "overlays/z.yaml:8:16"),
        ("overlay b-service-os", "b", "overlays/b.yaml:8:16"),
        ("recipe mega", "mega", "recipes/mega.yaml:8:16"),
    ]


def test_a_deletion_is_traced(tmp_path):
    made = composed(tmp_path, LAYERED).trace.assignments["/components/operator/values/driver/base"]
    assert [(each.action, each.value) for each in made] == [("set", 1), ("delete", None)]


def test_the_first_layer_that_names_a_component_includes_it(tmp_path):
    composition = composed(tmp_path, {"overlays/n.yaml": overlay("net", "{os: cos}", "components:\n  - name: network\n")})
    [inclusion] = composition.trace.assignments["/components/network"]
    assert (inclusion.layer, inclusion.action, str(inclusion.location)) == ("overlay net", "add", "overlays/n.yaml:6:5")


def test_dependencies_and_manifests_unite_over_registry_and_layers(tmp_path):
    # Upstream lets a later list replace an earlier one, which drops edges such as gpu-operator -> gcp-driver-installer in silence.
    files = {
        "overlays/a.yaml": overlay(
            "a", "{service: gke}", "components:\n  - {name: plugin, dependencies: [network]}\n  - name: network\n"
        ),
        "overlays/b.yaml": overlay(
            "b",
            "{os: cos}",
            "components:\n  - name: plugin\n    dependencies: [network, operator]\n"
            "    manifests: [components/plugin/more.yaml.j2]\n"
            "  - name: network\n    manifests: [components/network/first.yaml.j2, components/network/network.yaml.j2]\n",
        ),
    }
    composition = composed(tmp_path, files)
    assert [component.name for component in composition.components] == ["network", "operator", "plugin"]
    assert composition.component("plugin").dependencies == ("network", "operator")
    assert composition.component("plugin").manifests == ("components/plugin/more.yaml.j2",)
    assert composition.component("network").manifests == ("components/network/network.yaml.j2", "components/network/first.yaml.j2")
    made = composition.trace.assignments["/components/plugin/dependencies/network"]
    assert [(each.layer, each.action) for each in made] == [("overlay a", "add"), ("overlay b", "add")]
    assert [each.layer for each in composition.trace.assignments["/components/plugin/dependencies/operator"]] == [
        "registry",
        "overlay b",
    ]


def test_an_unknown_component_names_the_nearest(tmp_path):
    files = {"recipes/mega.yaml": recipe("mega", "components:\n  - name: plugni\n  - name: operator\n")}
    assert refused(composed, tmp_path, files) == [
        (
            "AICR-C012: component 'plugni' is not in the registry (recipe mega)\n"
            "  --> recipes/mega.yaml:6:5\n"
            "  fix: did you mean 'plugin'?; components are registered in recipes/registry.yaml"
        )
    ]


@pytest.mark.parametrize(
    ("body", "finding"),
    [
        (
            "components:\n  - name: operator\n  - name: operator\n",
            (
                "AICR-C011: components names 'operator' twice, first at recipes/mega.yaml:6:5\n"
                "  --> recipes/mega.yaml:7:5\n  fix: join the two entries"
            ),
        ),
        (
            "runtimes:\n  - name: torch\n  - name: torch\n",
            (
                "AICR-C011: runtimes names 'torch' twice, first at recipes/mega.yaml:6:5\n"
                "  --> recipes/mega.yaml:7:5\n  fix: join the two entries"
            ),
        ),
        (
            "constraints:\n  - {name: a, value: '1', reason: r}\n  - {name: a, value: '1', reason: r}\n",
            (
                "AICR-C011: constraints names 'a' twice, first at recipes/mega.yaml:6:6\n"
                "  --> recipes/mega.yaml:7:6\n  fix: join the two entries"
            ),
        ),
    ],
)
def test_one_layer_says_one_thing_of_one_name(tmp_path, body, finding):
    assert refused(composed, tmp_path, {"recipes/mega.yaml": recipe("mega", body)}) == [finding]


def test_a_null_that_deletes_nothing_is_a_warning(tmp_path):
    files = {"recipes/mega.yaml": recipe("mega", driver("{branch: null, version: null, deep: {er: null}}"))}
    composition = composed(tmp_path, files)
    assert [shown(warning) for warning in composition.warnings] == [
        (
            "AICR-C013: null deletes nothing: no layer below recipe mega sets operator:driver.branch\n"
            "  --> recipes/mega.yaml:8:16\n  fix: remove the line; a chart's own default is changed by stating another value"
        ),
        (
            "AICR-C013: null deletes nothing: no layer below recipe mega sets operator:driver.deep.er\n"
            "  --> recipes/mega.yaml:8:52\n  fix: remove the line; a chart's own default is changed by stating another value"
        ),
    ]
    assert values(composition)["driver"] == {"enabled": True, "deep": {}}


PATCH = """\
components:
  - name: operator
    patches:
      - {op: add, path: /agents/tolerations/-, value: {key: extra, operator: Exists}}
      - {op: replace, path: /driver/version, value: patched}
"""


def test_patches_apply_to_the_values_so_far_and_are_traced(tmp_path):
    files = {
        "overlays/a.yaml": overlay("a", "{service: gke}", PATCH),
        "recipes/mega.yaml": recipe("mega", driver("{enabled: false}")),
    }
    composition = composed(tmp_path, files)
    assert values(composition)["agents"]["tolerations"] == [
        {"key": "gpu", "operator": "Exists"},
        {"key": "extra", "operator": "Exists"},
    ]
    assert values(composition)["driver"] == {"enabled": False, "version": "patched"}
    [added] = composition.trace.assignments["/components/operator/values/agents/tolerations/1"]
    assert (added.action, added.layer, str(added.location)) == ("patch", "overlay a", "overlays/a.yaml:8:9")


def test_a_patch_sees_the_values_of_its_own_layer(tmp_path):
    body = (
        "components:\n  - name: operator\n    values: {new: {a: 1}}\n    patches:\n      - {op: replace, path: /new/a, value: 2}\n"
    )
    assert values(composed(tmp_path, {"recipes/mega.yaml": recipe("mega", body)}))["new"] == {"a": 2}


def test_composing_twice_gives_the_same_from_one_catalogue_and_from_another(tmp_path):
    files = {**LAYERED, "recipes/mega.yaml": recipe("mega", PATCH)}
    catalog = catalogue(tmp_path, files)
    first, second = compose(catalog, request()), compose(catalog, request())
    assert first == second == compose(catalogue(tmp_path, files), request())


@pytest.mark.parametrize(
    ("later", "written"),
    [
        ("agents: {tolerations: []}", "/agents/tolerations (recipes/mega.yaml:8:16)"),
        ("agents: null", "/agents (recipes/mega.yaml:8:7)"),
        ("agents: text", "/agents (recipes/mega.yaml:8:7)"),
    ],
)
def test_a_patch_that_a_later_layer_wipes_out_is_refused(tmp_path, later, written):
    # The warning of the platform overrides: a patch that appends to a list must come after what sets the list.
    files = {
        "overlays/a.yaml": overlay("a", "{service: gke}", PATCH),
        "recipes/mega.yaml": recipe("mega", f"components:\n  - name: operator\n    values:\n      {later}\n"),
    }
    assert refused(composed, tmp_path, files) == [
        (
            "AICR-C043: patch add /agents/tolerations/- on the values of operator by overlay a is undone by recipe mega, "
            f"which writes {written}\n"
            f"  --> overlays/a.yaml:8:9\n  fix: move the patch to recipe mega, or write the whole value there"
        )
    ]


def test_a_patch_that_a_later_layer_repeats_or_extends_is_kept(tmp_path):
    files = {
        "overlays/a.yaml": overlay("a", "{service: gke}", PATCH),
        "recipes/mega.yaml": recipe(
            "mega", driver("{version: patched}") + "    patches:\n      - {op: remove, path: /agents/tolerations/0}\n"
        ),
    }
    composition = composed(tmp_path, files)
    assert values(composition)["agents"]["tolerations"] == [{"key": "extra", "operator": "Exists"}]
    assert values(composition)["driver"]["version"] == "patched"
