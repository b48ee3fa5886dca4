"""Requirements on placement flags: they reach every component that takes them, or are refused."""

from bundler.model.location import Location
from bundler.model.request import Scheduling
from tests.unit.compose.catalogues import base, composed, recipe, refused, set_, values

SYSTEM = Scheduling(node_selector={"pool": "system"}, tolerations=({"key": "system", "operator": "Exists"},))
RUNTIME = {"recipes/mega.yaml": recipe("mega", "runtimes:\n  - name: torch\n")}


def test_placement_is_written_to_the_paths_of_the_registry_and_traced(tmp_path):
    accelerated = Scheduling(tolerations=({"key": "nvidia.com/gpu", "operator": "Exists"},))
    origins = {"/system/nodeSelector/pool": Location(file="--system-node-selector pool=system")}
    composition = composed(tmp_path, system=SYSTEM, accelerated=accelerated, origins=origins)
    assert values(composition)["controller"] == {
        "nodeSelector": {"pool": "system"},
        "tolerations": [{"key": "system", "operator": "Exists"}],
    }
    assert values(composition)["agents"]["tolerations"] == [{"key": "nvidia.com/gpu", "operator": "Exists"}]
    assert (composition.system, composition.accelerated) == (SYSTEM, accelerated)
    made = composition.trace.assignments
    [selector] = made["/components/operator/values/controller/nodeSelector/pool"]
    assert (selector.layer, selector.location) == ("flags", Location(file="--system-node-selector pool=system"))
    [tolerations] = made["/components/operator/values/controller/tolerations"]
    assert tolerations.location == Location(file="--system-toleration")


def test_labels_join_those_that_layers_state_and_tolerations_replace_them(tmp_path):
    files = {"recipes/components/operator/values.yaml": "controller: {nodeSelector: {os: linux}, tolerations: [{key: old}]}\n"}
    assert values(composed(tmp_path, files, system=SYSTEM))["controller"] == {
        "nodeSelector": {"os": "linux", "pool": "system"},
        "tolerations": [{"key": "system", "operator": "Exists"}],
    }


def test_accelerated_placement_is_for_runtimes_even_if_no_component_takes_it(tmp_path):
    accelerated = Scheduling(node_selector={"gpu": "h100"})
    assert composed(tmp_path, RUNTIME, accelerated=accelerated).accelerated == accelerated
    assert refused(composed, tmp_path / "without", accelerated=accelerated) == [
        (
            "AICR-C056: no component of this recipe takes node selector of accelerated nodes\n"
            "  --> --accelerated-node-selector\n"
            "  fix: remove the flag, or set the component's own value with --set"
        )
    ]


def test_system_placement_that_nothing_takes_is_refused(tmp_path):
    files = {
        **RUNTIME,
        "recipes/base.yaml": base("components:\n  - name: network\n"),
    }
    assert [text[:9] for text in refused(composed, tmp_path, files, system=SYSTEM)] == ["AICR-C056", "AICR-C056"]


def test_two_flags_for_one_value_are_refused_unless_they_agree(tmp_path):
    overrides = (set_("op", "controller.nodeSelector.pool", "other", at="--set op:controller.nodeSelector.pool"),)
    origins = {"/system/nodeSelector/pool": Location(file="--system-node-selector pool=system")}
    assert refused(composed, tmp_path, overrides=overrides, system=SYSTEM, origins=origins) == [
        (
            "AICR-C055: operator:controller.nodeSelector.pool is set by two flags, "
            "and --system-node-selector pool=system would win\n"
            "  --> --set op:controller.nodeSelector.pool\n"
            "  fix: give one of the two"
        )
    ]
    agreeing = (set_("op", "controller.nodeSelector.pool", "system"), set_("op", "controller.nodeSelector.zone", "a"))
    assert values(composed(tmp_path / "agreeing", overrides=agreeing, system=SYSTEM))["controller"]["nodeSelector"] == {
        "pool": "system",
        "zone": "a",
    }
