"""The table of commands and the groups that look commands up in it. A command's module is imported when that command runs."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

import click

from bundler import __version__
from bundler.cli.command import keep_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["COMMANDS", "CONTEXT", "Group", "root"]

COMMANDS = {
    "bundle": "Compose, render and check a recipe, and write the bundle.",
    "recipe": "List, show and resolve recipes.",
    "profile": "List and show profiles and their values.",
    "inputs": "List what a recipe still has to be told, as JSON.",
    "trainjob": "Show what a TrainJob will really be, and check it.",
    "runtime": "Check runtimes, and derive a benchmark from a shipped one.",
    "certification": "Render a Certification to its Workflows, and list what it can test.",
    "workloadrun": "Render a WorkloadRun to its Workflow.",
    "workflow": "Resolve the overrides of a Workflow.",
    "explain": "Show which layer set a value, from which file and line.",
    "schema": "Print the JSON Schema of a document.",
    "bom": "List every image and chart: of a recipe, a bundle or the catalogue.",
    "lock": "Lock the catalogue, or check its lock.",
    "diff": "Compare any A with any B, object by object.",
    "verify": "Verify a bundle: closed, true to its lock, rendered again.",
    "report": "Write one self-contained page about a bundle.",
    "mirror": "Relocate a bundle to a registry of your own.",
    "releases": "List and show releases of the fabrics' software.",
    "guard": "Compare fixtures with runtimes: what is measured is what ships.",
    "snapshot": "Read from a cluster what detection and validation look at.",
    "fleet": "Bundle, check, compare and list many clusters in one run.",
    "validate": "Validate a cluster, or what was measured on it, against what ships.",
    "lint": "Check authored data: schemas, templates, profiles, references.",
    "completion": "Print the completion script of a shell.",
    "version": "Print the version.",
}
"""Name → one-line help, in the order of `aicr --help`; the command is `command` in `bundler.cli.<name>`."""

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class Group(click.Group):
    """A group whose unknown command is a finding with the nearest name, and which without any command prints its help."""

    def __init__(self, name: str | None = None, *, help: str | None = None, **attributes: Any) -> None:  # noqa: A002  (click's name)
        super().__init__(name, help=keep_lines(help), **attributes)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the group's own options; without any word print the help and end as a usage error."""
        if not args and not ctx.resilient_parsing:
            click.echo(self.get_help(ctx), err=True)
            ctx.exit(2)
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names."""
        if not ctx.resilient_parsing and self.get_command(ctx, args[0]) is None:
            _refuse(ctx, args[0], self.list_commands(ctx))
        return super().resolve_command(ctx, args)


class _Root(Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  (click's signature)
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  (click's signature)
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"bundler.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  (click's signature)
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _refuse(ctx: click.Context, word: str, known: Sequence[str]) -> NoReturn:
    from bundler.compose.wording import nearest, shown
    from bundler.errors import InvalidInput
    from bundler.model.location import Location

    fix = nearest(word, known, label="commands")
    raise InvalidInput("AICR-U001", f"no command {shown(word)}", location=Location(file=ctx.command_path), fix=fix)


def _print_version(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        click.echo(f"aicr {__version__}")
        ctx.exit()


@click.group(
    cls=_Root,
    name="aicr",
    context_settings=CONTEXT,
    epilog="Findings go to stderr, the product to stdout. Exit codes: 0 fine, 1 a check found something, 2 usage or invalid input, "
    "3 a file or name does not exist, 5 out of time, 6 busy or unavailable, 8 internal error.",
)
@click.option("--debug", is_flag=True, help="Show the traceback of an internal error. AICR_DEBUG=1 does the same.")
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Print the version and exit."
)
def root(debug: bool) -> None:  # `main` reads the flag, for it must hold before the words are parsed
    """Fabric-wired Kubernetes training bundles from a small recipe: closed, checked, reproducible byte for byte.

    A first bundle:

      aicr recipe list
      aicr inputs --recipe h100-gke-cos-training-kubeflow
      aicr bundle --recipe h100-kind-training-kubeflow -o out
    """
