"""`aicr profile`."""

from __future__ import annotations

import click

from bundler.cli.command import Command
from bundler.cli.commands import CONTEXT, Group
from bundler.cli.flags import DATA, Flags, completion, format_flag, takes
from bundler.cli.printing import emit_form
from bundler.compose.wording import nearest, shown
from bundler.errors import NotFound
from bundler.model.location import Location

__all__ = ["command"]


@click.group("profile", cls=Group, context_settings=CONTEXT)
def command() -> None:
    """List and show profiles and their values.

    A profile is an axis on which a recipe has one value chosen, such as how pods reach the fabric. A value may ask for parameters.
    """


@command.command("list", cls=Command)
@format_flag("text")
@takes(DATA)
def list_profiles(*, form: str, flags: Flags) -> None:
    """List every axis with its values."""
    from bundler.catalog.catalog import Catalog
    from bundler.report.profiles import profile_data, profiles_table

    catalog = Catalog.load(flags.data)
    profiles, recipes = tuple(catalog.profiles.values()), tuple(catalog.recipes.values())
    emit_form(form, [profile_data(document, recipes) for document in profiles], lambda: profiles_table(profiles))


@command.command("show", cls=Command)
@click.argument("axis", shell_complete=completion("axis"))
@format_flag("text")
@takes(DATA)
def show_profile(*, axis: str, form: str, flags: Flags) -> None:
    """Show AXIS: what each value is for, what it brings, and the parameters it asks for.

    aicr profile show fabricAttachment
    """
    from bundler.catalog.catalog import Catalog
    from bundler.profiles.axes import Axes
    from bundler.report.profiles import profile_text

    catalog = Catalog.load(flags.data)
    if axis not in catalog.profiles:
        fix = nearest(axis, catalog.profiles, label="axes")
        raise NotFound("AICR-U016", f"no profile axis {shown(axis)}", location=Location(file="aicr profile show"), fix=fix)
    document = catalog.profiles[axis]
    emit_form(form, document.data, lambda: profile_text(catalog.derived(Axes.of)[axis], catalog.recipes.values()))
