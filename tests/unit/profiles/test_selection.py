"""Requirements on choosing profile values: silence chooses only a default, and only what fits can be chosen."""

import pytest

from bundler.model.composition import Selection
from bundler.model.location import Location
from tests.unit.compose.catalogues import base, profile, recipe, refused, values
from tests.unit.profiles.declared import NETWORKS, composed, multi

ORIGINS = {"/profiles/fabric": Location(file="--profile fabric=x"), "/profiles/stack": Location(file="--profile stack=x")}


def test_a_default_applies_when_nothing_is_chosen(tmp_path):
    composition = composed(tmp_path)
    assert [(each.axis, each.value) for each in composition.selections] == [("fabric", "none"), ("stack", "managed")]
    assert values(composition)["driver"]["enabled"] is False
    assert values(composition)["mode"] == {"kind": "managed"}
    assert [layer.label for layer in composition.layers][-2:] == ["profile fabric=none", "profile stack=managed"]


def test_another_value_changes_what_the_axis_owns_and_brings_what_it_brings(tmp_path):
    composition = composed(tmp_path, profiles={"fabric": "none", "stack": "owned"})
    assert values(composition)["driver"]["enabled"] is True
    assert values(composition)["mode"] == {}
    assert values(composition, "plugin") == {"extra": 1}
    assert composition.component("operator").dependencies == ("network",)
    assert composition.selection("stack").owned == (
        "/components/operator/values/driver/enabled",
        "/components/operator/values/mode/kind",
        "/components/plugin/values/extra",
    )
    assert composition.warnings == ()
    assert composed(tmp_path / "managed").component("plugin") is None


def test_a_selection_carries_parameters_releases_and_its_declaration(tmp_path):
    composition = multi(tmp_path, "eth3=net-3,eth1=net-1,eth2=net-2")
    selection = composition.selection("fabric")
    assert isinstance(selection, Selection)
    assert selection.parameters == {"interfaces": NETWORKS, "release": "v1.0.1"}
    assert list(selection.parameters["interfaces"]) == ["eth1", "eth2", "eth3"]
    assert selection.releases["release"]["source"] == "https://example.org/1"
    assert selection.declaration["transport"] == "Multi"
    assert [(runtime.name, runtime.axis) for runtime in composition.runtimes] == [("torch-multi", "fabric")]
    assert [(each.name, each.value) for each in composition.constraints] == [("Pools.driver", "Install")]


@pytest.mark.parametrize(("service", "found"), [("gke", ["Pools.driver Install"]), ("oke", ["Pools.driver None"])])
def test_a_constraint_of_a_value_binds_where_its_criteria_hold(tmp_path, service, found):
    stack = """
    managed:
      description: The node image brings the driver.
      constraints:
        - {name: Pools.driver, value: Install, criteria: {service: gke}, reason: R.}
    oracle:
      description: Oracle brings the driver.
      constraints:
        - {name: Pools.driver, value: None, criteria: {service: oke}, reason: R.}
        - {name: Pools.other, value: None, criteria: {service: oke, os: ubuntu}, reason: R.}
    """
    criteria = f"{{service: {service}, accelerator: h100, os: cos, intent: training, platform: kubeflow}}"
    files = {
        "recipes/profiles/stack.yaml": profile("stack", stack),
        "recipes/mega.yaml": recipe("mega", "profiles:\n  stack: {required: true}\n  fabric: {required: true}\n", criteria),
    }
    chosen = {"fabric": "none", "stack": "managed" if service == "gke" else "oracle"}
    composition = composed(tmp_path, files, profiles=chosen)
    assert [f"{each.name} {each.value}" for each in composition.constraints] == found


def test_a_required_choice_lists_the_values_that_fit_with_what_they_mean(tmp_path):
    assert refused(composed, tmp_path, profiles={}) == [
        (
            "AICR-P002: recipe 'mega' leaves fabric to you, and nothing chooses it\n"
            "  --> recipes/mega.yaml:7:3\n"
            "  fix: add --profile fabric=none (Pods use the cluster network only) or --profile fabric=multi (Eight networks) "
            "or --profile fabric=counted (A resource with a count)"
        )
    ]


@pytest.mark.parametrize(
    ("profiles", "finding"),
    [
        (
            {"fabric": "none", "stak": "managed"},
            "AICR-P001: recipe 'mega' has no profile 'stak'\n  --> --profile\n  fix: did you mean 'stack'?",
        ),
        (
            {"fabric": "mult"},
            (
                "AICR-P003: fabric has no value 'mult'\n  --> --profile fabric=x\n"
                "  fix: did you mean 'multi'? recipe 'mega' accepts none, multi, counted"
            ),
        ),
        (
            {"fabric": "NONE"},
            (
                "AICR-P003: fabric has no value 'NONE'\n  --> --profile fabric=x\n"
                "  fix: did you mean 'none'? recipe 'mega' accepts none, multi, counted"
            ),
        ),
        (
            {"fabric": ""},
            "AICR-P003: fabric has no value ''\n  --> --profile fabric=x\n  fix: recipe 'mega' accepts none, multi, counted",
        ),
        (
            {"fabric": "none", "stack": "oracle"},
            (
                "AICR-P004: stack=oracle does not apply to service=gke, os=cos: it fits service=oke or oci, os=ubuntu\n"
                "  --> --profile stack=x\n  fix: recipe 'mega' accepts managed, owned"
            ),
        ),
    ],
)
def test_a_choice_that_does_not_fit_says_what_would(tmp_path, profiles, finding):
    assert refused(composed, tmp_path, profiles=profiles, origins=ORIGINS) == [finding]


