"""Requirements on the steps of a bundle: each after those it needs, whatever the components and their dependencies are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bundler.errors import InvalidInput
from bundler.model.composition import Chart, Component
from bundler.publish.deployers.content import RUNTIMES, Content, Form
from bundler.publish.files import OutputFile

CHART = Chart(repository="https://charts.example", name="chart", version="1.0.0")


def component(name, *dependencies, chart=CHART, manifests=()):
    return Component(
        name=name, version="1", namespace=name, chart=chart, values={}, dependencies=dependencies, manifests=tuple(manifests)
    )


def file(path):
    return OutputFile(path=path, content=b"{}\n", of=path)


def content(components, *paths):
    return Content.of(
        [(each, "What it is.") for each in components],
        [file(path) for path in paths],
        values={each.name: ({}, None) for each in components},
    )


@st.composite
def graphs(draw):
    """Components in an order that works, each with some of the earlier ones as dependencies, and the objects beside some."""
    names = [f"c{number}" for number in range(draw(st.integers(0, 8)))]
    components = [
        component(name, *sorted(draw(st.sets(st.sampled_from(names[:at] or ["-"])) if at else st.just(set()))))
        for at, name in enumerate(names)
    ]
    beside = draw(st.sets(st.sampled_from(names))) if names else set()
    return components, [f"components/{name}/manifests/a.yaml" for name in sorted(beside)]


@given(graphs())
def test_every_step_comes_after_those_it_needs(graph):
    components, paths = graph
    steps = content(components, *paths, "runtimes/r.yaml")
    order = [step.name for step in steps.steps]
    for step in steps.steps:
        assert all(order.index(name) < order.index(step.name) for name in step.after)
        assert step.rank == 1 + max((steps[name].rank for name in step.after), default=-1)


@given(graphs())
def test_whatever_depends_on_a_component_waits_for_the_objects_beside_it(graph):
    components, paths = graph
    steps = content(components, *paths)
    last = {each.name: each.name for each in components} | {path.split("/")[1]: f"{path.split('/')[1]}-objects" for path in paths}
    for each in components:
        assert steps[each.name].after == tuple(last[name] for name in each.dependencies)
    for name in last.values():
        if name.endswith("-objects"):
            assert steps[name].after == (name.removesuffix("-objects"),)


@given(graphs())
def test_the_runtimes_come_after_everything(graph):
    components, paths = graph
    steps = content(components, *paths, "runtimes/r.yaml")
    pending, reached = [RUNTIMES], set()
    while pending:
        found = [name for name in steps[pending.pop()].after if name not in reached]
        reached |= set(found)
        pending += found
    assert reached == {step.name for step in steps.steps} - {RUNTIMES}


def test_what_a_step_consists_of():
    local = component("local", chart=None)
    steps = content(
        [component("a"), local], "components/a/manifests/x.yaml", "components/local/templates/y.yaml", "runtimes/r.yaml"
    )
    assert {step.name: (step.form, step.path) for step in steps.steps} == {
        "a": (Form.CHART, "components/a"),
        "a-objects": (Form.OBJECTS, "components/a/manifests"),
        "local": (Form.LOCAL, "components/local"),
        "runtimes": (Form.OBJECTS, "runtimes"),
    }


@pytest.mark.parametrize(
    ("names", "paths", "message"),
    [
        (
            ["runtimes"],
            ["runtimes/r.yaml"],
            "two parts of the bundle would be deployed as 'runtimes': components/runtimes and runtimes",
        ),
        (
            ["a", "a-objects"],
            ["components/a/manifests/x.yaml"],
            "two parts of the bundle would be deployed as 'a-objects': components/a/manifests and components/a-objects",
        ),
    ],
)
def test_two_steps_of_one_name_are_refused(names, paths, message):
    with pytest.raises(InvalidInput) as refused:
        content([component(name) for name in names], *paths)
    assert [(each.rule, each.message) for each in refused.value.findings] == [("AICR-A005", message)]
