"""Which recipe a request means: by name, by a document of its own, or by criteria that exactly one recipe covers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.compose.origins import stated
from bundler.compose.wording import listed, nearest, pairs, shown
from bundler.errors import InvalidInput, NotFound
from bundler.model.criteria import DIMENSIONS, Criteria
from bundler.model.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bundler.compose.index import Index
    from bundler.model.document import Document
    from bundler.model.request import Request

__all__ = ["choose_recipe"]

_NEAREST = 3


def choose_recipe(index: Index, request: Request) -> Document:
    """The recipe to compose.

    Raises:
        NotFound: the recipe named does not exist.
        InvalidInput: criteria fit no recipe or several, contradict the recipe named, or name what nothing in the catalogue is for.
    """
    if request.document is not None:
        _refuse_unknown_criteria(index, request.document)
        return _agreed(request, request.document)
    if request.recipe is not None:
        if request.recipe not in index.catalog.recipes:
            fix = nearest(request.recipe, index.catalog.recipes, label="recipes")
            location = stated(request, "/recipe", "--recipe")
            raise NotFound("AICR-C001", f"no recipe is named {shown(request.recipe)}", location=location, fix=fix)
        return _agreed(request, index.catalog.recipes[request.recipe])
    if not request.criteria.stated():
        fix = f"name a recipe ({listed(index.catalog.recipes)}) or state criteria such as --service"
        raise InvalidInput("AICR-C004", "nothing chooses a recipe", fix=fix)
    covered = [name for name, criteria in index.recipes.items() if request.criteria.covers(criteria)]
    if len(covered) > 1:
        raise _several(request, {name: index.recipes[name] for name in covered})
    if not covered:
        raise _none(request, index.recipes)
    return index.catalog.recipes[covered[0]]


def _agreed(request: Request, document: Document) -> Document:
    """The recipe, unless criteria stated beside it say otherwise."""
    criteria = Criteria.of(document.data["criteria"]).stated()
    findings = [
        Finding(
            rule="AICR-C005",
            message=f"{dimension}={value} contradicts recipe {document.name!r}, which is for {dimension}={criteria.get(dimension)}",
            location=stated(request, f"/criteria/{dimension}", f"--{dimension}"),
            fix="give the recipe or the criteria",
        )
        for dimension, value in request.criteria.stated().items()
        if criteria.get(dimension) != value
    ]
    if findings:
        raise InvalidInput.of(findings)
    return document


def _refuse_unknown_criteria(index: Index, document: Document) -> None:
    """A recipe of the user's own must be for something that the catalogue knows: a typo would drop an overlay in silence."""
    findings = []
    for dimension, value in Criteria.of(document.data["criteria"]).stated().items():
        known = index.known_criteria.get(dimension, frozenset())
        if value not in known:
            pointer = f"/criteria/{dimension}"
            findings.append(
                Finding(
                    rule="AICR-C006",
                    message=f"no overlay and no recipe is for {dimension}={value}",
                    location=document.locate(pointer),
                    pointer=pointer,
                    fix=f"{nearest(value, known)}; or add an overlay for it with --data",
                )
            )
    if findings:
        raise InvalidInput.of(findings)


def _several(request: Request, recipes: Mapping[str, Criteria]) -> InvalidInput:
    """Criteria that leave a choice: list the recipes by what tells them apart."""
    values = {dimension: {getattr(criteria, dimension) for criteria in recipes.values()} for dimension in DIMENSIONS}
    told_apart = [dimension for dimension in DIMENSIONS if len(values[dimension]) > 1]
    choices = (
        f"{name} ({pairs({dimension: getattr(criteria, dimension) for dimension in told_apart})})"
        for name, criteria in recipes.items()
    )
    message = f"{pairs(request.criteria.stated())} fits {len(recipes)} recipes"
    dimension = next(iter(request.criteria.stated()))
    location = stated(request, f"/criteria/{dimension}", f"--{dimension}")
    fix = f"state {' or '.join(f'--{name}' for name in told_apart)} too, or --recipe: {listed(choices)}"
    return InvalidInput("AICR-C003", message, location=location, fix=fix)


def _none(request: Request, recipes: Mapping[str, Criteria]) -> InvalidInput:
    """Criteria that nothing honours: name the dimension at fault, and the complete recipes that come nearest."""
    asked = request.criteria.stated()
    known = {dimension: {value for c in recipes.values() if (value := getattr(c, dimension))} for dimension in asked}
    unknown = {dimension: value for dimension, value in asked.items() if value not in known[dimension]}
    message = f"no recipe has {pairs(unknown)}" if unknown else f"no recipe has {pairs(asked)} together"
    agreeing = {
        name: sum(getattr(criteria, dimension) == value for dimension, value in asked.items()) for name, criteria in recipes.items()
    }
    near = sorted((name for name in recipes if agreeing[name]), key=lambda name: (-agreeing[name], name))[:_NEAREST]
    dimension = next(iter(unknown or asked))
    fixes = [f"--{name}: {nearest(value, known[name])}" for name, value in unknown.items()]
    if near:
        fixes.append(f"nearest recipes: {'; '.join(f'{name} ({pairs(_differing(recipes[name], asked))})' for name in near)}")
    location = stated(request, f"/criteria/{dimension}", f"--{dimension}")
    return InvalidInput("AICR-C002", message, location=location, fix="; ".join(fixes) or "add a recipe with --data")


def _differing(criteria: Criteria, asked: Mapping[str, str]) -> dict[str, str]:
    """What the recipe has where other things were asked for."""
    return {dimension: value for dimension, value in criteria.stated().items() if asked.get(dimension, value) != value}
