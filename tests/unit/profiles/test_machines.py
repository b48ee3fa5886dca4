"""Requirements on machines: a row of a table by its name, with the facts that the value needs, and never a guess."""

import pytest

from bundler.catalog.catalog import Catalog
from bundler.compose.index import Index
from bundler.model.finding import Severity
from bundler.model.location import Location
from bundler.profiles.axes import Axes
from bundler.profiles.declarations import check_declarations
from bundler.profiles.machines import fitting
from tests.unit.compose.catalogues import catalogue, profile, recipe, refused, shown
from tests.unit.profiles import declared

MACHINES = """\
apiVersion: aicr.run/v2
kind: MachineTable
metadata: {name: gke, description: Machines., source: "https://example.org"}
facts: {warps: Cards of the fabric.}
machines:
  - {name: big-8, accelerator: h100, gpus: 8, arch: amd64, source: s, warps: 4, interfaces: [w1, w2]}
  - {name: small-1, accelerator: h100, gpus: 1, arch: amd64, source: s, warps: 1, interfaces: [w1], warning: One card only.}
  - {name: plain-8, accelerator: h100, gpus: 8, arch: amd64, source: s, warps: 0}
  - {name: old-8, accelerator: a100, gpus: 8, arch: amd64, source: s, warps: 2, interfaces: [w1, w2]}
"""
FABRIC = """\
none:
  description: Pods use the cluster network only.
listed:
  description: For one machine type.
  appliesTo: {machineTypes: [big-8]}
warp:
  description: A fabric.
  appliesTo: {criteria: {accelerator: [h100, a100]}}
  parameters:
    networks:
      description: Interface to network.
      required: true
      keysFrom: machine.interfaces
      schema:
        type: object
        additionalProperties: {type: string, pattern: '^[a-z0-9-]{1,9}$(?!\\n)', description: a network}
        x-aicr-unique-values: true
      example: {w1: net-1, w2: net-2}
      discoveredBy: kubectl get networks
    machine:
      description: The machine of the nodes.
      machines: gke
      requires: [warps]
      required: true
      discoveredBy: kubectl get nodes
"""
FILES = {
    "bom/machines/gke.yaml": MACHINES,
    "recipes/profiles/fabric.yaml": profile("fabric", FABRIC),
    "recipes/mega.yaml": recipe("mega", "profiles:\n  fabric: {required: true}\n"),
}
ORIGINS = {
    "/profiles/fabric": Location(file="--profile fabric=warp"),
    "/parameters/fabric/machine": Location(file="--param fabric.machine"),
    "/machineType": Location(file="--machine-type M"),
}


def composed(directory, value="warp", files=None, **stated):
    return declared.composed(directory, {**FILES, **(files or {})}, profiles={"fabric": value}, origins=ORIGINS, **stated)


def warp(directory, machine=None, networks=None, **stated):
    given = {"machine": machine, "networks": networks}
    parameters = {"fabric": {name: value for name, value in given.items() if value is not None}}
    return composed(directory, parameters=parameters, **stated)


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


def test_the_warning_of_a_machine_is_said(tmp_path):
    (warning,) = warp(tmp_path, "small-1", "w1=a").warnings
    assert warning.severity is Severity.WARNING
    assert shown(warning) == (
        "AICR-P025: small-1: One card only\n  --> --param fabric.machine\n  fix: choose another machine where that matters"
    )


# The machine type of the request.


def test_the_machine_type_is_the_machine_of_a_value_that_asks_for_one(tmp_path):
    selection = warp(tmp_path, networks="w1=a,w2=b", machine_type="big-8").selection("fabric")
    assert selection.parameters["machine"] == "big-8"
    assert selection.machine["gpus"] == 8


def test_the_machine_type_may_be_repeated_and_not_contradicted(tmp_path):
    assert warp(tmp_path / "same", "big-8", "w1=a,w2=b", machine_type="big-8").selection("fabric").machine["gpus"] == 8
    assert refused(warp, tmp_path / "other", "small-1", "w1=a", machine_type="big-8") == [
        (
            "AICR-P024: parameter fabric.machine is 'small-1', the machine type is 'big-8' (--machine-type M)\n"
            "  --> --param fabric.machine\n  fix: give one of the two"
        )
    ]


