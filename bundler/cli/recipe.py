"""`aicr recipe`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bundler.cli.command import Command
from bundler.cli.commands import CONTEXT, Group
from bundler.cli.flags import (
    CRITERIA,
    DATA,
    MACHINE,
    PLACEMENT,
    PROFILES,
    RECIPE,
    VALUES,
    Flags,
    completion,
    format_flag,
    is_file,
    takes,
)
from bundler.cli.printing import emit_form
from bundler.cli.terminal import say
from bundler.compose.wording import nearest, shown
from bundler.errors import InvalidInput, NotFound
from bundler.model.location import Location
from bundler.report.printable import shortened

if TYPE_CHECKING:
    from bundler.catalog.catalog import Catalog
    from bundler.model.document import Document, JsonObject

__all__ = ["command"]

_SHOW = Location(file="aicr recipe show")
_SHOWN = 80


@click.group("recipe", cls=Group, context_settings=CONTEXT)
def command() -> None:
    """List, show and resolve recipes.

    A recipe is one qualified combination of service, accelerator, os, intent and platform.
    """


@command.command("list", cls=Command)
@format_flag("text")
@takes(DATA)
def list_recipes(*, form: str, flags: Flags) -> None:
    """List every recipe with the default of each profile axis; a question mark is a value to be stated."""
    from bundler.catalog.catalog import Catalog
    from bundler.report.recipes import recipe_data, recipes_table

    recipes = tuple(Catalog.load(flags.data).recipes.values())
    emit_form(form, [recipe_data(document) for document in recipes], lambda: recipes_table(recipes))


@command.command("show", cls=Command)
@click.argument("recipe", required=False, metavar="[NAME|FILE]", shell_complete=completion("recipe"))
@format_flag("text")
@takes(CRITERIA, MACHINE, DATA)
def show_recipe(*, form: str, flags: Flags) -> None:
    """Show a recipe as authored, and what it recommends: how jobs are attached to the fabric, and the runtime they name.

    The recipe is named, read from a file, or found by its criteria. As data the recommendation stands beside the recipe's own
    fields, under `recommended`.

      aicr recipe show h100-eks-ubuntu-training-kubeflow
      aicr recipe show --service gke --accelerator h100 --machine-type a3-highgpu-8g
    """
    from bundler.catalog.catalog import Catalog
    from bundler.report.recipes import recipe_text
    from bundler.report.recommendation import recommendation, recommendation_text

    catalog = Catalog.load(flags.data)
    document = _chosen(flags, catalog)
    found = recommendation(catalog, document, _machine(flags, catalog, document))
    emit_form(form, {**document.data, "recommended": found}, lambda: f"{recipe_text(document)}\n{recommendation_text(found)}")


@command.command("resolve", cls=Command)
@format_flag("text")
@takes(RECIPE, CRITERIA, DATA, PROFILES, VALUES, PLACEMENT)
def resolve_recipe(*, form: str, flags: Flags) -> None:
    """Show what a recipe comes to: layers applied, components with versions and values, runtimes, constraints and choices.

    aicr recipe resolve --recipe h100-kind-training-kubeflow -t yaml
    """
    from bundler import pipeline
    from bundler.catalog.catalog import Catalog
    from bundler.cli.request import read_request
    from bundler.report.composition import composition_data, composition_text

    catalog = Catalog.load(flags.data)
    request, notes = read_request(flags, catalog)
    composition = pipeline.compose(catalog, request)
    say([*notes, *composition.warnings])
    emit_form(form, composition_data(composition), lambda: composition_text(composition))


def _chosen(flags: Flags, catalog: Catalog) -> Document:
    """The recipe that is named, or that the criteria fit."""
    if flags.recipe is not None and flags.criteria:
        given = ", ".join(f"--{name}" for name in flags.criteria)
        message = f"a recipe states all its criteria; {given} cannot stand beside one that is named"
        raise InvalidInput("AICR-U011", message, location=_SHOW, fix="give the recipe or the criteria")
    if flags.recipe is not None:
        return _authored(flags.recipe, catalog)
    if not flags.criteria:
        fix = "name a recipe, or state criteria such as --service gke; 'aicr recipe list' shows the recipes"
        raise InvalidInput("AICR-U010", "nothing chooses a recipe", location=_SHOW, fix=fix)
    from bundler.cli.request import read_request
    from bundler.compose.criteria import choose_recipe
    from bundler.compose.index import Index

    request, _ = read_request(flags, catalog)
    return choose_recipe(catalog.derived(Index.of), request)


def _machine(flags: Flags, catalog: Catalog, recipe: Document) -> JsonObject | None:
    """The row of the machine type that is stated; None when none is."""
    if flags.machine_type is None:
        return None
    from bundler.model.criteria import Criteria
    from bundler.model.request import Request
    from bundler.profiles.machine_type import stated_machine

    origins = {"/machineType": Location(file=f"--machine-type {shortened(flags.machine_type, _SHOWN)}")}
    request = Request(machine_type=flags.machine_type, origins=origins)
    row, problems = stated_machine(catalog, Criteria.of(recipe.data["criteria"]), request)
    if problems:
        raise InvalidInput.of(problems)
    return row


def _authored(recipe: str, catalog: Catalog) -> Document:
    if is_file(recipe):
        return catalog.open(Path(recipe), kinds=("Recipe",))
    if recipe not in catalog.recipes:
        fix = nearest(recipe, catalog.recipes, label="recipes")
        raise NotFound("AICR-U017", f"no recipe {shown(recipe)}", location=_SHOW, fix=fix)
    return catalog.recipes[recipe]
