"""Requirements on choosing a recipe: exactly one, or a message that leads to it."""

import pytest

from bundler.errors import InvalidInput, NotFound
from bundler.exitcodes import ExitCode
from bundler.model.criteria import Criteria
from bundler.model.location import Location
from bundler.model.request import Request
from bundler.pipeline import compose
from tests.unit.compose.catalogues import catalogue, overlay, recipe, refused

RECIPES = {
    "recipes/mega.yaml": None,
    "recipes/h100-gke-cos.yaml": recipe("h100-gke-cos", ""),
    "recipes/h100-eks-ubuntu.yaml": recipe(
        "h100-eks-ubuntu", "", "{service: eks, accelerator: h100, os: ubuntu, intent: training, platform: kubeflow}"
    ),
    "recipes/gb200-eks-ubuntu.yaml": recipe(
        "gb200-eks-ubuntu", "", "{service: eks, accelerator: gb200, os: ubuntu, intent: training, platform: kubeflow}"
    ),
}


@pytest.fixture
def catalog(tmp_path):
    return catalogue(tmp_path, RECIPES)


@pytest.mark.parametrize(
    ("criteria", "chosen"),
    [
        ({"service": "gke"}, "h100-gke-cos"),
        ({"accelerator": "gb200"}, "gb200-eks-ubuntu"),
        ({"service": "eks", "accelerator": "h100", "intent": "training"}, "h100-eks-ubuntu"),
        ({"service": "gke", "accelerator": "h100", "os": "cos", "intent": "training", "platform": "kubeflow"}, "h100-gke-cos"),
    ],
)
def test_criteria_choose_the_one_recipe_that_has_them_all(catalog, criteria, chosen):
    assert compose(catalog, Request(criteria=Criteria(**criteria))).recipe == chosen


@pytest.mark.parametrize(
    ("criteria", "finding"),
    [
        (
            {"service": "gke", "accelerator": "h200"},
            (
                "AICR-C002: no recipe has accelerator=h200\n  --> --accelerator\n"
                "  fix: --accelerator: did you mean 'h100'?; nearest recipes: h100-gke-cos (accelerator=h100)"
            ),
        ),
        (
            {"service": "gke", "accelerator": "gb200"},
            (
                "AICR-C002: no recipe has service=gke, accelerator=gb200 together\n  --> --service\n"
                "  fix: nearest recipes: gb200-eks-ubuntu (service=eks); h100-gke-cos (accelerator=h100)"
            ),
        ),
        (
            {"platform": "slurm"},
            "AICR-C002: no recipe has platform=slurm\n  --> --platform\n  fix: --platform: known: kubeflow",
        ),
        (
            {"accelerator": "h100"},
            (
                "AICR-C003: accelerator=h100 fits 2 recipes\n  --> --accelerator\n"
                "  fix: state --service or --os too, or --recipe: h100-eks-ubuntu (service=eks, os=ubuntu), "
                "h100-gke-cos (service=gke, os=cos)"
            ),
        ),
        (
            {},
            (
                "AICR-C004: nothing chooses a recipe\n  --> None\n"
                "  fix: name a recipe (gb200-eks-ubuntu, h100-eks-ubuntu, h100-gke-cos) or state criteria such as --service"
            ),
        ),
    ],
)
def test_criteria_that_leave_none_or_several_say_what_would_decide(catalog, criteria, finding):
    assert refused(compose, catalog, Request(criteria=Criteria(**criteria))) == [finding]


def test_an_unknown_recipe_is_not_found_and_unfit_criteria_are_invalid(catalog):
    with pytest.raises(NotFound) as caught:
        compose(catalog, Request(recipe="h100-gke-coz"))
    assert caught.value.exit_code == ExitCode.NOT_FOUND
    with pytest.raises(InvalidInput) as invalid:
        compose(catalog, Request(criteria=Criteria(service="oke")))
    assert invalid.value.exit_code == ExitCode.INVALID


def test_a_recipe_name_is_nearly_right(catalog):
    origins = {"/recipe": Location(file="--recipe h100-gke-coz")}
    assert refused(compose, catalog, Request(recipe="h100-gke-coz", origins=origins)) == [
        "AICR-C001: no recipe is named 'h100-gke-coz'\n  --> --recipe h100-gke-coz\n  fix: did you mean 'h100-gke-cos'?"
    ]


def test_criteria_beside_a_recipe_must_agree_with_it(catalog):
    assert compose(catalog, Request(recipe="h100-gke-cos", criteria=Criteria(service="gke"))).recipe == "h100-gke-cos"
    assert refused(
        compose, catalog, Request(recipe="h100-gke-cos", criteria=Criteria(service="eks", os="cos", intent="inference"))
    ) == [
        (
            "AICR-C005: service=eks contradicts recipe 'h100-gke-cos', which is for service=gke\n"
            "  --> --service\n  fix: give the recipe or the criteria"
        ),
        (
            "AICR-C005: intent=inference contradicts recipe 'h100-gke-cos', which is for intent=training\n"
            "  --> --intent\n  fix: give the recipe or the criteria"
        ),
    ]


def test_a_recipe_of_ones_own_takes_the_overlays_of_its_criteria(tmp_path):
    catalog = catalogue(
        tmp_path / "data",
        {**RECIPES, "overlays/gke.yaml": overlay("service-gke", "{service: gke}", "components:\n  - name: plugin\n")},
    )
    path = tmp_path / "mine.yaml"
    path.write_text(recipe("mine", ""))
    composition = compose(catalog, Request(document=catalog.open(path, kinds=("Recipe",))))
    assert composition.recipe == "mine"
    assert [layer.label for layer in composition.layers] == ["component operator", "base", "overlay service-gke", "recipe mine"]
    assert [component.name for component in composition.components] == ["operator", "plugin"]


def test_a_recipe_of_ones_own_for_what_nothing_knows_is_refused(tmp_path, catalog):
    path = tmp_path / "mine.yaml"
    path.write_text(recipe("mine", "", "{service: gkee, accelerator: h100, os: cos, intent: training, platform: kubeflow}"))
    assert refused(compose, catalog, Request(document=catalog.open(path, kinds=("Recipe",)))) == [
        (
            f"AICR-C006: no overlay and no recipe is for service=gkee\n  --> {path}:4:12\n"
            "  fix: did you mean 'gke'?; or add an overlay for it with --data"
        )
    ]
