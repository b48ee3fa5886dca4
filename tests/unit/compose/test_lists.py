"""Requirements on reading list kinds from schemas."""

import json
from pathlib import Path

from bundler.compose.lists import Lists, item_key

SCHEMAS = Path(__file__).parents[3] / "schemas"


def test_a_list_of_which_the_schema_says_nothing_is_atomic():
    plain = {"type": "array", "items": {"type": "object"}}
    lists = Lists.of({"properties": {"a": plain, "b": {"x-kubernetes-list-type": "atomic"}}})
    for name in ("a", "b"):
        assert (lists.below(name).keys, lists.below(name).unordered) == ((), False)


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


def test_a_schema_that_refers_to_itself_is_read_as_far_as_the_data_goes():
    node = {"properties": {"next": {"$ref": "#/$defs/node"}, "names": {"x-kubernetes-list-type": "set"}}}
    lists = Lists.of({"$ref": "#/$defs/node", "$defs": {"node": node}})
    for _ in range(100):
        assert lists.below("names").unordered
        lists = lists.below("next")


def test_a_reference_to_nothing_or_to_itself_says_nothing():
    assert Lists.of({"$ref": "#/$defs/absent"}) is None
    assert Lists.of({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}) is None
    assert Lists.of({"properties": {"a": True}}).below("a") is None


def test_what_nobody_asks_about_is_not_read():
    class Unread(dict):
        def get(self, *_):
            raise AssertionError("read")

    lists = Lists.of({"properties": {"asked": {"x-kubernetes-list-type": "set"}, "other": Unread()}})
    assert lists.below("asked").unordered


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
