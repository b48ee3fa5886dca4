"""Patches do what the RFC 6902 library does, or refuse with a finding where the library raises; there is no third outcome."""

import copy

import jsonpatch
import jsonpointer
from hypothesis import given
from hypothesis import strategies as st

from bundler.compose.assignments import same
from bundler.compose.patches import Operation, apply
from bundler.errors import InvalidInput
from bundler.model.location import Location

KEYS = st.sampled_from(["a", "b", "0", "-", "~", "a/b"])
STEPS = st.sampled_from(["a", "b", "0", "1", "2", "-", "~0", "a~1b", "01", "-1", ""])
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(0, 2), st.just(1.0), st.just("x"))
TREES = st.recursive(
    SCALARS, lambda below: st.one_of(st.lists(below, max_size=3), st.dictionaries(KEYS, below, max_size=3)), max_leaves=8
)
MAPS = st.dictionaries(KEYS, TREES, min_size=1, max_size=3)
PATHS = st.lists(STEPS, min_size=1, max_size=3).map(lambda steps: "".join(f"/{step}" for step in steps))


@st.composite
def operations(draw):
    name = draw(st.sampled_from(["add", "remove", "replace", "move", "copy", "test"]))
    data = {"op": name, "path": draw(PATHS)}
    if name in {"add", "replace", "test"}:
        data["value"] = draw(TREES)
    if name in {"move", "copy"}:
        data["from"] = draw(PATHS)
    return data


def library(values, patch):
    try:
        return jsonpatch.apply_patch(values, patch)
    except (jsonpatch.JsonPatchException, jsonpointer.JsonPointerException, TypeError):
        return None


@given(MAPS, st.lists(operations(), min_size=1, max_size=3))
def test_a_patch_agrees_with_the_library_or_is_refused(values, patch):
    before = copy.deepcopy((values, patch))
    expected = library(values, patch)
    try:
        found, effects = apply(values, [Operation(data=data, location=Location(file="x")) for data in patch], subject="x")
    except InvalidInput:
        # The library compares as Python does; only a test may be refused where it passes.
        refusable = expected is None or any(data["op"] == "test" for data in patch)
        assert refusable
    else:
        assert same(found, expected)
        if len(patch) == 1:
            assert all(effect.holds(found) for effect in effects if effect.present)
    assert same(list(before), [values, patch])
