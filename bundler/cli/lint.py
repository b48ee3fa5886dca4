"""`aicr lint`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bundler.cli.command import Command, Input
from bundler.cli.progress import watching
from bundler.cli.reporting import report_flag
from bundler.cli.terminal import remark, say
from bundler.exitcodes import ExitCode
from bundler.model.finding import Severity

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["command"]


@click.command("lint", cls=Command)
@click.argument("paths", nargs=-1, type=Input(), metavar="[PATH]...")
@click.option("--strict", is_flag=True, help="A warning ends with exit code 1, too.")
@click.option("--exit-zero", is_flag=True, help="End with exit code 0 whatever is found, for jobs that only report.")
@report_flag
def command(*, paths: tuple[Path, ...], strict: bool, exit_zero: bool) -> None:
    """Check authored data: schemas, templates, profiles, references.

    Every recipe is also bundled with every choice, in memory. PATH is a data directory, judged with the packaged data below it, or
    a single document, template or schema. Without PATH the packaged data is checked.

      aicr lint
      aicr lint my-data overlays/service/gke.yaml
    """
    from bundler.catalog.catalog import Catalog
    from bundler.lint.lint import lint_catalog, lint_path
    from bundler.report.text import count

    watch = watching("recipes")
    findings = [finding for path in paths for finding in lint_path(path, watch)] if paths else lint_catalog(Catalog.load(), watch)
    say(findings)
    if len(findings) < 2:  # noqa: PLR2004  (several findings are counted where they are said)
        remark(count(findings))
    fatal = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    if not exit_zero and any(finding.severity in fatal for finding in findings):
        click.get_current_context().exit(ExitCode.FOUND)
