"""Requirements on the schemas themselves: strict, described, safe to run and self-contained."""

import json
import re

import jsonschema_rs
import pytest

from bundler.catalog.catalog import KINDS, Catalog
from bundler.catalog.root import packaged_root

ROOT = packaged_root() / "schemas"
NAMES = sorted([*(kind.lower() for kind in KINDS), "layer", *(f"values/{path.stem}" for path in (ROOT / "values").glob("*.json"))])
CATALOG = Catalog.load()
META = "https://json-schema.org/draft/2020-12/schema"


def nodes(schema, path=""):
    """Every schema inside a schema, with its path."""
    yield path, schema
    for key in ("properties", "$defs", "dependentSchemas"):
        for name, inner in schema.get(key, {}).items():
            if isinstance(inner, dict):
                yield from nodes(inner, f"{path}/{key}/{name}")
    for key in ("items", "additionalProperties", "propertyNames", "if", "then", "not"):
        if isinstance(schema.get(key), dict):
            yield from nodes(schema[key], f"{path}/{key}")
    for key in ("allOf", "anyOf", "oneOf"):
        for index, inner in enumerate(schema.get(key, ())):
            yield from nodes(inner, f"{path}/{key}/{index}")


@pytest.fixture(params=NAMES)
def schema(request):
    return json.loads((ROOT / f"{request.param}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_draft_2020_12_and_named_for_its_file(name):
    schema = json.loads((ROOT / f"{name}.json").read_text(encoding="utf-8"))
    assert schema["$schema"] == META
    assert schema["$id"] == f"https://aicr.run/schemas/{name}.json"
    assert jsonschema_rs.meta.is_valid(schema)


def test_a_map_with_known_keys_knows_all_of_them(schema):
    for path, node in nodes(schema):
        if node.get("type") == "object" and "properties" in node:
            assert node.get("additionalProperties") is False, path


def test_a_list_says_how_it_merges(schema):
    if schema["title"].startswith("Values of"):
        return  # Values are a chart's: their lists replace.
    for path, node in nodes(schema):
        if node.get("type") == "array":
            assert node["x-kubernetes-list-type"] in {"atomic", "map", "set"}, path
            assert ("x-kubernetes-list-map-keys" in node) == (node["x-kubernetes-list-type"] == "map"), path
            assert node.get("uniqueItems", False) == (node["x-kubernetes-list-type"] == "set"), path


def test_every_field_of_an_authored_document_is_described(schema):
    if schema["title"].startswith("Values of"):
        return
    for path, node in nodes(schema):
        if "/properties/" in path and "/allOf/" not in path and "$ref" not in node:
            assert node.get("description"), path


def test_a_pattern_matches_whole_lines_and_cannot_run_away(schema):
    for path, node in nodes(schema):
        if "pattern" in node:
            pattern = node["pattern"]
            assert pattern.startswith("^"), path
            assert pattern.endswith(r"$(?!\n)"), path
            assert not re.search(r"\([^()]*[*+}][^()]*\)[*+{]", pattern), path


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("values/")])
def test_a_values_schema_refers_to_nothing_outside_itself(name):
    text = (ROOT / f"{name}.json").read_text(encoding="utf-8")
    assert all(reference.startswith("#/$defs/") for reference in re.findall(r'"\$ref": "([^"]*)"', text))


def errors(kind, document):
    return [finding.message for finding in CATALOG.validator(kind).check(document)]


OVERLAY = {
    "apiVersion": "aicr.run/v2",
    "kind": "Overlay",
    "metadata": {"name": "x", "description": "X."},
    "criteria": {"os": "cos"},
}


def overlay(**parts):
    return OVERLAY | parts


