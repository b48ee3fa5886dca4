"""Requirements on the installation order."""

import pytest

from bundler.compose.dependencies import in_order
from bundler.model.location import Location
from bundler.model.trace import Assignment
from tests.unit.compose.catalogues import refused


def needs(**stated):
    return {
        name: {
            other: Assignment(
                pointer=f"/components/{name}/dependencies/{other}",
                value=other,
                action="add",
                layer=f"overlay {name}",
                location=Location(file="overlays/x.yaml", line=line),
            )
            for line, other in enumerate(others.split(), start=1)
        }
        for name, others in stated.items()
    }


@pytest.mark.parametrize(
    ("stated", "order"),
    [
        ({}, ()),
        ({"b": "", "a": ""}, ("a", "b")),
        ({"a": "b", "b": ""}, ("b", "a")),
        ({"top": "left right", "left": "bottom", "right": "bottom", "bottom": ""}, ("bottom", "left", "right", "top")),
        ({"a": "z", "b": "", "z": ""}, ("b", "z", "a")),
    ],
)
def test_each_component_comes_after_what_it_needs_and_ties_go_by_name(stated, order):
    assert in_order(needs(**stated)) == order


@pytest.mark.parametrize(
    ("stated", "chain", "line"),
    [
        ({"a": "a"}, "a -> a (overlay a at overlays/x.yaml:1)", 1),
        ({"a": "b", "b": "a"}, "a -> b -> a (overlay a at overlays/x.yaml:1; overlay b at overlays/x.yaml:1)", 1),
        (
            {"0": "c", "c": "x d", "d": "c", "x": ""},
            "c -> d -> c (overlay c at overlays/x.yaml:2; overlay d at overlays/x.yaml:1)",
            1,
        ),
    ],
)
def test_a_circle_is_named_link_by_link(stated, chain, line):
    assert refused(in_order, needs(**stated)) == [
        f"AICR-C021: components depend on each other: {chain}\n  --> overlays/x.yaml:{line}\n  fix: drop one of these dependencies"
    ]


def test_a_dependency_that_is_not_included_names_the_nearest():
    assert refused(in_order, needs(operator="nfb", nfd="", trainer="absent")) == [
        (
            "AICR-C020: component 'operator' depends on 'nfb', which the recipe does not include (overlay operator)\n"
            "  --> overlays/x.yaml:1\n"
            "  fix: include 'nfb', or drop the dependency; did you mean 'nfd'?"
        ),
        (
            "AICR-C020: component 'trainer' depends on 'absent', which the recipe does not include (overlay trainer)\n"
            "  --> overlays/x.yaml:1\n"
            "  fix: include 'absent', or drop the dependency; included: nfd, operator, trainer"
        ),
    ]


def test_ten_thousand_components_in_a_row_are_ordered():
    count = 10_000
    stated = {f"c{number:05}": f"c{number - 1:05}" if number else "" for number in range(count)}
    assert in_order(needs(**stated)) == tuple(stated)
