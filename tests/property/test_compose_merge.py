"""Merging follows RFC 7396 on any data, and overlays that nobody found to disagree commute."""

import copy

from hypothesis import given
from hypothesis import strategies as st

from bundler.compose.assignments import leaves, same, trace_of
from bundler.compose.disagreement import refuse_disagreement
from bundler.compose.layer import AuthoredLayer
from bundler.compose.lists import Lists
from bundler.compose.merge import merge
from bundler.errors import InvalidInput
from bundler.model.document import Document
from bundler.model.location import Location
from bundler.model.pointer import resolve

KEYS = st.sampled_from(["a", "b", "c", "a/b", "~", ""])
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(0, 2), st.sampled_from([0.0, 1.0]), st.sampled_from(["", "x", "1"]))
TREES = st.recursive(
    SCALARS, lambda below: st.one_of(st.lists(below, max_size=2), st.dictionaries(KEYS, below, max_size=3)), max_leaves=8
)
MAPS = st.dictionaries(KEYS, TREES, max_size=3)
BODY = {"components": {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]}}
LISTS = Lists.of({"properties": {**BODY, "runtimes": BODY["components"], "constraints": BODY["components"]}})
HERE = Location(file="x")


def merge_patch(target, patch):
    """The reference of RFC 7396 section 2, word for word."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merge_patch(result.get(name), value)
    return result


def overlay(name, values):
    data = {
        "kind": "Overlay",
        "metadata": {"name": name},
        "criteria": {"os": "cos"},
        "components": [{"name": "x", "values": values}],
    }
    document = Document(file=f"{name}.yaml", data=data, positions={})
    return AuthoredLayer(label=f"overlay {name}", document=document, lists=LISTS, values_lists=lambda _component: None)


@given(MAPS, MAPS)
def test_merging_is_rfc_7396_and_mutates_nothing(below, above):
    before = copy.deepcopy((below, above))
    merged = merge(below, above)
    assert same(merged, merge_patch(below, above))
    assert same(list(before), [below, above])


@given(MAPS, MAPS)
def test_merging_twice_changes_nothing_more(below, above):
    once = merge(below, above)
    assert same(merge(once, above), once)
    assert same(merge(below, {}), below)


@given(MAPS, MAPS)
def test_every_leaf_that_was_written_is_what_its_assignment_says(below, above):
    merged = merge(below, above)
    for made in leaves(above, pointer="", source="", layer="x", locate=lambda _pointer: HERE):
        if made.action == "delete":
            try:
                resolve(merged, made.pointer)
            except LookupError:
                continue
            raise AssertionError(made)
        if made.pointer:
            found = resolve(merged, made.pointer)
            assert same(found, made.value) or (made.value == {} and isinstance(found, dict))


@given(MAPS, MAPS, MAPS)
def test_overlays_that_do_not_disagree_commute(base, one, other):
    try:
        refuse_disagreement([overlay("a", one), overlay("b", other)])
    except InvalidInput:
        return
    assert same(merge(merge(base, one), other), merge(merge(base, other), one))


@given(MAPS, MAPS)
def test_disagreement_does_not_depend_on_the_order_of_files(one, other):
    def paths(first, second):
        try:
            refuse_disagreement([overlay("a", first), overlay("b", second)])
        except InvalidInput as error:
            return {finding.pointer for finding in error.findings}
        return set()

    assert bool(paths(one, other)) == bool(paths(other, one))


@given(st.lists(MAPS, max_size=3))
def test_a_trace_keeps_every_assignment_in_order(layers):
    every = [
        made
        for number, values in enumerate(layers)
        for made in leaves(values, pointer="/x", source="", layer=str(number), locate=lambda _pointer: HERE)
    ]
    trace = trace_of(every)
    assert sum(len(made) for made in trace.assignments.values()) == len(every)
    for made in trace.assignments.values():
        assert [int(each.layer) for each in made] == sorted(int(each.layer) for each in made)
