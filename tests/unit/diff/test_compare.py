"""Requirements on comparing data: every difference once, at the deepest place, entries of lists by their key, order on its own."""

import json

import pytest

from bundler.diff.compare import compare


def edits(before, after, name=""):
    return [(str(edit.how), edit.path, edit.at, edit.before, edit.after) for edit in compare(before, after, name=name)]


def shown(before, after, name=""):
    return [(how, path) for how, path, *_ in edits(before, after, name)]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": 2}, [("changed", "/a")]),
        ({"a": 1}, {"a": "1"}, [("changed", "/a")]),
        ({"a": True}, {"a": 1}, [("changed", "/a")]),
        ({"a": 1}, {"a": 1.0}, [("changed", "/a")]),
        ({"a": None}, {}, [("removed", "/a")]),
        ({}, {"a/b": {}}, [("added", "/a~1b")]),
        ({}, {"a": {"b": {"c": 1}}}, [("added", "/a/b/c")]),
        ({"a": {"b": {"c": 1, "d": 2}}}, {}, [("removed", "/a/b")]),
        ({"a": {"b": 1}}, {"a": [1]}, [("changed", "/a")]),
        ({"a": [1, 2, 3]}, {"a": [1, 3]}, [("removed", "/a/1")]),
        ({"a": [1, 3]}, {"a": [1, 2, 3]}, [("added", "/a/1")]),
        ({"a": [1, 2]}, {"a": [1, 5]}, [("changed", "/a/1")]),
        ({"a": [1, 2]}, {"a": [2, 1]}, [("reordered", "/a")]),
        ({"a": [{"x": 1, "y": [1]}]}, {"a": [{"x": 1, "y": [2]}]}, [("changed", "/a/0/y/0")]),
    ],
)
def test_a_difference_is_told_once_at_the_deepest_place(before, after, expected):
    assert shown(before, after) == expected


def entry(name, value):
    return {"name": name, "value": value}


def test_an_entry_of_a_list_is_found_by_its_key_and_has_its_number_on_each_side():
    before, after = [entry("A", "1"), entry("B", "2")], [entry("X", "0"), entry("A", "1"), entry("B", "3")]
    assert edits(before, after, "env") == [
        ("changed", "/B/value", ("/1/value", "/2/value"), "2", "3"),
        ("added", "/X", ("", "/0"), None, entry("X", "0")),
    ]


def test_another_order_is_an_edit_of_its_own_beside_the_others():
    before, after = [entry("A", "1"), entry("B", "2")], [entry("B", "2"), entry("A", "9")]
    assert shown(before, after, "env") == [("changed", "/A/value"), ("reordered", "")]


def test_two_entries_of_one_name_are_two():
    before, after = [entry("A", "1")], [entry("A", "1"), entry("A", "2")]
    assert shown(before, after, "env") == [("added", "/A (2)")]


@pytest.mark.parametrize(
    ("name", "key"),
    # The keys of Kubernetes' strategic merge, and fields that tell entries of other lists apart.
    [("containers", "name"), ("volumeMounts", "mountPath"), ("ports", "containerPort"), ("images", "image"), ("rows", "id")],
)
def test_lists_of_kubernetes_and_others_have_keys(name, key):
    before, after = [{key: "a", "x": 1}, {key: "b", "x": 1}], [{key: "b", "x": 2}, {key: "a", "x": 1}]
    assert shown(before, after, name) == [("changed", "/b/x"), ("reordered", "")]


def test_json_in_a_text_is_compared_as_data_at_the_place_of_the_text():
    before, after = (
        {
            "networking.gke.io/interfaces": json.dumps(
                [{"interfaceName": "eth0", "network": "a"}, {"interfaceName": "eth1", "network": net}]
            )
        }
        for net in ("b", "c")
    )
    place = "/networking.gke.io~1interfaces"
    assert edits(before, after) == [("changed", f"{place}/eth1/network", (place, place), "b", "c")]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[1]", "[1] "),
        ('{"a":1,"a":1}', '{"a":1}'),
        ("[NaN]", "[1]"),
        ("[" * 100_000, "[1]"),
        ("[1", "[2"),
        ("{}", "[]x"),
        ("[" * 400 + "]" * 400, "[1]"),
    ],
    ids=["spacing", "a key twice", "no number", "deep", "unfinished", "more", "nested"],
)
def test_a_text_that_is_no_data_or_the_same_data_is_a_text(before, after):
    assert edits({"a": before}, {"a": after}) == [("changed", "/a", ("/a", "/a"), before, after)]


def test_long_lists_are_compared_in_time_that_does_not_explode():
    before, after = [f"x{number}" for number in range(3000)], [f"y{number}" for number in range(3000)]
    assert len(edits(before, after)) == 3000
