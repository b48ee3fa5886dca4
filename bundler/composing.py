"""The first half of the pipeline: a recipe with its layers over each other, its profiles selected and the flags applied."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from bundler.compose.agreements import check_agreements
from bundler.compose.assignments import trace_of
from bundler.compose.components import check_values, choose_versions, install
from bundler.compose.constraints import intersect
from bundler.compose.criteria import choose_recipe
from bundler.compose.disagreement import refuse_disagreement
from bundler.compose.fixtures import set_apart
from bundler.compose.fold import fold, included
from bundler.compose.index import Index
from bundler.compose.overrides import FLAGS, override
from bundler.compose.runtimes import runtimes
from bundler.compose.scheduling import schedule
from bundler.model.composition import Composition, Layer
from bundler.model.criteria import Criteria
from bundler.profiles.axes import Axes
from bundler.profiles.ownership import refuse_absent, refuse_overrides
from bundler.profiles.selection import select

if TYPE_CHECKING:
    from bundler.catalog.catalog import Catalog
    from bundler.model.request import Request

__all__ = ["compose"]


def compose(catalog: Catalog, request: Request) -> Composition:
    """Choose the recipe, put its layers over each other, select its profiles, apply the flags, and check what came out.

    Args:
        catalog: authored data.
        request: what was asked for; a recipe in it was read by `Catalog.open`.

    Raises:
        NotFound: the recipe named does not exist.
        InvalidInput: anything that does not fit together; every finding has the place where it was written.
    """
    index = catalog.derived(Index.of)
    recipe = choose_recipe(index, request)
    criteria = Criteria.of(recipe.data["criteria"])
    overlays = index.matching(criteria)
    refuse_disagreement(overlays)
    choices = select(catalog.derived(Axes.of), recipe, request)
    layers = (index.base, *overlays, index.recipe(recipe), *(choice.layer for choice in choices))

    components = included(index, layers)
    refuse_absent(choices, components)
    versions = choose_versions(index, components, request)
    folded = fold(index, layers, components)
    named, shipping = runtimes(layers)
    shipped, fixtures = set_apart(named, (choice.selection for choice in choices))
    overridden = override(index, folded.values, request.overrides)
    flagged = schedule(index, overridden, request, runtimes=bool(shipped))
    refuse_overrides(choices, folded.values, flagged.values, flagged.assignments)

    stated = [constraint for layer in layers for constraint in layer.constraints(criteria)]
    narrowing = (assignment for _, assignment in stated)
    trace = trace_of(chain(folded.assignments, shipping, narrowing, flagged.assignments))
    check_values(index, flagged.values, trace)
    check_agreements(catalog, flagged.values, trace)
    grounds = (index.components[name].applied for name in sorted(components))
    return Composition(
        recipe=recipe.name,
        criteria=criteria,
        layers=(
            *(ground for ground in grounds if ground is not None),
            *(layer.applied for layer in layers),
            *((Layer(label=FLAGS, file=""),) if flagged.assignments else ()),
        ),
        components=install(index, folded, flagged.values, versions),
        runtimes=shipped,
        constraints=intersect(stated),
        selections=tuple(choice.selection for choice in choices),
        trace=trace,
        accelerated=request.accelerated,
        system=request.system,
        allow_unpinned=request.allow_unpinned,
        fixtures=fixtures,
        warnings=(
            *dict.fromkeys(warning for choice in choices for warning in choice.warnings),
            *folded.warnings,
            *flagged.warnings,
        ),
    )
