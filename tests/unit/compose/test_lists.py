"""Requirements on reading list kinds from schemas."""

import json
from pathlib import Path

from bundler.compose.lists import Lists, item_key

SCHEMAS = Path(__file__).parents[3] / "schemas"


def test_a_schema_without_list_kinds_needs_no_attention():
    assert (
        Lists.of({"properties": {"a": {"type": "array", "items": {"type": "object"}}, "b": {"x-kubernetes-list-type": "atomic"}}})
        is None
    )


def test_references_are_followed_within_the_schema_and_to_siblings():
    shared = {"$defs": {"env": {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]}}}
    schema = {
        "properties": {"own": {"$ref": "#/$defs/set"}, "other": {"$ref": "shared.json#/$defs/env"}},
        "$defs": {"set": {"x-kubernetes-list-type": "set"}},
    }
    lists = Lists.of(schema, siblings={"https://example.org/shared.json": shared})
    assert lists.below("own").unordered
    assert lists.below("other").keys == ("name",)
    assert lists.below("unknown") is None


def test_a_schema_that_refers_to_itself_or_to_nothing_is_read_once():
    node = {"properties": {"next": {"$ref": "#/$defs/node"}, "names": {"x-kubernetes-list-type": "set"}}}
    lists = Lists.of({"$ref": "#/$defs/node", "$defs": {"node": node}})
    assert lists.below("names").unordered
    assert lists.below("next") is None
    assert Lists.of({"$ref": "#/$defs/absent"}) is None


def test_additional_properties_and_items_are_looked_into():
    kind = {"x-kubernetes-list-type": "set"}
    lists = Lists.of({"additionalProperties": {"items": {"properties": {"names": kind}}}})
    assert lists.below("anything").items.below("names").unordered


def test_an_item_without_its_key_has_none():
    assert item_key({"name": "a", "port": 1}, ("name", "port")) == "a,1"
    assert item_key({"name": "a"}, ("name", "port")) is None
    assert item_key("a", ("name",)) is None


def test_layers_name_components_runtimes_and_constraints_by_name():
    siblings = {
        schema["$id"]: schema for path in SCHEMAS.glob("*.json") if "$id" in (schema := json.loads(path.read_text("utf-8")))
    }
    lists = Lists.of(json.loads((SCHEMAS / "overlay.json").read_text("utf-8")), siblings=siblings)
    assert [lists.below(section).keys for section in ("components", "runtimes", "constraints")] == [("name",)] * 3
    component = lists.below("components").items
    assert component.below("dependencies").unordered
    assert component.below("manifests").unordered
