"""S7: of two layers that set one path the trace shows both; a flag beside a profile must say the same."""

from tests.unit.compose.catalogues import composed, overlay, recipe, refused, set_, values
from tests.unit.profiles.declared import composed as with_profiles

BODY = "components:\n  - name: operator\n    values: {{driver: {{version: '{}'}}}}\n"


def test_the_trace_shows_every_layer_that_set_a_path_oldest_first(tmp_path):
    files = {"overlays/a.yaml": overlay("a", "{os: cos}", BODY.format(1)), "recipes/mega.yaml": recipe("mega", BODY.format(2))}
    composition = composed(tmp_path, files)
    assert values(composition)["driver"]["version"] == "2"
    assert [
        (made.layer, made.value, str(made.location)) for made in composition.trace.of("/components/operator/values/driver/version")
    ] == [
        ("base", "operator", "recipes/base.yaml:5:5"),
        ("component operator", "580.1.0", "recipes/components/operator/values.yaml:3:3"),
        ("overlay a", "1", "overlays/a.yaml:7:23"),
        ("recipe mega", "2", "recipes/mega.yaml:7:23"),
    ]


def test_a_profile_stands_above_layers_and_the_trace_says_so(tmp_path):
    made = with_profiles(tmp_path).trace.assignments["/components/operator/values/driver/enabled"]
    assert [(each.layer, each.value) for each in made] == [("component operator", True), ("profile stack=managed", False)]


def test_a_flag_that_contradicts_the_profile_is_refused_and_one_that_repeats_it_is_not(tmp_path):
    assert refused(with_profiles, tmp_path, overrides=(set_("operator", "driver.enabled", "true"),)) == [
        (
            "AICR-P015: operator:driver.enabled belongs to the profile: stack=managed makes it false, not true\n"
            "  --> --set\n  fix: choose --profile stack=owned instead"
        )
    ]
    assert with_profiles(tmp_path, overrides=(set_("operator", "driver.enabled", "false"),))
