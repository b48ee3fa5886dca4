"""`aicr recipe`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bundler.cli.command import Command
from bundler.cli.commands import CONTEXT, Group
from bundler.cli.flags import CRITERIA, DATA, PLACEMENT, PROFILES, RECIPE, VALUES, Flags, completion, format_flag, is_file, takes
from bundler.cli.printing import emit_form
from bundler.cli.terminal import say
from bundler.compose.wording import nearest, shown
from bundler.errors import NotFound
from bundler.model.location import Location

if TYPE_CHECKING:
    from bundler.catalog.catalog import Catalog
    from bundler.model.document import Document

__all__ = ["command"]


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
@click.argument("recipe", metavar="NAME|FILE", shell_complete=completion("recipe"))
@format_flag("text")
@takes(DATA)
def show_recipe(*, form: str, flags: Flags) -> None:
    """Show a recipe as authored, by its name or from a file."""
    from bundler.catalog.catalog import Catalog
    from bundler.report.recipes import recipe_text

    document = _authored(flags.recipe or "", Catalog.load(flags.data))
    emit_form(form, document.data, lambda: recipe_text(document))


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


def _authored(recipe: str, catalog: Catalog) -> Document:
    if is_file(recipe):
        return catalog.open(Path(recipe), kinds=("Recipe",))
    if recipe not in catalog.recipes:
        fix = nearest(recipe, catalog.recipes, label="recipes")
        raise NotFound("AICR-U017", f"no recipe {shown(recipe)}", location=Location(file="aicr recipe show"), fix=fix)
    return catalog.recipes[recipe]
