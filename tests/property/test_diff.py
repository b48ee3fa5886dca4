"""Properties of a diff: silent exactly where nothing differs, each edit true of both sides, and the same when turned round."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bundler.diff.change import How
from bundler.diff.compare import compare
from bundler.model.pointer import resolve
from bundler.yamlio.writer import to_json
from tests.property.strategies import keys, scalars

TURNED = {How.ADDED: How.REMOVED, How.REMOVED: How.ADDED}


def named_lists(inner):
    entry = st.fixed_dictionaries({"name": st.sampled_from("ABCD")}, optional={"value": inner})
    return st.fixed_dictionaries({"env": st.lists(entry, max_size=4)})


def data():
    return st.recursive(
        scalars(),
        lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(keys(), inner, max_size=4), named_lists(inner)),
        max_leaves=12,
    )


def pairs():
    """Two pieces of data, the second perhaps the first with one part changed."""
    both = st.one_of(st.tuples(data(), data()), st.tuples(named_lists(scalars()), named_lists(scalars())))
    return st.one_of(
        both, data().map(lambda one: (one, one)), both.map(lambda two: ({"a": two[0], "b": two[1]}, {"a": two[0], "b": two[0]}))
    )


@pytest.mark.slow
@settings(max_examples=400)
@given(pairs())
def test_a_diff_is_silent_exactly_where_nothing_differs(two):
    before, after = two
    assert bool([*compare(before, after)]) is (to_json(before) != to_json(after))


@pytest.mark.slow
@settings(max_examples=400)
@given(pairs())
def test_every_edit_is_true_of_both_sides(two):
    before, after = two
    for edit in compare(before, after):
        ours, theirs = resolve(before, edit.at[0]), resolve(after, edit.at[1])
        if edit.how is How.CHANGED and edit.path:
            in_text = isinstance(ours, str) and ours.startswith(("[", "{"))
            assert in_text or (to_json(ours), to_json(theirs)) == (to_json(edit.before), to_json(edit.after))
        if edit.how is How.REMOVED:
            assert to_json(ours) == to_json(edit.before) or isinstance(ours, str)
        if edit.how is How.ADDED:
            assert to_json(theirs) == to_json(edit.after) or isinstance(theirs, str)


@pytest.mark.slow
@settings(max_examples=400)
@given(pairs())
def test_turned_round_it_says_the_same(two):
    before, after = two
    there, back = [*compare(before, after)], [*compare(after, before)]
    # Which of several entries without a key are taken for the same may differ between the two directions.
    if not any(step.isdigit() for edit in (*there, *back) for step in edit.path.split("/")):
        assert Counter((TURNED.get(edit.how, edit.how), edit.path) for edit in there) == Counter(
            (edit.how, edit.path) for edit in back
        )
