"""`aicr diff`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from bundler.cli.command import Command, Flag
from bundler.cli.flags import DATA, PLACEMENT, PROFILES, VALUES, Flags, completion, takes
from bundler.cli.reporting import report_flag
from bundler.cli.terminal import coloured, emit, remark, say
from bundler.exitcodes import ExitCode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bundler.catalog.catalog import Catalog
    from bundler.diff.change import Changes
    from bundler.diff.diff import Ignore
    from bundler.diff.side import Tree
    from bundler.model.bundle import Bundle

__all__ = ["command", "ignored"]

FORMATS = ("human", "brief", "json", "markdown", "github", "gitlab", "html")

_SIDES = 2
_EXTERNAL = (7, 9)
"""What git gives to GIT_EXTERNAL_DIFF: path, old file, digest and mode, new file, digest and mode; of a rename two words more."""

_HOW = "What is shown"
_END = "How it ends"


@click.command("diff", cls=Command)
@click.argument("sides", nargs=-1, required=True, metavar="A B", shell_complete=completion("recipe"))
@click.option(
    "-t",
    "--format",
    "form",
    cls=Flag,
    section=_HOW,
    type=click.Choice(FORMATS),
    default="human",
    show_default=True,
    help="How to print the differences.",
)
@click.option("--summary", cls=Flag, section=_HOW, is_flag=True, help="Only count them, by class and risk.")
@click.option(
    "--ignore",
    cls=Flag,
    section=_HOW,
    multiple=True,
    metavar="[ITEM:]POINTER",
    help="Leave out what is at or below a JSON pointer; * stands for any characters of a step, ** for any steps. Repeatable.",
)
@click.option(
    "--plain", cls=Flag, section=_HOW, is_flag=True, help="Compare the file of a recipe as it stands, not what it renders to."
)
@click.option("--exit-zero", cls=Flag, section=_END, is_flag=True, help="End with exit code 0 whatever differs.")
@click.option(
    "--fail-on",
    cls=Flag,
    section=_END,
    type=click.Choice(("high", "medium", "low", "none")),
    default="none",
    help="End with exit code 1 only for a difference of this risk or a higher one.",
)
@takes(DATA, PROFILES, VALUES, PLACEMENT)
@report_flag
def command(*, sides: tuple[str, ...], flags: Flags, **how: Any) -> None:
    """Compare any A with any B, object by object.

    A side is a bundle, a directory of manifests, a tar archive, a YAML file, git:REV:PATH, or a recipe, which is compared as the
    bundle that it renders to with the flags given. Every difference is told once, with its class and its risk. Exit code 0 is no
    difference, 1 a difference.

      aicr diff git:main:clusters/a clusters/a
      aicr diff clusters/a clusters/a/recipe.yaml
      aicr diff clusters/a clusters/b --ignore '/metadata/labels/**' --format markdown

    As a diff program of others:

      KUBECTL_EXTERNAL_DIFF="aicr diff" kubectl diff -f clusters/a
      git difftool --extcmd "aicr diff" main
      GIT_EXTERNAL_DIFF="aicr diff --plain --exit-zero" git diff main
    """
    from bundler.catalog.catalog import Catalog
    from bundler.diff.change import Risk
    from bundler.diff.classes import Classes
    from bundler.diff.diff import diff
    from bundler.report.changes import summary, told

    ignore = ignored(how["ignore"])
    catalog = Catalog.load(flags.data)
    before, after = _opened(sides, catalog, flags, plain=how["plain"])
    changes = told(diff(before, after, catalog.derived(Classes.of), ignore=ignore))
    emit(_written(changes, how["form"], only_summary=how["summary"]))
    if how["form"] not in {"human", "json"} or (how["summary"] and how["form"] == "human"):
        remark(summary(changes))
    grave = any(change.risk.weight <= Risk(how["fail_on"]).weight for change in changes.changes)
    if grave and not how["exit_zero"]:
        click.get_current_context().exit(ExitCode.FOUND)


def _opened(sides: Sequence[str], catalog: Catalog, flags: Flags, *, plain: bool) -> tuple[Tree, Tree]:
    from bundler.sides.opening import aligned, open_side

    def render(recipe: str) -> Bundle:
        from bundler import pipeline
        from bundler.cli.request import read_request

        request, notes = read_request(replace(flags, recipe=recipe), catalog)
        say(notes)
        return pipeline.bundle(catalog, request)

    external = len(sides) in _EXTERNAL
    if len(sides) != _SIDES and not external:
        raise click.UsageError(f"two sides are compared, {len(sides)} given", click.get_current_context())
    words = (sides[1], sides[4]) if external else sides
    before, after = (open_side(word, recipes=catalog.recipes, render=render, plain=plain or external) for word in words)
    if external:
        # The files are temporary; what they hold has another name, and had one before a rename.
        name = sides[7] if sides[7:] else sides[0]
        return aligned(replace(before, label=sides[0]), replace(after, label=name, root="."), name=name)
    return aligned(before, after)


def ignored(texts: Sequence[str]) -> tuple[Ignore, ...]:
    """What the texts of `--ignore` leave out.

    Raises:
        InvalidInput: one is no pointer.
    """
    from bundler.diff.diff import Ignore
    from bundler.errors import InvalidInput
    from bundler.model.location import Location

    found = []
    for text in texts:
        try:
            found.append(Ignore.of(text))
        except ValueError as error:
            place = Location(file=f"--ignore {text}")
            fix = "write a JSON pointer such as /metadata/labels/*, or ITEM:POINTER"
            raise InvalidInput("AICR-D002", f"{text!r} {error}", location=place, fix=fix) from None
    return tuple(found)


def _written(changes: Changes, form: str, *, only_summary: bool) -> str:
    import sys

    match form:
        case "json":
            from bundler.report.changes_json import changes_json

            return changes_json(changes, edits=not only_summary)
        case "markdown":
            from bundler.report.changes_markdown import markdown

            return markdown(changes, most="summary" if only_summary else "full")
        case "github" | "gitlab":
            from bundler.report.changes_ci import code_quality, workflow_commands

            return workflow_commands(changes) if form == "github" else code_quality(changes)
        case "html":
            from bundler.report.changes_html import html

            return html(changes)
    from bundler.report.changes_text import brief, human, summary_table

    if only_summary:
        return summary_table(changes)
    return brief(changes) if form == "brief" else human(changes, colour=coloured(sys.stdout))
