"""`aicr inputs`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bundler.cli.command import Command
from bundler.cli.flags import CRITERIA, DATA, PROFILES, RECIPE, SNAPSHOT, Flags, format_flag, takes
from bundler.cli.printing import emit_form
from bundler.cli.terminal import say

if TYPE_CHECKING:
    from bundler.catalog.catalog import Catalog

__all__ = ["command"]


@click.command("inputs", cls=Command)
@takes(RECIPE, CRITERIA, SNAPSHOT, DATA, PROFILES)
@click.option("--all", "everything", is_flag=True, help="List what has a default or is given already, too.")
@format_flag("json")
def command(*, flags: Flags, everything: bool, form: str) -> None:
    """List what a recipe still has to be told, as JSON.

    Each input comes with its schema, an example, the command that finds it on a cluster, and the flag that gives it. While a
    required choice is open, the parameters of all its values are listed. Without a recipe and without criteria, the axes are
    listed.

      aicr inputs --recipe h100-gke-cos-training-kubeflow
      aicr inputs --recipe h100-gke-cos-training-kubeflow --profile fabricAttachment=gke-tcpxo-multinetwork
    """
    from bundler.catalog.catalog import Catalog
    from bundler.cli.request import read_request
    from bundler.report.inputs import inputs_text, recipe_inputs

    catalog = Catalog.load(flags.data)
    if flags.recipe is None and not flags.criteria and not flags.snapshot:
        _list_axes(catalog, form)
        return
    request, notes = read_request(flags, catalog)
    say(notes)
    found = recipe_inputs(catalog, request, everything=everything)
    emit_form(form, found, lambda: inputs_text(found["inputs"]))


def _list_axes(catalog: Catalog, form: str) -> None:
    from bundler.report.profiles import profile_data, profiles_table

    profiles, recipes = tuple(catalog.profiles.values()), tuple(catalog.recipes.values())
    axes = {"axes": [profile_data(document, recipes) for document in profiles]}
    emit_form(form, axes, lambda: profiles_table(profiles))
