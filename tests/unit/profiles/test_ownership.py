"""Requirements on owned paths: a flag may repeat the choice and never change it."""

import pytest

from bundler.model.location import Location
from bundler.model.request import Override, Scheduling
from tests.unit.compose.catalogues import refused, set_, values
from tests.unit.profiles.declared import FILES, composed

JSON = Location(file="--set-json op:driver")


def data(path, value):
    return Override(component="op", path=path, value=value, location=JSON)


@pytest.mark.parametrize(
    "override",
    [
        set_("op", "driver.enabled", "false"),
        set_("operator", "mode.kind", "managed"),
        data(("driver",), {"enabled": False, "version": "7"}),
        data(("driver", "version"), "7"),
        set_("op", "driver.version", "null"),
    ],
)
def test_stating_the_choice_again_or_what_stands_beside_it_is_fine(tmp_path, override):
    assert values(composed(tmp_path, overrides=(override,)))["driver"]["enabled"] is False


LEAVE = "leave it out, or choose another value with --profile stack=VALUE: managed, owned"


@pytest.mark.parametrize(
    ("override", "finding"),
    [
        (
            set_("op", "driver.enabled", "true"),
            (
                "AICR-P015: operator:driver.enabled belongs to the profile: stack=managed makes it false, not true\n"
                "  --> --set\n  fix: choose --profile stack=owned instead"
            ),
        ),
        (
            set_("operator", "mode.kind", "oracle"),
            (
                f"AICR-P015: operator:mode.kind belongs to the profile: stack=managed makes it 'managed', not 'oracle'\n"
                f"  --> --set\n  fix: {LEAVE}"
            ),
        ),
        (
            set_("op", "driver.enabled", "null"),
            (
                f"AICR-P015: operator:driver.enabled belongs to the profile: stack=managed makes it false, not absent\n"
                f"  --> --set\n  fix: {LEAVE}"
            ),
        ),
        (
            data(("driver",), None),
            (
                f"AICR-P015: operator:driver.enabled belongs to the profile: stack=managed makes it false, not absent\n"
                f"  --> {JSON}\n  fix: {LEAVE}"
            ),
        ),
        (
            data(("driver",), {"version": "7", "enabled": True}),
            (
                "AICR-P015: operator:driver.enabled belongs to the profile: stack=managed makes it false, not true\n"
                f"  --> {JSON}\n  fix: choose --profile stack=owned instead"
            ),
        ),
        (
            data(("driver", "enabled"), 0),
            (
                f"AICR-P015: operator:driver.enabled belongs to the profile: stack=managed makes it false, not 0\n"
                f"  --> {JSON}\n  fix: {LEAVE}"
            ),
        ),
    ],
)
def test_a_flag_that_changes_an_owned_path_names_the_choice_to_make(tmp_path, override, finding):
    assert refused(composed, tmp_path, overrides=(override,)) == [finding]


def test_a_path_that_the_choice_leaves_absent_is_owned_too(tmp_path):
    overrides = (data(("mode",), {"kind": "managed"}),)
    profiles = {"fabric": "none", "stack": "owned"}
    files = {"recipes/components/operator/values.yaml": "driver: {enabled: true}\nmode: {kind: none, other: 1}\n"}
    assert refused(composed, tmp_path, files, profiles=profiles, overrides=overrides) == [
        "AICR-C053: operator has no value 'mode.kind'\n  --> --set-json op:driver\n  fix: known below operator:mode: other"
    ]
    files["schemas/values/operator.json"] = "{}"
    assert refused(composed, tmp_path, files, profiles=profiles, overrides=overrides) == [
        (
            "AICR-P015: operator:mode.kind belongs to the profile: stack=owned makes it absent, not 'managed'\n"
            f"  --> {JSON}\n  fix: choose --profile stack=managed instead"
        )
    ]


def test_a_placement_flag_is_a_flag_as_any_other(tmp_path):
    profile = FILES["recipes/profiles/stack.yaml"].replace("driver: {enabled", "controller: {tolerations: []}, driver: {enabled")
    system = Scheduling(tolerations=({"key": "system", "operator": "Exists"},))
    [finding] = refused(composed, tmp_path, {"recipes/profiles/stack.yaml": profile}, system=system)
    assert finding == (
        "AICR-P015: operator:controller.tolerations belongs to the profile: stack=managed makes it [], "
        f'not [{{"key": "system", "operator": "Exists"}}]\n  --> --system-toleration\n  fix: {LEAVE}'
    )
