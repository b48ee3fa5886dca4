"""Requirements on machines: a row of a table by its name, with the facts that the value needs, and never a guess."""

import pytest

from bundler.catalog.catalog import Catalog
from bundler.compose.index import Index
from bundler.model.finding import Severity
from bundler.profiles.axes import Axes
from bundler.profiles.declarations import check_declarations
from bundler.profiles.machines import fitting
from tests.unit.compose.catalogues import catalogue, profile, refused, shown
from tests.unit.profiles.machines import FABRIC, FILES, MACHINES, warp

# A machine that a parameter names.


def test_a_selection_carries_the_row_and_the_keys_that_it_lists_in_their_order(tmp_path):
    selection = warp(tmp_path, "big-8", "w2=b,w1=a").selection("fabric")
    assert selection.parameters == {"networks": {"w1": "a", "w2": "b"}, "machine": "big-8"}
    assert list(selection.parameters) == ["networks", "machine"]
    assert list(selection.parameters["networks"]) == ["w1", "w2"]
    assert (selection.machine["name"], selection.machine["warps"]) == ("big-8", 4)


def test_the_keys_are_exactly_those_of_the_machine(tmp_path):
    assert warp(tmp_path / "one", "small-1", "w1=a").selection("fabric").parameters["networks"] == {"w1": "a"}
    assert refused(warp, tmp_path / "more", "small-1", "w1=a,w2=b") == [
        "AICR-P009: parameter fabric.networks has no entry 'w2'\n  --> --param\n  fix: its entries are w1"
    ]
    assert refused(warp, tmp_path / "less", "big-8", "w1=a") == [
        "AICR-P008: parameter fabric.networks has 1 of 2 entries: w2 is missing\n  --> --param\n  fix: give w1, w2, each once"
    ]


def test_what_stands_at_a_key_is_held_against_the_schema(tmp_path):
    assert refused(warp, tmp_path / "form", "big-8", "w1=A,w2=b") == [
        "AICR-P012: parameter fabric.networks: w1 is 'A', not a network\n  --> --param\n  fix: give w1 another value"
    ]
    assert refused(warp, tmp_path / "unique", "big-8", "w1=a,w2=a") == [
        "AICR-P011: parameter fabric.networks gives 'a' to w1, w2\n  --> --param\n  fix: give every entry a value of its own"
    ]


@pytest.mark.parametrize(
    ("machine", "finding"),
    [
        (
            "big-9",
            (
                "AICR-P021: parameter fabric.machine: 'big-9' is no machine of gke\n  --> --param fabric.machine\n"
                "  fix: did you mean 'big-8'? machines that fit: big-8, small-1"
            ),
        ),
        (
            "x",
            (
                "AICR-P021: parameter fabric.machine: 'x' is no machine of gke\n  --> --param fabric.machine\n"
                "  fix: machines that fit: big-8, small-1"
            ),
        ),
        (
            ["big-8"],
            (
                'AICR-P021: parameter fabric.machine: ["big-8"] is no machine of gke\n  --> --param fabric.machine\n'
                "  fix: machines that fit: big-8, small-1"
            ),
        ),
        (
            "old-8",
            (
                "AICR-P022: parameter fabric.machine: old-8 has the accelerator a100, not h100\n  --> --param fabric.machine\n"
                "  fix: machines that fit: big-8, small-1"
            ),
        ),
        (
            "plain-8",
            (
                "AICR-P022: parameter fabric.machine: plain-8 has no warps and no interfaces\n  --> --param fabric.machine\n"
                "  fix: machines that fit: big-8, small-1"
            ),
        ),
    ],
)
def test_a_machine_that_does_not_fit_is_refused_by_name(tmp_path, machine, finding):
    assert refused(warp, tmp_path, machine, "w1=a,w2=b") == [finding]


def test_a_machine_that_is_not_given_lists_those_that_fit(tmp_path):
    assert refused(warp, tmp_path) == [
        (
            "AICR-P006: fabric=warp needs the parameter 'machine': The machine of the nodes\n  --> --profile fabric=warp\n"
            "  fix: add --param fabric.machine=VALUE; machines that fit: big-8, small-1; "
            "the cluster's own values: kubectl get nodes"
        ),
        (
            "AICR-P006: fabric=warp needs the parameter 'networks': Interface to network\n  --> --profile fabric=warp\n"
            "  fix: add --param fabric.networks=w1=net-1,w2=net-2; the cluster's own values: kubectl get networks"
        ),
    ]


