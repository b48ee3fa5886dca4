"""S6: null deletes in every layer alike; null of what is required is refused where it was written."""

import pytest

from bundler.model.location import Location
from bundler.model.request import Override
from tests.unit.compose.catalogues import base, composed, overlay, profile, recipe, refused, set_, values

NULL = "components:\n  - name: operator\n    values:\n      driver: {version: null}\n"
CHOICE = profile(
    "choice", "one:\n  description: One.\n  components:\n    - name: operator\n      values: {driver: {version: null}}\n"
)
FLAG = {"overrides": (set_("operator", "driver.version", "null"),)}
DATA = {
    "overrides": (Override(component="operator", path=("driver",), value={"version": None}, location=Location(file="--set-json")),)
}

LAYERS = {
    "base": ({"recipes/base.yaml": base(NULL)}, {}),
    "overlay": ({"overlays/a.yaml": overlay("a", "{os: cos}", NULL)}, {}),
    "recipe": ({"recipes/mega.yaml": recipe("mega", NULL)}, {}),
    "profile": (
        {"recipes/profiles/choice.yaml": CHOICE, "recipes/mega.yaml": recipe("mega", "profiles:\n  choice: {default: one}\n")},
        {},
    ),
    "set": ({}, FLAG),
    "set-json": ({}, DATA),
}
REQUIRED = """\
{"properties": {"driver": {"type": "object", "required": ["version"], "properties": {
  "version": {"type": "string"}, "enabled": {}}}}}
"""


@pytest.mark.parametrize("layer", LAYERS)
def test_null_deletes_in_every_layer(tmp_path, layer):
    files, stated = LAYERS[layer]
    assert values(composed(tmp_path, files, **stated))["driver"] == {"enabled": True}


@pytest.mark.parametrize("layer", LAYERS)
def test_null_of_a_required_value_is_refused_in_every_layer(tmp_path, layer):
    files, stated = LAYERS[layer]
    [finding] = refused(composed, tmp_path, {**files, "schemas/values/operator.json": REQUIRED}, **stated)
    assert finding.startswith("AICR-C014: null deletes operator:driver.version, which the component requires (")


@pytest.mark.parametrize("text", ["kind: null", "metadata: null", "components: null", "criteria: null"])
def test_null_of_a_required_field_of_a_document_is_refused(tmp_path, text):
    key = text.partition(":")[0]
    lines = [line for line in recipe("mega", "").splitlines() if not line.startswith(key)]
    found = refused(composed, tmp_path, {"recipes/mega.yaml": "\n".join([*lines, text, ""])})
    assert found[0].startswith(("AICR-S002", "AICR-S007", "AICR-S008"))
