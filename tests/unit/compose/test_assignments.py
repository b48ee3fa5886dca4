"""Requirements on what a layer is said to write: one assignment a leaf, list items by their key."""

import pytest

from bundler.compose.assignments import everywhere, leaves, same, trace_of
from bundler.compose.lists import Lists
from bundler.model.location import Location

ENV = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]}
LISTS = Lists.of({"properties": {"env": ENV, "names": {"x-kubernetes-list-type": "set"}}})


def made(value, lists=LISTS):
    def locate(pointer):
        return Location(file=pointer or "/")

    return [
        (each.pointer, each.value, each.action, each.location.file)
        for each in leaves(value, pointer="/c", source="/s", layer="x", locate=locate, lists=lists)
    ]


def test_every_leaf_is_assigned_once_at_its_own_place():
    assert made({"a": {"b": 1, "c": None}, "d/e": [1, 2], "f": {}}) == [
        ("/c/a/b", 1, "set", "/s/a/b"),
        ("/c/a/c", None, "delete", "/s/a/c"),
        ("/c/d~1e", [1, 2], "set", "/s/d~1e"),
        ("/c/f", {}, "set", "/s/f"),
    ]


def test_items_of_lists_with_keys_are_assigned_by_key_and_those_of_sets_one_by_one():
    assert made({"env": [{"name": "A", "value": "1"}, {"value": "2"}], "names": ["x", "y/z"]}) == [
        ("/c/env/A/name", "A", "set", "/s/env/0/name"),
        ("/c/env/A/value", "1", "set", "/s/env/0/value"),
        ("/c/env/1/value", "2", "set", "/s/env/1/value"),
        ("/c/names/x", "x", "add", "/s/names/0"),
        ("/c/names/y~1z", "y/z", "add", "/s/names/1"),
    ]


def test_without_keys_a_list_is_one_leaf():
    assert made({"env": [{"name": "A"}]}, lists=None) == [("/c/env", [{"name": "A"}], "set", "/s/env")]


def test_what_a_flag_states_stands_everywhere_at_the_flag():
    assert everywhere(Location(file="--set"))("/any/pointer") == Location(file="--set")


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (1, 1, True),
        (1, True, False),
        (1, 1.0, False),
        ({"a": [1]}, {"a": [1]}, True),
        ({"a": [1]}, {"a": [True]}, False),
        ([], {}, False),
    ],
)
def test_equality_counts_types_at_every_depth(one, other, equal):
    assert same(one, other) is equal


def test_a_trace_finds_what_is_above_and_below_a_pointer():
    every = leaves({"a": {"b": 1}, "ab": 2}, pointer="/c", source="", layer="x", locate=everywhere(Location(file="x")))
    trace = trace_of(every)
    assert [each.pointer for each in trace.of("/c/a")] == ["/c/a/b"]
    assert [each.pointer for each in trace.of("/c/a/b/deeper")] == ["/c/a/b"]