@pytest.mark.parametrize(
    "document",
    [
        overlay(criteria={}),
        overlay(criteria={"gpu": "h100"}),
        overlay(criteria={"os": "COS"}),
        overlay(criteria={"os": "cos\n"}),
        overlay(unknown=1),
        overlay(components=[{"name": "a", "version": "1"}]),
        overlay(components=[{"name": "a", "patches": [{"op": "add", "path": "", "value": 1}]}]),
        overlay(components=[{"name": "a", "patches": [{"op": "add", "path": "/a", "vlaue": 1}]}]),
        overlay(components=[{"name": "a", "patches": [{"op": "remove", "path": "/a", "value": 1}]}]),
        overlay(components=[{"name": "a", "patches": [{"op": "move", "path": "/a"}]}]),
        overlay(components=[{"name": "a", "patches": [{"op": "replace", "path": "/a~2", "value": 1}]}]),
        overlay(components=[{"name": "a", "manifests": ["../../etc/x.yaml.j2"]}]),
        overlay(components=[{"name": "a", "manifests": ["/etc/x.yaml.j2"]}]),
        overlay(components=[{"name": "a", "dependencies": ["b", "b"]}]),
        overlay(constraints=[{"name": "K8s.server.version", "value": 1.32, "reason": "x"}]),
        overlay(constraints=[{"name": "K8s.server.version", "value": ">= 1.32"}]),
    ],
    ids=str,
)
def test_an_overlay_that_breaks_a_rule_is_refused(document):
    assert errors("overlay", OVERLAY) == []
    assert errors("overlay", document)


@pytest.mark.parametrize(
    ("axis", "accepted"),
    [
        ({"default": "none"}, True),
        ({"required": True}, True),
        ({"required": True, "values": ["none"]}, True),
        ({}, False),
        ({"required": False}, False),
        ({"default": "none", "required": True}, False),
        ({"default": "none", "values": []}, False),
        ({"default": "none", "values": ["none", "none"]}, False),
    ],
)
def test_an_axis_has_a_default_or_is_required(axis, accepted):
    criteria = {"service": "gke", "accelerator": "h100", "os": "cos", "intent": "training", "platform": "kubeflow"}
    recipe = OVERLAY | {"kind": "Recipe", "criteria": criteria, "profiles": {"gpuStack": axis}}
    assert (errors("recipe", recipe) == []) is accepted


def test_a_recipe_states_all_five_criteria():
    recipe = OVERLAY | {"kind": "Recipe", "criteria": {"service": "gke", "os": "cos"}}
    assert errors("recipe", recipe) == [f"required field {name!r} is missing" for name in ("accelerator", "intent", "platform")]


@pytest.mark.parametrize(
    ("parameter", "accepted"),
    [
        ({"description": "x", "schema": {"type": "string"}}, True),
        ({"description": "x", "releases": "tcpxo"}, True),
        ({"description": "x"}, False),
        ({"description": "x", "schema": {"type": "string"}, "releases": "tcpxo"}, False),
        ({"description": "x", "schema": {"type": "text"}}, False),
    ],
)
def test_a_parameter_has_a_schema_or_a_release_table(parameter, accepted):
    profile = {
        "apiVersion": "aicr.run/v2",
        "kind": "Profile",
        "metadata": {"name": "axis", "description": "x"},
        "values": {"on": {"description": "x", "parameters": {"it": parameter}}},
    }
    assert (errors("profile", profile) == []) is accepted


@pytest.mark.parametrize(
    ("image", "accepted"),
    [
        ({"tag": "1"}, True),
        ({"digest": "sha256:" + "a" * 64}, True),
        ({"tag": "fixed", "preloaded": True}, True),
        ({}, False),
        ({"digest": "sha256:" + "a" * 63}, False),
        ({"tag": "1\n"}, False),
        ({"tag": "fixed", "digest": "sha256:" + "a" * 64, "preloaded": True}, False),
    ],
)
def test_an_image_has_a_tag_or_a_digest_and_a_preloaded_one_no_digest(image, accepted):
    table = OVERLAY | {"kind": "ImageTable", "images": [{"name": "x", "repository": "example.com/x", "source": "x", **image}]}
    del table["criteria"]
    assert (errors("imagetable", table) == []) is accepted
