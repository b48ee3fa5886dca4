"""S10: text from the command line has the type of its place; a string stays the string that was given."""

import pytest

from tests.unit.compose.catalogues import composed, refused, set_, values

SCHEMA = """\
{"properties": {"driver": {}, "agents": {}, "labels": {}, "s": {"type": "string"}, "i": {"type": "integer"},
  "n": {"type": "number"}, "b": {"type": "boolean"}, "is": {"type": ["integer", "string"]}, "any": {}, "e": {"enum": ["1", "on"]}}}
"""
FILES = {"schemas/values/operator.json": SCHEMA}


@pytest.mark.parametrize(
    ("place", "raw", "value"),
    [
        ("s", "1e6", "1e6"),
        ("s", "0123", "0123"),
        ("s", "true", "true"),
        ("s", "no", "no"),
        ("s", "", ""),
        ("s", " x ", " x "),
        ("s", "{{ 7*7 }}", "{{ 7*7 }}"),
        ("s", "a,b={c}", "a,b={c}"),
        ("s", "2026-01-01", "2026-01-01"),
        ("s", "~", "~"),
        ("i", "8", 8),
        ("i", "-1", -1),
        ("n", "1e6", 1_000_000.0),
        ("n", "0.5", 0.5),
        ("n", "8", 8),
        ("b", "true", True),
        ("b", "false", False),
        ("is", "8", 8),
        ("is", "0123", "0123"),
        ("is", "1e6", "1e6"),
        ("is", "true", "true"),
        ("e", "1", "1"),
        ("e", "on", "on"),
        ("any", "true", True),
        ("any", "8", 8),
        ("any", "0123", "0123"),
        ("any", "1e6", "1e6"),
        ("any", "1.20", "1.20"),
        ("any", "no", "no"),
    ],
)
def test_a_value_is_typed_by_its_schema(tmp_path, place, raw, value):
    found = values(composed(tmp_path, FILES, overrides=(set_("operator", place, raw),)))[place]
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("place", "raw"),
    [
        ("i", "1e6"),
        ("i", "0123"),
        ("i", "true"),
        ("i", "1.0"),
        ("i", ""),
        ("b", "yes"),
        ("b", "True"),
        ("b", "1"),
        ("n", "nan"),
        ("n", "1e999"),
    ],
)
def test_a_value_of_another_type_is_refused(tmp_path, place, raw):
    [finding] = refused(composed, tmp_path, FILES, overrides=(set_("operator", place, raw),))
    assert finding.startswith(f"AICR-C054: operator:{place} is ")


def test_only_the_bare_word_null_deletes(tmp_path):
    composition = composed(tmp_path, FILES, overrides=(set_("operator", "driver.version", "null"), set_("operator", "s", "Null")))
    assert values(composition)["driver"] == {"enabled": True}
    assert values(composition)["s"] == "Null"
