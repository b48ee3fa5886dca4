"""Requirements on RFC 6902 patches of values: they hit, or they say where they should have."""

import copy

import pytest

from bundler.compose.lists import Lists
from bundler.compose.patches import Operation, apply, malformed
from bundler.model.location import Location
from tests.unit.compose.catalogues import refused, shown

VALUES = {
    "driver": {"version": "580.1.0", "env": [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}]},
    "tolerations": [{"key": "gpu"}],
    "empty": {},
    "none": [],
    "a/b~c": 1,
}
AT = Location(file="overlays/x.yaml", line=9, column=11)


def operations(*data):
    return tuple(Operation(data=each, location=AT) for each in data)


def patched(*data, values=VALUES, lists=None):
    return apply(values, operations(*data), subject="the values of operator", lists=lists)[0]


@pytest.mark.parametrize(
    ("operation", "pointer", "value"),
    [
        ({"op": "replace", "path": "/driver/version", "value": "595"}, ("driver", "version"), "595"),
        ({"op": "add", "path": "/driver/branch", "value": None}, ("driver", "branch"), None),
        ({"op": "add", "path": "/tolerations/-", "value": {"key": "x"}}, ("tolerations",), [{"key": "gpu"}, {"key": "x"}]),
        ({"op": "add", "path": "/tolerations/0", "value": 1}, ("tolerations",), [1, {"key": "gpu"}]),
        ({"op": "add", "path": "/none/0", "value": 1}, ("none",), [1]),
        ({"op": "remove", "path": "/driver/env/0"}, ("driver", "env"), [{"name": "B", "value": "2"}]),
        ({"op": "move", "from": "/driver/version", "path": "/empty/v"}, ("empty",), {"v": "580.1.0"}),
        ({"op": "copy", "from": "/tolerations/0", "path": "/none/-"}, ("none",), [{"key": "gpu"}]),
        ({"op": "replace", "path": "/a~1b~0c", "value": 2}, ("a/b~c",), 2),
        ({"op": "test", "path": "/driver/version", "value": "580.1.0"}, ("driver", "version"), "580.1.0"),
    ],
)
def test_an_operation_does_what_rfc_6902_says(operation, pointer, value):
    found = patched(operation)
    for step in pointer:
        found = found[step]
    assert found == value


def test_operations_apply_in_order_and_nothing_given_is_mutated():
    values, value = copy.deepcopy(VALUES), {"list": []}
    data = [{"op": "add", "path": "/new", "value": value}, {"op": "add", "path": "/new/list/-", "value": 1}]
    assert patched(*data, values=values)["new"] == {"list": [1]}
    assert values == VALUES
    assert value == {"list": []}


@pytest.mark.parametrize(
    ("operation", "reason", "fix"),
    [
        (
            {"op": "replace", "path": "/drivr/version", "value": 1},
            "patch replace /drivr/version misses its target in the values of operator: the root has no 'drivr'",
            "did you mean '/driver/version'?",
        ),
        (
            {"op": "replace", "path": "/driver/versoin", "value": 1},
            "patch replace /driver/versoin misses its target in the values of operator: /driver has no 'versoin'",
            "did you mean '/driver/version'?",
        ),
        (
            {"op": "remove", "path": "/driver/zzz"},
            "patch remove /driver/zzz misses its target in the values of operator: /driver has no 'zzz'",
            "known below /driver: env, version",
        ),
        (
            {"op": "add", "path": "/driver/env/5", "value": 1},
            "patch add /driver/env/5 misses its target in the values of operator: /driver/env has no item '5'",
            "the list has items 0 to 1",
        ),
        (
            {"op": "replace", "path": "/tolerations/-", "value": 1},
            "patch replace /tolerations/- misses its target in the values of operator: /tolerations has no item '-'",
            "the list has one item, 0",
        ),
        (
            {"op": "remove", "path": "/none/0"},
            "patch remove /none/0 misses its target in the values of operator: /none has no item '0'",
            "the list is empty",
        ),
        (
            {"op": "add", "path": "/driver/version/major", "value": 1},
            (
                "patch add /driver/version/major misses its target in the values of operator: "
                "/driver/version is '580.1.0', nothing stands below it"
            ),
            "replace /driver/version instead",
        ),
        (
            {"op": "add", "path": "/missing/a", "value": 1},
            "patch add /missing/a misses its target in the values of operator: the root has no 'missing'",
            "known below the root: a/b~c, driver, empty, none, tolerations",
        ),
        (
            {"op": "remove", "path": "/empty/a"},
            "patch remove /empty/a misses its target in the values of operator: /empty has no 'a'",
            "/empty is empty",
        ),
        (
            {"op": "move", "from": "/drivers", "path": "/x"},
            "patch move /drivers misses its target in the values of operator: the root has no 'drivers'",
            "did you mean '/driver'?",
        ),
        (
            {"op": "move", "from": "/driver", "path": "/driver/inner"},
            "patch move /driver/inner cannot be applied to the values of operator: Cannot move values into their own children",
            "name a place outside the one that is moved",
        ),
    ],
)
def test_an_operation_that_misses_names_the_step_and_the_nearest_path(operation, reason, fix):
    assert refused(patched, operation) == [f"AICR-C041: {reason}\n  --> overlays/x.yaml:9:11\n  fix: {fix}"]


@pytest.mark.parametrize("step", ["01", "-1", "+0", "0x0", "\u0661", "9" * 5000, "1e0", " 0", "00"])
def test_an_index_is_written_in_one_way_only(step):
    assert refused(patched, {"op": "remove", "path": f"/tolerations/{step}"})[0].startswith("AICR-C041: ")


