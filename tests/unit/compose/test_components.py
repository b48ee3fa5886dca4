"""Requirements on components: versions from the registry, values that their schema accepts."""

import pytest

from bundler.model.composition import Chart
from bundler.model.location import Location
from tests.unit.compose.catalogues import composed, overlay, recipe, refused

SCHEMA = """\
{"type": "object", "additionalProperties": false, "required": ["driver"], "properties": {
  "driver": {"type": "object", "additionalProperties": false, "required": ["version"],
    "properties": {"enabled": {"type": "boolean"}, "version": {"type": "string"}}},
  "agents": {"type": "object"}, "labels": {"type": "object"}}}
"""
NETWORK = {"overlays/n.yaml": overlay("net", "{os: cos}", "components:\n  - name: network\n")}


def strict(recipe_body):
    return {"schemas/values/operator.json": SCHEMA, "recipes/mega.yaml": recipe("mega", recipe_body)}


def test_the_registry_pins_the_version(tmp_path):
    operator = composed(tmp_path).component("operator")
    assert (operator.version, operator.namespace) == ("v1.2.0", "operator-system")
    assert operator.chart == Chart(repository="https://charts.example.org", name="operator", version="v1.2.0")


@pytest.mark.parametrize("version", ["v1.1.0", "v1.2.0"])
def test_another_version_is_chosen_among_the_selectable(tmp_path, version):
    operator = composed(tmp_path, versions={"op": version}).component("operator")
    assert (operator.version, operator.chart.version) == (version, version)


def test_a_component_of_manifests_only_has_no_chart(tmp_path):
    network = composed(tmp_path, NETWORK).component("network")
    assert (network.chart, network.version, network.manifests) == (None, "", ("components/network/network.yaml.j2",))


@pytest.mark.parametrize(
    ("versions", "finding"),
    [
        (
            {"operator": "v1.3.0"},
            (
                "AICR-C022: version 'v1.3.0' of operator is not selectable\n"
                "  --> --component-version operator=v1.3.0\n  fix: selectable: v1.2.0, v1.1.0"
            ),
        ),
        (
            {"network": "v1"},
            (
                "AICR-C022: component 'network' has no version to choose: it has no chart\n"
                "  --> --component-version\n  fix: leave it out"
            ),
        ),
        (
            {"plugin": "0.5.0"},
            (
                "AICR-C052: component 'plugin' is not part of this recipe\n"
                "  --> --component-version\n  fix: its components are network, operator"
            ),
        ),
        (
            {"operatr": "v1"},
            "AICR-C051: component 'operatr' is not known\n  --> --component-version\n  fix: did you mean 'operator'?",
        ),
    ],
)
def test_a_version_that_cannot_be_chosen_is_refused(tmp_path, versions, finding):
    origins = {"/versions/operator": Location(file="--component-version operator=v1.3.0")}
    assert refused(composed, tmp_path, NETWORK, versions=versions, origins=origins) == [finding]


def test_two_versions_of_one_component_are_refused(tmp_path):
    assert refused(composed, tmp_path, versions={"op": "v1.1.0", "operator": "v1.2.0"}) == [
        (
            "AICR-C055: component 'operator' is given two versions, 'v1.1.0' and 'v1.2.0'\n"
            "  --> --component-version\n  fix: give one of the two"
        )
    ]


def test_values_that_break_the_schema_are_found_at_the_line_that_wrote_them(tmp_path):
    body = "components:\n  - name: operator\n    values:\n      driver:\n        enabled: 1\n        versoin: '2'\n"
    assert refused(composed, tmp_path, strict(body)) == [
        "AICR-S002: 1 is an integer, not a boolean\n  --> recipes/mega.yaml:9:9\n  fix: ",
        "AICR-S001: unknown field 'versoin'\n  --> recipes/mega.yaml:10:9\n  fix: did you mean 'version'?",
    ]


def test_null_of_a_required_value_is_found_where_it_was_written(tmp_path):
    body = "components:\n  - name: operator\n    values:\n      driver: {version: null}\n"
    assert refused(composed, tmp_path, strict(body)) == [
        (
            "AICR-C014: null deletes operator:driver.version, which the component requires (recipe mega)\n"
            "  --> recipes/mega.yaml:8:16\n  fix: state another value"
        )
    ]
    body = "components:\n  - name: operator\n    values:\n      driver: null\n"
    assert refused(composed, tmp_path, strict(body))[0].startswith("AICR-C014: null deletes operator:driver, which")


def test_a_required_value_that_a_later_layer_states_again_is_no_finding(tmp_path):
    null = "components:\n  - name: operator\n    values:\n      driver: {version: null}\n"
    files = {
        **strict("components:\n  - name: operator\n    values:\n      driver: {version: '2'}\n"),
        "overlays/a.yaml": overlay("a", "{os: cos}", null),
    }
    assert composed(tmp_path, files).component("operator").values["driver"]["version"] == "2"


def test_constraints_of_all_layers_are_intersected_and_traced(tmp_path):
    def constraint(value):
        return f"constraints:\n  - {{name: K8s.server.version, value: '{value}', reason: R.}}\n"

    files = {
        "overlays/a.yaml": overlay("a", "{service: gke}", constraint(">= 1.30")),
        "recipes/mega.yaml": recipe("mega", constraint("< 1.36")),
    }
    composition = composed(tmp_path, files)
    assert [(each.name, each.value) for each in composition.constraints] == [("K8s.server.version", ">= 1.30, < 1.36")]
    made = composition.trace.assignments["/constraints/K8s.server.version"]
    assert [(each.action, each.layer, each.value) for each in made] == [
        ("narrow", "overlay a", ">= 1.30"),
        ("narrow", "recipe mega", "< 1.36"),
    ]
    files["recipes/mega.yaml"] = recipe("mega", constraint("< 1.29"))
    assert refused(composed, tmp_path, files) == [
        (
            "AICR-C031: constraint K8s.server.version cannot hold: recipe mega requires '< 1.29', overlay a requires '>= 1.30' "
            "(overlays/a.yaml:6:32)\n  --> recipes/mega.yaml:6:32\n  fix: change one of the two"
        )
    ]
