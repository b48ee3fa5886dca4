"""The grammar of --set: whatever can be written is read back, and anything else is refused."""

import re

from hypothesis import given
from hypothesis import strategies as st

from bundler.compose.overrides import dotted, parse_set
from bundler.compose.scalars import scalar
from bundler.errors import InvalidInput

PRINTABLE = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8)
PATHS = st.lists(PRINTABLE.filter(lambda step: not re.search(r"\[[^\]]*\]\Z", step)), min_size=1, max_size=4).map(tuple)
TYPES = st.sets(st.sampled_from(["boolean", "integer", "number", "string", "array", "object", "null"]))


@given(PATHS, st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12))
def test_every_path_and_value_can_be_written(path, raw):
    assert parse_set(f"op:{dotted(path)}={raw}") == ("op", path, raw)


@given(st.text(max_size=40))
def test_any_text_is_an_assignment_or_refused(text):
    try:
        component, path, raw = parse_set(text)
    except InvalidInput:
        return
    assert parse_set(f"{component}:{dotted(path)}={raw}") == (component, path, raw)


@given(st.text(max_size=20), TYPES)
def test_a_scalar_has_one_of_the_allowed_types_or_is_refused(text, types):
    try:
        value = scalar(text, types)
    except ValueError:
        assert types
        assert "string" not in types
        return
    names = {bool: {"boolean"}, int: {"integer", "number"}, float: {"number"}, str: {"string"}}[type(value)]
    assert not types or names & types
    if types == {"string"}:
        assert value == text
