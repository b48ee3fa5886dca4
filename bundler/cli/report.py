"""`aicr report`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bundler.cli.command import Command, Directory, Input
from bundler.cli.flags import DATA, Flags, takes
from bundler.cli.reporting import report_flag
from bundler.cli.terminal import emit, remark, say
from bundler.exitcodes import ExitCode

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["command"]


@click.command("report", cls=Command)
@click.argument("directory", type=Directory(), metavar="DIR")
@click.option("-o", "--output", type=Input(), metavar="FILE", help="Write the page to FILE instead of stdout.")
@takes(DATA)
@click.option("--exit-zero", is_flag=True, help="End with exit code 0 whatever is found, for jobs that only report.")
@report_flag
def command(*, directory: Path, output: Path | None, flags: Flags, exit_zero: bool) -> None:
    """Write one self-contained page about a bundle.

    It shows what the bundle is, its fabric as a drawing, its layers, versions, images and contract, and what verifying it found.
    The page needs no network and no script, and the same bundle gives the same page. A bundle that is not in order ends with 1.

      aicr report out -o out.html
    """
    from bundler.catalog.catalog import Catalog
    from bundler.portrayal import portray
    from bundler.report.html.page import write_page
    from bundler.report.text import plural

    page = portray(directory, Catalog.load(flags.data))
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
