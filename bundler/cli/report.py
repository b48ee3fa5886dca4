"""`aicr report`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bundler.cli.command import Command, Directory, Input
from bundler.cli.flags import DATA, Flags, takes
from bundler.cli.reporting import report_flag
from bundler.cli.terminal import emit, remark, say
from bundler.exitcodes import ExitCode

if TYPE_CHECKING:
    from bundler.catalog.catalog import Catalog
    from bundler.diff.side import Tree
    from bundler.model.bundle import Bundle

__all__ = ["command"]


@click.command("report", cls=Command)
@click.argument("directory", type=Directory(), metavar="DIR")
@click.option("-o", "--output", type=Input(), metavar="FILE", help="Write the page to FILE instead of stdout.")
@click.option(
    "--against",
    metavar="SIDE",
    help="Show what changes from another bundle: a directory, an archive, git:REV:PATH, or the name of a recipe.",
)
@takes(DATA)
@click.option("--exit-zero", is_flag=True, help="End with exit code 0 whatever is found, for jobs that only report.")
@report_flag
def command(*, directory: Path, output: Path | None, against: str | None, flags: Flags, exit_zero: bool) -> None:
    """Write one self-contained page about a bundle.

    It shows what the bundle is, its fabric as a drawing, its layers, versions, images and contract, and what verifying it found.
    The page needs no network and no script, and the same bundle gives the same page. A bundle that is not in order ends with 1.

      aicr report out -o out.html
      aicr report out --against git:main:out -o out.html
    """
    from bundler.audit.portrayal import portray
    from bundler.catalog.catalog import Catalog
    from bundler.compose.wording import plural
    from bundler.report.html.page import write_page

    catalog = Catalog.load(flags.data)
    sides = None if against is None else _sides(against, directory, catalog, flags)
    page = portray(directory, catalog, sides=sides)
    say(page.findings)
    text = write_page(page)
    if output is None:
        emit(text)
    else:
        from bundler.publish.single import write_file

        write_file(output, text.encode())
        remark(f"{output}: {plural(len(page.pods), 'runtime')} drawn, {plural(len(page.bill.images), 'image')}")
    if page.faults and not exit_zero:
        click.get_current_context().exit(ExitCode.FOUND)


def _sides(word: str, directory: Path, catalog: Catalog, flags: Flags) -> tuple[Tree, Tree]:
    from bundler.sides.opening import open_side

    def render(recipe: str) -> Bundle:
        from bundler import pipeline
        from bundler.cli.request import read_request

        request, notes = read_request(replace(flags, recipe=recipe), catalog)
        say(notes)
        return pipeline.bundle(catalog, request)

    before, after = (open_side(side, recipes=catalog.recipes, render=render) for side in (word, str(directory)))
    # The page is to be the same on every machine: of a directory elsewhere only the name is kept.
    return replace(before, label=_name(before.label)), replace(after, label=_name(after.label))


def _name(label: str) -> str:
    return Path(label).name if Path(label).is_absolute() else label
