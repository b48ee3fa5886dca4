"""`aicr version`."""

from __future__ import annotations

import click

from bundler import __version__
from bundler.cli.command import Command
from bundler.cli.flags import format_flag
from bundler.cli.printing import emit_form

__all__ = ["command"]


@click.command("version", cls=Command)
@format_flag("text")
def command(form: str) -> None:
    """Print the version.

    A bundle's bytes depend on the recipe and the authored data; the version tells which renderer made them.
    """
    emit_form(form, {"version": __version__}, lambda: f"aicr {__version__}\n")
