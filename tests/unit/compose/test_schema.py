"""Requirements on reading a schema: what may stand at a path, of which type."""

import pytest

from bundler.compose.schema import Place

SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "driver": {"$ref": "#/$defs/driver"},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        "free": {"type": "object"},
        "listed": {"type": "object", "properties": {"a": {}}},
        "any": {},
        "either": {"anyOf": [{"type": "string"}, {"type": "object", "properties": {"name": {"type": "string"}}}]},
        "mode": {"enum": ["fast", 1]},
        "fixed": {"const": True},
        "ports": {"type": "array", "items": {"type": "integer"}},
        "nodes": {"type": "object", "patternProperties": {"^n[0-9]+$": {"type": "integer"}}, "additionalProperties": False},
    },
    "$defs": {
        "driver": {
            "type": "object",
            "additionalProperties": False,
            "properties": {"version": {"type": ["string", "null"]}, "replicas": {"type": "integer"}},
            "required": ["version"],
            "description": "The driver.",
        }
    },
}


def at(dotted):
    return Place.of(SCHEMA).at(tuple(dotted.split(".")))


@pytest.mark.parametrize(
    ("path", "types"),
    [
        ("driver", {"object"}),
        ("driver.version", {"string", "null"}),
        ("labels.anything", {"string"}),
        ("free.any.depth", set()),
        ("any.depth", set()),
        ("either", {"string", "object"}),
        ("either.name", {"string"}),
        ("mode", {"string", "integer"}),
        ("fixed", {"boolean"}),
        ("nodes.n1", {"integer"}),
    ],
)
def test_a_known_path_has_the_types_that_the_schema_states(path, types):
    assert at(path).types == types


@pytest.mark.parametrize(
    "path", ["drivers", "driver.versio", "driver.version.x", "labels.a.b", "listed.b", "nodes.x", "ports.0", "fixed.x"]
)
def test_a_path_that_the_schema_does_not_know_is_no_place(path):
    assert at(path) is None


def test_names_requirements_descriptions_and_items_are_read_through_references():
    driver = at("driver")
    assert driver.names == ("version", "replicas")
    assert driver.required == ("version",)
    assert driver.description == "The driver"
    assert at("ports").items.types == {"integer"}
    assert at("either").names == ("name",)


def test_paths_are_listed_breadth_first_and_bounded():
    place = Place.of(SCHEMA)
    assert list(place.paths(3)) == [("driver",), ("labels",), ("free",)]
    assert ("driver", "version") in set(place.paths(100))


def test_a_schema_that_refers_to_itself_ends():
    place = Place.of({"allOf": [{"$ref": "#"}], "properties": {"a": {"$ref": "#"}}})
    assert place.names == ("a",)
    assert place.types == frozenset()
    assert place.at(("a",) * 50) is not None
    assert len(list(place.paths(10))) == 10


def test_a_reference_to_a_sibling_is_followed_and_one_to_nothing_is_open():
    siblings = {
        "https://example.org/s/labels.json": {
            "$defs": {"map": {"type": "object", "additionalProperties": {"$ref": "#/$defs/v"}}, "v": {"type": "string"}}
        }
    }
    place = Place.of({"properties": {"l": {"$ref": "labels.json#/$defs/map"}, "x": {"$ref": "#/nowhere"}}}, siblings=siblings)
    assert place.at(("l", "a")).types == {"string"}
    assert place.at(("x", "a")).types == frozenset()