def test_a_map_that_is_not_given_is_asked_for_with_the_keys_of_the_machine(tmp_path):
    assert refused(warp, tmp_path, "small-1") == [
        (
            "AICR-P006: fabric=warp needs the parameter 'networks': Interface to network\n  --> --profile fabric=warp\n"
            "  fix: add --param fabric.networks=w1=net-1; the cluster's own values: kubectl get networks"
        )
    ]


def test_where_no_machine_fits_another_value_is_asked_for(tmp_path):
    table = MACHINES.replace("warps: 4, ", "").replace("warps: 1, ", "")
    assert refused(warp, tmp_path, "big-8", files={"bom/machines/gke.yaml": table}) == [
        (
            "AICR-P022: parameter fabric.machine: big-8 has no warps\n  --> --param fabric.machine\n"
            "  fix: no machine with h100 fits: choose another value"
        ),
        (
            "AICR-P006: fabric=warp needs the parameter 'networks': Interface to network\n  --> --profile fabric=warp\n"
            "  fix: add --param fabric.networks=w1=net-1,w2=net-2; the cluster's own values: kubectl get networks"
        ),
    ]


def test_where_no_machine_fits_none_is_asked_for(tmp_path):
    table = MACHINES.replace("warps: 4, ", "").replace("warps: 1, ", "")
    assert refused(warp, tmp_path, networks="w1=a", files={"bom/machines/gke.yaml": table}) == [
        (
            "AICR-P006: fabric=warp needs the parameter 'machine': The machine of the nodes\n  --> --profile fabric=warp\n"
            "  fix: no machine with h100 fits: choose another value"
        )
    ]


def test_the_warning_of_a_machine_is_said(tmp_path):
    (warning,) = warp(tmp_path, "small-1", "w1=a").warnings
    assert warning.severity is Severity.WARNING
    assert shown(warning) == (
        "AICR-P025: small-1: One card only\n  --> --param fabric.machine\n  fix: choose another machine where that matters"
    )


# What a value fits, and declarations that cannot hold.


def values_of(directory, files=None):
    return catalogue(directory, {**FILES, **(files or {})}).derived(Axes.of)["fabric"].values


def test_a_value_fits_what_it_lists_or_the_rows_that_have_what_it_requires(tmp_path):
    values = values_of(tmp_path)
    assert fitting(values["none"], "h100") == ()
    assert fitting(values["listed"], "h100") == ("big-8",)
    assert fitting(values["warp"], "h100") == ("big-8", "small-1")
    assert fitting(values["warp"], "a100") == ("old-8",)
    assert fitting(values["warp"]) == ("big-8", "old-8", "small-1")


def test_a_row_must_be_on_the_list_too_where_there_is_one(tmp_path):
    text = FABRIC.replace("{criteria: {accelerator: [h100, a100]}}", "{machineTypes: [small-1]}")
    assert fitting(values_of(tmp_path, {"recipes/profiles/fabric.yaml": profile("fabric", text)})["warp"]) == ("small-1",)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("keysFrom: machine.", "keysFrom: nothing.", "keysFrom names 'nothing', which is no parameter with a machine table"),
        ("required: true\n      discoveredBy: kubectl get nodes", "default: big-9", "big-9 is in no row of its table"),
        ("required: true\n      discoveredBy: kubectl get nodes", "example: plain-8", "plain-8 has no warps and no interfaces"),
        (
            "required: true\n      discoveredBy: kubectl get nodes",
            "example: small-1",
            "parameter fabric.networks has no entry 'w2'",
        ),
        ("machines: gke", "machines: gkee", None),
        (
            "machine:\n      description",
            "other: {description: O., machines: gke}\n    machine:\n      description",
            "a value names one machine, and fabric.other names it",
        ),
    ],
)  # fmt: skip
def test_a_declaration_that_cannot_hold_is_found(tmp_path, old, new, message):
    assert old in FABRIC
    files = {**FILES, "recipes/profiles/fabric.yaml": profile("fabric", FABRIC.replace(old, new))}
    found = [(finding.rule, finding.message) for finding in check_declarations(catalogue(tmp_path, files))]
    if message is None:
        assert found == [("AICR-S022", "no machine table 'gkee' in bom/machines")]
    else:
        assert ("AICR-P020", f"the declaration breaks its own rule: {message}") in found


def test_the_packaged_declarations_hold():
    catalog = Catalog.load()
    assert catalog.derived(Index.of)
    assert [shown(finding) for finding in check_declarations(catalog)] == []