def test_a_recipe_accepts_only_what_is_on_its_list(tmp_path):
    body = "profiles:\n  fabric: {required: true, values: [none, counted]}\n"
    assert refused(composed, tmp_path, {"recipes/mega.yaml": recipe("mega", body)}, profiles={"fabric": "multi"}) == [
        "AICR-P005: fabric=multi is not on the list of recipe 'mega'\n  --> --profile\n  fix: recipe 'mega' accepts none, counted"
    ]


def test_a_default_that_does_not_fit_is_found_in_the_recipe(tmp_path):
    body = "profiles:\n  stack: {default: oracle}\n"
    assert refused(composed, tmp_path, {"recipes/mega.yaml": recipe("mega", body)}, profiles={}) == [
        (
            "AICR-P004: stack=oracle does not apply to service=gke, os=cos: it fits service=oke or oci, os=ubuntu\n"
            "  --> recipes/mega.yaml:6:11\n  fix: recipe 'mega' accepts managed, owned"
        )
    ]


def test_a_recipe_cannot_leave_open_what_nobody_declares(tmp_path):
    body = "profiles:\n  fabrik: {required: true}\n"
    assert refused(composed, tmp_path, {"recipes/mega.yaml": recipe("mega", body)}, profiles={}) == [
        (
            "AICR-P019: recipe 'mega' declares the profile 'fabrik', of which there is no declaration\n"
            "  --> recipes/mega.yaml:6:3\n  fix: did you mean 'fabric'?; or add recipes/profiles/fabrik.yaml"
        )
    ]


def test_a_recipe_without_profiles_takes_none(tmp_path):
    finding = "AICR-P001: recipe 'mega' has no profile 'fabric'\n  --> --profile\n  fix: remove it"
    assert refused(composed, tmp_path, {"recipes/mega.yaml": recipe("mega", "")}) == [finding]


@pytest.mark.parametrize(
    ("profiles", "parameters", "finding"),
    [
        (
            {"fabric": "multi"},
            {},
            (
                "AICR-P006: fabric=multi needs the parameter 'interfaces': Interface to network\n  --> --profile fabric=x\n"
                "  fix: add --param fabric.interfaces=eth1=net-1,eth2=net-2,eth3=net-3; "
                "the cluster's own values: kubectl get networks"
            ),
        ),
        (
            {"fabric": "counted"},
            {"fabric": {}},
            (
                "AICR-P006: fabric=counted needs the parameter 'resource': Its name\n"
                "  --> --profile fabric=x\n  fix: add --param fabric.resource=VALUE"
            ),
        ),
        (
            {"fabric": "counted"},
            {"fabric": {"resource": "a", "cuont": "1"}},
            "AICR-P007: fabric=counted has no parameter 'cuont'\n  --> --param\n  fix: did you mean 'count'?",
        ),
        (
            {"fabric": "none"},
            {"fabric": {"interfaces": "eth1=a"}},
            "AICR-P007: fabric=none has no parameter 'interfaces'\n  --> --param\n  fix: it takes none: leave it out",
        ),
        (
            {"fabric": "none"},
            {"fabrik": {"interfaces": "eth1=a"}},
            "AICR-P001: recipe 'mega' has no profile 'fabrik'\n  --> --param\n  fix: did you mean 'fabric'?",
        ),
    ],
)
def test_parameters_are_those_that_the_value_declares(tmp_path, profiles, parameters, finding):
    assert refused(composed, tmp_path, profiles=profiles, parameters=parameters, origins=ORIGINS) == [finding]


def test_everything_wrong_on_all_axes_is_found_at_once(tmp_path):
    found = refused(composed, tmp_path, profiles={"stack": "x", "y": "z"}, parameters={"fabric": {"a": 1}})
    assert [text[:9] for text in found] == ["AICR-P001", "AICR-P002", "AICR-P003"]


def test_a_profile_value_for_a_component_that_is_not_there_is_refused(tmp_path):
    body = "profiles:\n  stack: {default: owned}\n"
    assert refused(composed, tmp_path, {"recipes/mega.yaml": recipe("mega", body)}, profiles={}) == [
        (
            "AICR-C020: component 'operator' depends on 'network', which the recipe does not include (profile stack=owned)\n"
            "  --> recipes/profiles/stack.yaml:17:24\n"
            "  fix: include 'network', or drop the dependency; included: operator, plugin"
        )
    ]
    assert refused(composed, tmp_path / "no-operator", {"recipes/base.yaml": base("components:\n  - name: network\n")}) == [
        (
            "AICR-P018: profile stack=managed sets values of 'operator', which the recipe does not include\n"
            "  --> recipes/profiles/stack.yaml:8:9\n  fix: include 'operator' in a layer, or list it under brings"
        )
    ]
