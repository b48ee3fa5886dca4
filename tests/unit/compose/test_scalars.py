"""Requirements on typing text: the rule documented in the module, at its edges."""

import re

import pytest

from bundler.compose.scalars import scalar, words


@pytest.mark.parametrize(
    ("text", "types", "value"),
    [
        # A string is the text given, whatever it looks like.
        ("true", {"string"}, "true"),
        ("0123", {"string"}, "0123"),
        ("1e6", {"string"}, "1e6"),
        ("no", {"string"}, "no"),
        ("", {"string"}, ""),
        # The only booleans.
        ("true", {"boolean"}, True),
        ("false", {"boolean"}, False),
        ("0", {"integer"}, 0),
        ("-7", {"integer"}, -7),
        ("123456789012345678", {"integer"}, 123456789012345678),
        ("8", {"number"}, 8),
        ("1e6", {"number"}, 1_000_000.0),
        ("-0.5", {"number"}, -0.5),
        ("8", {"integer", "string"}, 8),
        ("8Gi", {"integer", "string"}, "8Gi"),
        ("true", {"integer", "string"}, "true"),
        # Where the schema names no type.
        ("true", set(), True),
        ("42", set(), 42),
        ("0123", set(), "0123"),
        ("1e6", set(), "1e6"),
        ("1.20", set(), "1.20"),
        ("on", set(), "on"),
    ],
)
def test_text_is_typed_by_the_schema(text, types, value):
    typed = scalar(text, types)
    assert (typed, type(typed)) == (value, type(value))


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("True", {"boolean"}),
        ("yes", {"boolean"}),
        ("1", {"boolean"}),
        ("", {"boolean"}),
        ("0123", {"integer"}),
        ("1e6", {"integer"}),
        ("1.0", {"integer"}),
        ("+1", {"integer"}),
        ("1_000", {"integer"}),
        ("0x10", {"integer"}),
        ("9" * 19, {"integer"}),
        (" 1", {"integer"}),
        ("\u0661", {"integer"}),
        ("1\n", {"integer"}),
        ("nan", {"number"}),
        ("inf", {"number"}),
        ("1e999", {"number"}),
        (".5", {"number"}),
        ("x", {"object"}),
        ("x", {"array"}),
    ],
)
def test_text_of_another_type_is_refused(text, types):
    with pytest.raises(ValueError, match=rf"\A{re.escape(text)}\Z"):
        scalar(text, types)


def test_types_are_named_in_words():
    assert words({"string", "integer"}) == "an integer or a string"
    assert words({"boolean"}) == "a boolean (true or false)"
