"""Requirements on merging. Rule: RFC 7396, whose appendix A is the table below, plus list keys as Kubernetes declares them."""

import copy

import pytest

from bundler.compose.lists import Lists
from bundler.compose.merge import merge

ENV = {
    "properties": {
        "env": {
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
            "items": {"properties": {"args": {"x-kubernetes-list-type": "set"}}},
        },
        "ports": {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port", "protocol"]},
        "finalizers": {"x-kubernetes-list-type": "set"},
        "command": {"x-kubernetes-list-type": "atomic"},
    }
}


@pytest.mark.parametrize(
    ("below", "above", "merged"),
    [
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b"}, {"a": None}, {}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
        ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
        ({"a": 1}, {"a": {"b": None}}, {"a": {}}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
        ({"a": {"b": 1}}, {"a": {}}, {"a": {"b": 1}}),
        ({}, {"a": [None, {"b": None}]}, {"a": [None, {"b": None}]}),
    ],
)
def test_maps_merge_null_deletes_and_lists_replace(below, above, merged):
    assert merge(below, above) == merged


@pytest.mark.parametrize(
    ("below", "above", "merged"),
    [
        (
            {"env": [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}]},
            {"env": [{"name": "C", "value": "3"}, {"name": "A", "value": "4"}]},
            {"env": [{"name": "A", "value": "4"}, {"name": "B", "value": "2"}, {"name": "C", "value": "3"}]},
        ),
        (
            {"env": [{"name": "A", "value": "1", "valueFrom": {}}]},
            {"env": [{"name": "A", "value": None}]},
            {"env": [{"name": "A", "valueFrom": {}}]},
        ),
        (
            {"env": [{"name": "A", "args": ["x"]}]},
            {"env": [{"name": "A", "args": ["y", "x"]}]},
            {"env": [{"name": "A", "args": ["x", "y"]}]},
        ),
        (
            {"ports": [{"port": 1, "protocol": "TCP"}]},
            {"ports": [{"port": 1, "protocol": "UDP"}]},
            {"ports": [{"port": 1, "protocol": "TCP"}, {"port": 1, "protocol": "UDP"}]},
        ),
        ({"finalizers": ["a"]}, {"finalizers": ["b", "a"]}, {"finalizers": ["a", "b"]}),
        ({"command": ["a"]}, {"command": ["b"]}, {"command": ["b"]}),
        ({"env": "text"}, {"env": [{"name": "A"}]}, {"env": [{"name": "A"}]}),
        ({}, {"env": [{"name": "A", "value": None}]}, {"env": [{"name": "A"}]}),
        ({"env": []}, {"env": [{"value": "1"}, "text"]}, {"env": [{"value": "1"}, "text"]}),
    ],
)
def test_lists_with_keys_merge_by_key_and_sets_unite(below, above, merged):
    assert merge(below, above, Lists.of(ENV)) == merged


def test_nothing_is_mutated_and_what_does_not_change_is_shared():
    below = {"kept": {"deep": [1]}, "changed": {"a": 1}, "env": [{"name": "A"}]}
    above = {"changed": {"b": {"c": [2]}}, "env": [{"name": "B"}]}
    before = copy.deepcopy((below, above))
    merged = merge(below, above, Lists.of(ENV))
    assert (below, above) == before
    assert merged["kept"] is below["kept"]
