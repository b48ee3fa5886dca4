"""Requirements on fixtures: apart from what ships, one for each chosen value that names one, patched by name as runtimes are."""

from bundler.compose.fixtures import set_apart
from bundler.model.composition import Patch, Runtime, Selection

PATCH = Patch(operations=({"op": "remove", "path": "/spec"},), layer="overlay a", location=None)


def chosen(axis, **declaration):
    return Selection(axis=axis, value="x", declaration=declaration)


def test_a_value_without_a_fixture_has_none():
    assert set_apart([Runtime(name="torch")], [chosen("a")]) == ((Runtime(name="torch"),), ())


def test_a_fixture_that_a_layer_patches_is_not_shipped_and_keeps_its_patches():
    named = [Runtime(name="measure", patches=(PATCH,)), Runtime(name="torch")]
    assert set_apart(named, [chosen("a", fixture="measure")]) == (
        (Runtime(name="torch"),),
        (Runtime(name="measure", axis="a", patches=(PATCH,)),),
    )


def test_fixtures_are_sorted_by_name():
    _, fixtures = set_apart([], [chosen("a", fixture="two"), chosen("b", fixture="one")])
    assert [(fixture.name, fixture.axis) for fixture in fixtures] == [("one", "b"), ("two", "a")]
