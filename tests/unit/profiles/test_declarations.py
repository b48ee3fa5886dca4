"""Requirements on declarations: union totality, disjoint ownership, and examples that are right."""

import pytest

from bundler.profiles.declarations import check_declarations
from tests.unit.compose.catalogues import catalogue, profile, refused, shown
from tests.unit.profiles.declared import FABRIC, FILES, STACK, composed


def found(directory, files=None):
    return [shown(finding) for finding in check_declarations(catalogue(directory, {**FILES, **(files or {})}))]


def stack(text):
    return {"recipes/profiles/stack.yaml": profile("stack", text)}


def fabric(text):
    return {"recipes/profiles/fabric.yaml": profile("fabric", text)}


def test_sound_declarations_have_no_findings(tmp_path):
    assert found(tmp_path) == []


PARTIAL = (
    "AICR-P016: stack=managed does not set operator:mode.kind, which stack=owned sets: every value of an axis sets the same paths\n"
    "  --> recipes/profiles/stack.yaml:5:3\n  fix: state it for this value too; null says that it is absent"
)


def test_a_value_that_leaves_out_a_path_is_found_at_load_and_when_used(tmp_path):
    files = stack(STACK.replace("driver: {enabled: false}, mode: {kind: managed}", "driver: {enabled: false}"))
    assert found(tmp_path, files) == [PARTIAL]
    assert refused(composed, tmp_path, files) == [PARTIAL]
    assert refused(composed, tmp_path, files, profiles={"fabric": "none", "stack": "owned"}) == [PARTIAL]


def test_a_path_and_one_below_it_are_not_the_same(tmp_path):
    text = STACK.replace("mode: {kind: managed}", "mode: managed")
    assert [line[:60] for line in found(tmp_path, stack(text))] == [
        "AICR-P016: stack=managed does not set operator:mode.kind, wh",
        "AICR-P016: stack=owned does not set operator:mode, which sta",
        "AICR-P016: stack=oracle does not set operator:mode, which st",
    ]


@pytest.mark.parametrize(
    ("values", "paths"),
    [
        (
            "{driver: {enabled: true}}",
            "operator:driver.enabled is set by profile fabric=none and operator:driver.enabled by profile stack=managed",
        ),
        ("{driver: on}", "operator:driver is set by profile fabric=none and operator:driver.enabled by profile stack=managed"),
        (
            "{mode: {kind: {a: 1}}}",
            "operator:mode.kind.a is set by profile fabric=none and operator:mode.kind by profile stack=managed",
        ),
    ],
)
def test_a_path_belongs_to_one_axis(tmp_path, values, paths):
    values = values.replace("on}", "'on'}")
    component = f"\n  components:\n    - name: operator\n      values: {values}\n"
    files = fabric(f"none:\n  description: A.{component}multi:\n  description: B.{component}")
    expected = f"AICR-P017: {paths} (recipes/profiles/stack.yaml:9:"
    [at_load] = found(tmp_path, files)
    assert at_load.startswith(expected)
    assert at_load.endswith(
        "): a path belongs to one axis\n  --> "
        + at_load.split("--> ")[1].split("\n")[0]
        + "\n  fix: leave the path to one of the two"
    )
    assert refused(composed, tmp_path, files) == [at_load]


def test_components_that_a_value_brings_are_its_own(tmp_path):
    # `owned` alone sets plugin:extra, and brings the plugin.
    assert found(tmp_path, stack(STACK.replace("  brings: [plugin]\n", ""))) == [
        f"AICR-P016: stack={name} does not set plugin:extra, which stack=owned sets: every value of an axis sets the same paths\n"
        f"  --> recipes/profiles/stack.yaml:{line}:3\n  fix: state it for this value too; null says that it is absent"
        for name, line in (("managed", 5), ("oracle", 20))
    ]


def test_an_unknown_component_is_found(tmp_path):
    assert found(tmp_path, stack(STACK.replace("[plugin]", "[plugn]").replace("name: plugin", "name: plugn"))) == [
        "AICR-C012: component 'plugn' is not in the registry (profile stack=owned)\n"
        f"  --> recipes/profiles/stack.yaml:{place}\n"
        "  fix: did you mean 'plugin'?; components are registered in recipes/registry.yaml"
        for place in ("14:14", "19:9")
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (FABRIC.replace("default: 8", "default: 64"), "parameter fabric.count: it is 64, not a count from 1 to 32"),
        (FABRIC.replace("eth3: net-3}", "eth4: net-4}"), "parameter fabric.interfaces has no entry 'eth4'"),
    ],
)
def test_a_default_or_an_example_that_is_refused_itself_is_found(tmp_path, text, message):
    assert any(
        line.startswith(f"AICR-P020: the declaration breaks its own rule: {message}\n") for line in found(tmp_path, fabric(text))
    )


def test_a_release_table_that_does_not_exist_is_found(tmp_path):
    [finding] = found(tmp_path, fabric(FABRIC.replace("releases: fabric", "releases: fabrik")))
    assert finding.startswith("AICR-S017: no release table 'fabrik'")


def test_the_shipped_profiles_keep_the_rules():
    from bundler.catalog.catalog import Catalog

    assert check_declarations(Catalog.load()) == ()
