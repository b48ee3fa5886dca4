"""`aicr schema`."""

from __future__ import annotations

import click

from bundler.cli.command import Command
from bundler.cli.flags import DATA, Flags, completion, takes
from bundler.cli.printing import emit_form
from bundler.compose.wording import nearest
from bundler.errors import InvalidInput, NotFound
from bundler.model.location import Location

__all__ = ["command"]


@click.command("schema", cls=Command)
@click.argument("name", required=False, shell_complete=completion("schema"))
@click.option("--list", "listed", is_flag=True, help="Print the names of all schemas.")
@takes(DATA)
def command(name: str | None, *, listed: bool, flags: Flags) -> None:
    """Print the JSON Schema of a document.

    NAME is a kind of document, such as recipe or overlay. The schemas are draft 2020-12 and refer to each other by $id.

    For an editor that knows yaml-language-server:

      aicr schema recipe > recipe.schema.json
    """
    if listed == (name is not None):
        fix = "give the name of a schema, or --list"
        raise InvalidInput("AICR-U003", "one schema or the list is printed", location=Location(file="aicr schema"), fix=fix)
    from bundler.catalog.catalog import Catalog

    schemas = Catalog.load(flags.data).schemas
    if name is None:
        emit_form("text", None, lambda: "".join(f"{known}\n" for known in schemas))
        return
    if name.lower() not in schemas:
        raise NotFound("AICR-U015", f"no schema {name!r}", location=Location(file="aicr schema"), fix=nearest(name, schemas))
    emit_form("json", schemas[name.lower()], str)