@pytest.mark.parametrize(
    ("operation", "message", "fix"),
    [
        ({"op": "repalce", "path": "/a", "value": 1}, "patch operation 'repalce' is not known", "did you mean 'replace'?"),
        ({"path": "/a"}, "patch operation null is not known", "known: add, copy, move, remove, replace, test"),
        ({"op": "replace", "path": "/a"}, "patch operation 'replace' has no value", "its members are op, path, value"),
        ({"op": "move", "path": "/a"}, "patch operation 'move' has no from", "its members are op, from, path"),
        (
            {"op": "add", "path": "/a", "value": 1, "vlaue": 2},
            "patch operation 'add' has no member 'vlaue'",
            "did you mean 'value'?",
        ),
        ({"op": "remove", "path": "/a", "from": "/b"}, "patch operation 'remove' has no member 'from'", "known: path"),
        (
            {"op": "replace", "path": "", "value": {}},
            "patch operation 'replace': path '' would replace everything",
            "name one place, such as /driver/version",
        ),
        (
            {"op": "copy", "path": "/a", "from": ""},
            "patch operation 'copy': from '' would replace everything",
            "name one place, such as /driver/version",
        ),
        (
            {"op": "remove", "path": "driver"},
            "patch operation 'remove': path 'driver' is no JSON pointer",
            "name one place, such as /driver/version",
        ),
        (
            {"op": "remove", "path": 7},
            "patch operation 'remove': path 7 is no JSON pointer",
            "name one place, such as /driver/version",
        ),
    ],
)
def test_a_malformed_operation_is_refused_before_anything_is_applied(operation, message, fix):
    expected = [f"AICR-C040: {message}\n  --> overlays/x.yaml:9:11\n  fix: {fix}"]
    assert refused(patched, {"op": "remove", "path": "/driver"}, operation) == expected
    assert [shown(finding) for finding in malformed(operations(operation))] == expected


@pytest.mark.parametrize(
    ("held", "tested"), [(1, True), (1, 1.0), (0, False), ("1", 1), ([1], [True]), ({"a": 1}, {"a": 1, "b": 2})]
)
def test_a_test_compares_with_types(held, tested):
    # jsonpatch compares as Python does, for which 1 == 1.0 == True.
    assert refused(patched, {"op": "test", "path": "/x", "value": tested}, values={"x": held})[0].startswith("AICR-C042: ")


def test_a_failed_test_shows_what_is_there():
    assert refused(patched, {"op": "test", "path": "/driver/version", "value": "595"}) == [
        (
            "AICR-C042: patch test of the values of operator fails: /driver/version is '580.1.0', not '595'\n"
            "  --> overlays/x.yaml:9:11\n"
            "  fix: correct the test, or what it guards against"
        )
    ]


def test_effects_name_list_items_by_key_where_the_schema_has_one():
    schema = {
        "properties": {"driver": {"properties": {"env": {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]}}}}
    }
    _, effects = apply(
        VALUES,
        operations(
            {"op": "replace", "path": "/driver/env/1/value", "value": "3"},
            {"op": "add", "path": "/driver/env/-", "value": {"name": "C"}},
            {"op": "add", "path": "/tolerations/-", "value": 1},
            {"op": "remove", "path": "/driver/env/0"},
        ),
        subject="x",
        lists=Lists.of(schema),
    )
    assert [effect.pointer for effect in effects] == ["/driver/env/B/value", "/driver/env/C", "/tolerations/1", "/driver/env/A"]


@pytest.mark.parametrize(
    ("operation", "later", "holds"),
    [
        ({"op": "replace", "path": "/driver/version", "value": "595"}, {"driver": {"version": "595", "x": 1}}, True),
        ({"op": "replace", "path": "/driver/version", "value": "595"}, {"driver": {"version": "600"}}, False),
        ({"op": "replace", "path": "/driver/version", "value": "595"}, {}, False),
        ({"op": "add", "path": "/driver/m", "value": {"a": 1}}, {"driver": {"m": {"a": 1, "b": 2}}}, True),
        ({"op": "add", "path": "/driver/m", "value": {"a": 1}}, {"driver": {"m": {"b": 2}}}, False),
        ({"op": "add", "path": "/tolerations/-", "value": {"key": "x"}}, {"tolerations": [{"key": "x"}, {"key": "y"}]}, True),
        ({"op": "add", "path": "/tolerations/-", "value": {"key": "x"}}, {"tolerations": [{"key": "y"}]}, False),
        (
            {"op": "replace", "path": "/driver/env/0/value", "value": "9"},
            {"driver": {"env": [{"value": "0"}, {"value": "9"}]}},
            True,
        ),
        ({"op": "replace", "path": "/driver/env/0/value", "value": "9"}, {"driver": {"env": [{"value": "0"}]}}, False),
        ({"op": "remove", "path": "/driver/version"}, {"driver": {}}, True),
        ({"op": "remove", "path": "/driver/version"}, {"driver": {"version": "x"}}, False),
        ({"op": "remove", "path": "/tolerations/0"}, {"tolerations": [{"key": "y"}]}, True),
        ({"op": "remove", "path": "/tolerations/0"}, {"tolerations": [{"key": "gpu"}]}, False),
    ],
)
def test_an_effect_holds_as_long_as_later_values_show_it(operation, later, holds):
    _, effects = apply(VALUES, operations(operation), subject="x")
    assert [effect.holds(later) for effect in effects] == [holds]
