"""Requirements on the structural check: exact places, near names, and what Kubernetes takes for equal."""

import pytest

from bundler.conform.structure import Fault, faults

SCHEMA = {
    "type": "object",
    "required": ["kind"],
    "properties": {
        "kind": {"enum": ["Thing"]},
        "spec": {"$ref": "#/$defs/Spec"},
        "any": {"type": "object"},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
    },
    "additionalProperties": False,
    "$defs": {
        "Spec": {
            "type": "object",
            "minProperties": 1,
            "properties": {
                "count": {"type": "integer", "format": "int32", "minimum": 1},
                "amount": {"type": ["integer", "string"], "title": "a quantity", "pattern": "^[0-9]+$"},
                "name": {"type": "string", "minLength": 1, "maxLength": 3},
                "free": {"type": "string", "pattern": "^x"},
                "ports": {
                    "type": "array",
                    "items": {"$ref": "#/$defs/Port"},
                    "maxItems": 3,
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["port", "protocol"],
                },
                "names": {"type": "array", "items": {"type": "string"}, "minItems": 1, "x-kubernetes-list-type": "set"},
                "on": {"type": "boolean"},
                "ratio": {"type": "number"},
                "nothing": {"type": "object", "additionalProperties": False},
            },
            "additionalProperties": False,
        },
        "Port": {
            "type": "object",
            "required": ["port"],
            "properties": {"port": {"type": "integer"}, "protocol": {"type": "string", "default": "TCP"}},
            "additionalProperties": False,
        },
    },
}


def of(spec, **rest):
    return [(fault.rule, fault.pointer, fault.message) for fault in faults({"kind": "Thing", "spec": spec, **rest}, SCHEMA)]


@pytest.mark.parametrize(
    "spec",
    [
        {"count": 1},
        # A server takes 2.0 for an integer and drops a null.
        {"count": 2.0},
        {"count": None, "ports": None, "on": True},
        {"amount": 5},
        {"amount": "5"},
        {"free": "xyz"},
        {"ratio": 1, "on": False},
        {"ports": [{"port": 1}, {"port": 1, "protocol": "UDP"}]},
        {"names": ["a", "b"]},
        {"nothing": {}},
    ],
)
def test_what_a_server_stores_as_sent_has_no_fault(spec):
    assert of(spec) == []


@pytest.mark.parametrize(
    ("spec", "found"),
    [
        ({"cuont": 1}, ("AICR-K002", "/spec/cuont", "unknown field 'cuont'")),
        ({"nothing": {"a/b": None}}, ("AICR-K002", "/spec/nothing/a~1b", "unknown field 'a/b'")),
        ({"count": "1"}, ("AICR-K003", "/spec/count", "'1' is a string, not an integer")),
        ({"count": True}, ("AICR-K003", "/spec/count", "True is a boolean, not an integer")),
        ({"count": 1.5}, ("AICR-K003", "/spec/count", "1.5 is a number, not an integer")),
        ({"amount": 1.5}, ("AICR-K003", "/spec/amount", "1.5 is a number, not an integer or a string")),
        ({"names": ["a", None]}, ("AICR-K003", "/spec/names/1", "the value is null, not a string")),
        ({"ports": [{"protocol": "TCP"}]}, ("AICR-K004", "/spec/ports/0", "required field 'port' is missing")),
        ({"ports": [{"port": None}]}, ("AICR-K004", "/spec/ports/0", "required field 'port' is missing")),
        ({}, ("AICR-K005", "/spec", "an empty map is not allowed here")),
        ({"count": 0}, ("AICR-K005", "/spec/count", "0 is not between 1 and 2147483647")),
        ({"count": 2**31}, ("AICR-K005", "/spec/count", "2147483648 is not between 1 and 2147483647")),
        ({"amount": "5x"}, ("AICR-K005", "/spec/amount", "'5x' is not a quantity")),
        ({"amount": "5\n"}, ("AICR-K005", "/spec/amount", "'5\\n' is not a quantity")),
        ({"free": "y"}, ("AICR-K005", "/spec/free", "'y' is not of the form ^x")),
        ({"name": ""}, ("AICR-K005", "/spec/name", "0 characters where at least 1 are needed")),
        ({"name": "abcd"}, ("AICR-K005", "/spec/name", "4 characters where at most 3 are allowed")),
        ({"names": []}, ("AICR-K005", "/spec/names", "0 items where at least 1 are needed")),
        ({"names": ["a", "a"]}, ("AICR-K006", "/spec/names/1", "'a' stands twice in a set")),
        (
            {"ports": [{"port": 80}, {"port": 80, "protocol": "TCP"}]},
            ("AICR-K006", "/spec/ports/1", "port '80', protocol 'TCP' stands twice, first as item 0"),
        ),
        (
            {"ports": [{"port": 80, "protocol": None}, {"port": 80}]},
            ("AICR-K006", "/spec/ports/1", "port '80', protocol 'TCP' stands twice, first as item 0"),
        ),
    ],
)
def test_a_fault_names_the_rule_the_place_and_the_value(spec, found):
    assert of(spec) == [found]


def test_an_unknown_field_comes_with_the_nearest_known_one():
    assert faults({"kind": "Thing", "sepc": {}}, SCHEMA) == [
        Fault("AICR-K002", "unknown field 'sepc'", "/sepc", "did you mean 'spec'?")
    ]


def test_every_fault_is_found_in_one_pass():
    assert [rule for rule, _, _ in of({"count": "1", "cuont": 1, "names": ["a", "a"]})] == ["AICR-K003", "AICR-K002", "AICR-K006"]


def test_an_object_without_declared_fields_holds_anything():
    assert faults({"kind": "Thing", "any": {"x": [1, {"y": None}]}}, SCHEMA) == []


def test_values_of_an_open_map_are_checked():
    assert of({"count": 1}, labels={"a": True}) == [("AICR-K003", "/labels/a", "True is a boolean, not a string")]
