"""Requirements on the machine type of a request: it is known, the recipe is for it, and every choice fits it."""

import pytest

from tests.unit.compose.catalogues import profile, recipe, refused
from tests.unit.profiles.machines import FABRIC, composed, warp


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