@pytest.mark.parametrize("value", ["none", "listed"])
def test_a_machine_type_that_fits_changes_nothing(tmp_path, value):
    selection = composed(tmp_path, value, machine_type="big-8").selection("fabric")
    assert (selection.value, selection.machine) == (value, {})


@pytest.mark.parametrize(
    ("value", "machine_type", "finding"),
    [
        (
            "none",
            "big-9",
            (
                "AICR-P021: machine type 'big-9' is not in bom/machines/gke.yaml\n  --> --machine-type M\n"
                "  fix: did you mean 'big-8'? machine types with h100: big-8, small-1, plain-8"
            ),
        ),
        (
            "none",
            "x",
            (
                "AICR-P021: machine type 'x' is not in bom/machines/gke.yaml\n  --> --machine-type M\n"
                "  fix: machine types with h100: big-8, small-1, plain-8"
            ),
        ),
        (
            "none",
            "old-8",
            (
                "AICR-P022: machine type old-8 has the accelerator a100, the recipe is for h100\n  --> --machine-type M\n"
                "  fix: machine types with h100: big-8, small-1, plain-8"
            ),
        ),
        (
            "listed",
            "small-1",
            (
                "AICR-P023: fabric=listed does not fit machine type small-1, which is not among its machine types (big-8)\n"
                "  --> --machine-type M\n  fix: for small-1 choose --profile fabric=warp; listed fits big-8"
            ),
        ),
        (
            "warp",
            "plain-8",
            (
                "AICR-P023: fabric=warp does not fit machine type plain-8, which has no warps and no interfaces\n"
                "  --> --machine-type M\n"
                "  fix: plain-8 is attached by no value; choose --profile fabric=none or another machine type; "
                "warp fits big-8, small-1"
            ),
        ),
    ],
)
def test_a_machine_type_that_does_not_fit_says_what_would(tmp_path, value, machine_type, finding):
    assert refused(composed, tmp_path, value, machine_type=machine_type) == [finding]


def test_a_value_that_would_fit_and_is_not_accepted_is_named(tmp_path):
    body = "profiles:\n  fabric: {required: true, values: [none, listed]}\n"
    files = {"recipes/mega.yaml": recipe("mega", body)}
    assert refused(composed, tmp_path, "listed", files, machine_type="small-1") == [
        (
            "AICR-P023: fabric=listed does not fit machine type small-1, which is not among its machine types (big-8)\n"
            "  --> --machine-type M\n"
            "  fix: small-1 is attached by warp, which the recipe does not accept; "
            "choose --profile fabric=none or another machine type; "
            "listed fits big-8"
        )
    ]


def test_a_service_without_a_table_takes_no_machine_type(tmp_path):
    assert refused(composed, tmp_path, "none", {"bom/machines/gke.yaml": None}, machine_type="big-8") == [
        (
            "AICR-P021: there is no table of the machine types of service gke, so 'big-8' cannot be checked\n"
            "  --> --machine-type M\n"
            "  fix: leave the machine type out, or add bom/machines/gke.yaml with --data"
        )
    ]


@pytest.mark.parametrize("value", ["none", "listed", "warp"])
def test_the_warning_of_a_machine_type_is_said_once(tmp_path, value):
    files = {"recipes/profiles/fabric.yaml": profile("fabric", FABRIC.replace("[big-8]", "[big-8, small-1]"))}
    files["recipes/profiles/stack.yaml"] = profile("stack", "one:\n  description: One.\n")
    files["recipes/mega.yaml"] = recipe("mega", "profiles:\n  fabric: {required: true}\n  stack: {default: one}\n")
    parameters = {"fabric": {"networks": "w1=a"}} if value == "warp" else {}
    composition = composed(tmp_path, value, files, parameters=parameters, machine_type="small-1")
    assert [warning.rule for warning in composition.warnings] == ["AICR-P025"]


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
