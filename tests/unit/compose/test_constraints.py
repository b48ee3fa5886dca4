"""Requirements on constraints: one grammar, one canonical text, an intersection that names who excludes whom."""

import re

import pytest

from bundler.compose.constraints import intersect, parse
from bundler.model.composition import Constraint
from bundler.model.location import Location
from bundler.model.trace import Assignment
from tests.unit.compose.catalogues import refused


def stated(*constraints):
    return [
        (
            name,
            Assignment(
                pointer=f"/constraints/{name}",
                value=value,
                action="narrow",
                layer=layer,
                location=Location(file=f"{layer}.yaml", line=7),
            ),
        )
        for layer, name, value in constraints
    ]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        (">= 1.30", ">= 1.30"),
        (">=1.30", ">= 1.30"),
        ("  > v24.6.0 ", "> v24.6.0"),
        ("<1.36,>=1.30", ">= 1.30, < 1.36"),
        (">= 1.30, != 1.31.2, < 1.36", ">= 1.30, < 1.36, != 1.31.2"),
        ("ubuntu", "ubuntu"),
        ("== ubuntu", "ubuntu"),
        ("24.04", "24.04"),
        ("1.34.1-gke.1829001", "1.34.1-gke.1829001"),
        (">= 1.30, >= 1.32, > 1.31", ">= 1.32"),
        (">= 1.30, <= 1.30.0", "1.30"),
        (">= 1.30, != 1.30", "> 1.30"),
        (">= 1.30, != 1.29, != ubuntu", ">= 1.30"),
        ("!= b, != a, != 2, != 1.0", "!= 1.0, != 2, != a, != b"),
        # Values of labels, as the gpuStack profile states them.
        ("!gke-no-default-nvidia-gpu-device-plugin", "!gke-no-default-nvidia-gpu-device-plugin"),
        ("gke-no-default-nvidia-gpu-device-plugin=true", "gke-no-default-nvidia-gpu-device-plugin=true"),
    ],
)
def test_a_constraint_has_one_canonical_text(text, canonical):
    assert str(parse(text)) == canonical
    assert parse(canonical) == parse(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "an operator or a comma has no value"),
        (">=", "an operator or a comma has no value"),
        (">= 1.30,", "an operator or a comma has no value"),
        (">= ubuntu", "'ubuntu' is no version"),
        (">= 1.34.x", "'1.34.x' is no version"),
        (">= 1.30 < 1.36", "'1.30 < 1.36' is neither a version nor an exact value"),
        ("=> 1.30", "'=> 1.30' is neither a version nor an exact value"),
        ("~1.30", "'~1.30' is neither a version nor an exact value"),
        ("^1.30", "'^1.30' is neither a version nor an exact value"),
        ("1.30 || 1.32", "'1.30 || 1.32' is neither a version nor an exact value"),
        ("< 1.30, > 1.31", "nothing can satisfy it"),
        ("ubuntu, cos", "nothing can satisfy it"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_part_at_fault(text, problem):
    with pytest.raises(ValueError, match=rf"\A{re.escape(problem)}\Z"):
        parse(text)


@pytest.mark.parametrize(
    ("text", "admitted", "refused_values"),
    [
        (">= 1.34.1-gke.1829001", ["1.34.1-gke.1829001", "v1.34.1-gke.2000000", "1.35"], ["1.34.1", "1.34.1-gke.1", "1.33.9"]),
        (">= 1.32.0-0", ["1.32.0-rc.1", "1.32.0"], ["1.31.9"]),
        ("> 1.30, < 1.32", ["1.31", "1.31.9-gke.1", "1.32.0-rc.1"], ["1.30", "1.32", "ubuntu"]),
        ("ubuntu", ["ubuntu"], ["cos", "1.30"]),
        ("!= 580.105.08", ["580.173.02", "none"], ["580.105.8"]),
    ],
)
def test_a_requirement_admits_what_it_says(text, admitted, refused_values):
    requirement = parse(text)
    assert [value for value in admitted if not requirement.admits(value)] == []
    assert [value for value in refused_values if requirement.admits(value)] == []


def test_layers_narrow_a_constraint_and_the_result_is_sorted_by_name():
    assert intersect(
        stated(
            ("base", "K8s.server.version", ">= 1.25"),
            ("overlay a", "K8s.server.version", ">= 1.30, < 1.36"),
            ("recipe b", "K8s.server.version", ">= 1.28"),
            ("recipe b", "OS.release.ID", "ubuntu"),
            ("overlay a", "GPU.driver.version", "!= 580.105.08"),
        )
    ) == (
        Constraint(name="GPU.driver.version", value="!= 580.105.08"),
        Constraint(name="K8s.server.version", value=">= 1.30, < 1.36"),
        Constraint(name="OS.release.ID", value="ubuntu"),
    )


def test_a_floor_never_goes_down():
    # Upstream lets a later name win: its aks-training overlay lowers 1.34 to 1.30 (facts of the overlay chain).
    floors = stated(("overlay aks", "K8s.server.version", ">= 1.34"), ("overlay aks-training", "K8s.server.version", ">= 1.30"))
    assert intersect(floors) == (Constraint(name="K8s.server.version", value=">= 1.34"),)


def test_constraints_that_exclude_each_other_name_both_origins():
    conflicting = stated(
        ("base", "K8s.server.version", ">= 1.25"),
        ("overlay old", "K8s.server.version", "< 1.30"),
        ("recipe new", "K8s.server.version", ">= 1.32"),
    )
    assert refused(intersect, conflicting) == [
        (
            "AICR-C031: constraint K8s.server.version cannot hold: recipe new requires '>= 1.32', "
            "overlay old requires '< 1.30' (overlay old.yaml:7)\n"
            "  --> recipe new.yaml:7\n"
            "  fix: change one of the two"
        )
    ]


def test_when_only_all_together_exclude_a_value_the_last_that_narrowed_is_named():
    conflicting = stated(("base", "x", ">= 1"), ("overlay a", "x", "<= 1"), ("recipe b", "x", "!= 1"))
    assert refused(intersect, conflicting) == [
        (
            "AICR-C031: constraint x cannot hold: recipe b requires '!= 1', overlay a requires '<= 1' (overlay a.yaml:7)\n"
            "  --> recipe b.yaml:7\n"
            "  fix: change one of the two"
        )
    ]


def test_an_unreadable_constraint_is_found_beside_others():
    assert refused(intersect, stated(("base", "x", ">= one"), ("recipe b", "y", "1 2"))) == [
        (
            "AICR-C030: constraint x cannot be read: '>= one': 'one' is no version\n"
            "  --> base.yaml:7\n"
            "  fix: write versions with >=, >, <=, <, == or !=, separated by commas, or one exact value"
        ),
        (
            "AICR-C030: constraint y cannot be read: '1 2': '1 2' is neither a version nor an exact value\n"
            "  --> recipe b.yaml:7\n"
            "  fix: write versions with >=, >, <=, <, == or !=, separated by commas, or one exact value"
        ),
    ]
