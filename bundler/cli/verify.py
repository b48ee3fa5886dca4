"""`aicr verify`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bundler.cli.command import Command, Directory, Input
from bundler.cli.flags import DATA, Flags, takes
from bundler.cli.reporting import report_flag
from bundler.cli.terminal import emit, say
from bundler.errors import InvalidInput
from bundler.exitcodes import ExitCode
from bundler.model.location import Location

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["command"]


@click.command("verify", cls=Command)
@click.argument("directory", type=Directory(), metavar="DIR")
@click.option(
    "--statement", metavar="FILE", type=Input(), help="Write an in-toto Statement of the verified bundle, for a signature."
)
@click.option("--strict", is_flag=True, help="A bundle that cannot be rendered again ends with exit code 1, too.")
@takes(DATA)
@report_flag
def command(*, directory: Path, statement: Path | None, strict: bool, flags: Flags) -> None:
    """Verify a bundle: closed, true to its lock, rendered again.

    Nothing in DIR may be changed, missing or more than its inventory lists. The bundle is rendered again, in memory, where the
    authored data is what it was made from. Nothing is fetched.

      aicr verify out
      aicr verify out --statement out.intoto.json && cosign attest-blob --statement out.intoto.json ...
    """
    if statement is not None and statement.resolve().is_relative_to(directory.resolve()):
        message = f"the statement would stand in the bundle that it is about: {str(statement)!r}"
        place = Location(file="aicr verify --statement")
        raise InvalidInput("AICR-U033", message, location=place, fix="name a file outside of the directory")
    from bundler.audit.verification import verify
    from bundler.catalog.catalog import Catalog
    from bundler.compose.wording import plural
    from bundler.report.printable import printable

    found = verify(directory, Catalog.load(flags.data))
    say(found.findings)
    if found.faults or (strict and not found.rendered):
        click.get_current_context().exit(ExitCode.FOUND)
    if statement is not None:
        from bundler.publish.single import write_file
        from bundler.publish.statement import statement as made

        write_file(statement, made(found.files, found.lock).encode())
    again = "rendered again to the same bytes" if found.rendered else "not rendered again"
    emit(f"{printable(str(directory))}: {plural(len(found.files), 'file')} as listed, true to the lock, {again}\n")
