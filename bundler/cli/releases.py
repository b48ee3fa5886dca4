"""`aicr releases`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bundler.cli.command import Command
from bundler.cli.commands import CONTEXT, Group
from bundler.cli.flags import DATA, Flags, format_flag, takes
from bundler.cli.printing import emit_form
from bundler.compose.wording import nearest, shown
from bundler.errors import NotFound
from bundler.model.location import Location

if TYPE_CHECKING:
    from bundler.catalog.catalog import Catalog

__all__ = ["command"]


@click.group("releases", cls=Group, context_settings=CONTEXT)
def command() -> None:
    """List and show releases of the fabrics' software.

    A vendor couples the images of a release: they are taken together or not at all, and the settings belong to them.
    """


@command.command("list", cls=Command)
@click.argument("table", required=False)
@format_flag("text")
@takes(DATA)
def list_releases(*, table: str | None, form: str, flags: Flags) -> None:
    """List every release with its images and its source, of one TABLE or of all; a star marks the default."""
    from bundler.catalog.catalog import Catalog
    from bundler.report.releases import releases_data, releases_table

    catalog = Catalog.load(flags.data)
    names = _tables(catalog, table, "aicr releases list")
    documents = [catalog.release_table(name) for name in names]
    emit_form(form, releases_data(documents), lambda: releases_table(documents))


@command.command("show", cls=Command)
@click.argument("table")
@click.argument("release", required=False)
@format_flag("text")
@takes(DATA)
def show_release(*, table: str, release: str | None, form: str, flags: Flags) -> None:
    """Show one RELEASE of TABLE, or its default: images, arguments, every variable with its class and source.

    aicr releases show tcpxo v1.0.15
    """
    from bundler.catalog.catalog import Catalog
    from bundler.report.releases import release_data, release_text

    catalog = Catalog.load(flags.data)
    _tables(catalog, table, "aicr releases show")
    document = catalog.release_table(table)
    rows = {row["name"]: row for row in document.data["releases"]}
    name = release or document.data["default"]
    if name not in rows:
        place = Location(file="aicr releases show")
        fix = nearest(name, rows, label="releases")
        raise NotFound("AICR-U030", f"no release {shown(name)} of {table}", location=place, fix=fix)
    emit_form(form, release_data(rows[name]), lambda: release_text(document, rows[name]))


def _tables(catalog: Catalog, table: str | None, command: str) -> list[str]:
    """The tables that are meant: one that exists, or all."""
    known = [*catalog.store.named("bom/releases", ".yaml")]
    if table is None:
        return known
    if table not in known:
        fix = nearest(table, known, label="tables")
        raise NotFound("AICR-U030", f"no release table {shown(table)}", location=Location(file=command), fix=fix)
    return [table]
