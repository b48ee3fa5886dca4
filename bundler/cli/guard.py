"""`aicr guard`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bundler.cli.command import Command, Flag, Input
from bundler.cli.flags import DATA, PLACEMENT, PROFILES, Flags, completion, format_flag, is_file, takes
from bundler.cli.printing import emit_form
from bundler.cli.progress import watching
from bundler.cli.reporting import report_flag
from bundler.cli.terminal import remark, say
from bundler.exitcodes import ExitCode
from bundler.model.finding import Severity

if TYPE_CHECKING:
    from collections.abc import Callable

    from bundler.audit.measured import Measured
    from bundler.catalog.catalog import Catalog

__all__ = ["command"]

_WHAT = "What to compare"


def _file(role: str, said: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return click.option(f"--{role}", cls=Flag, section=_WHAT, type=Input(), metavar="FILE", help=said)


@click.command("guard", cls=Command)
@click.argument("target", required=False, metavar="[RECIPE|BUNDLE]", shell_complete=completion("recipe"))
@click.option(
    "--fixture", cls=Flag, section=_WHAT, type=Input(), metavar="FILE", help="Compare this fixture instead of the packaged one."
)
@click.option(
    "--runtime", cls=Flag, section=_WHAT, type=Input(), metavar="FILE", help="Compare this runtime instead of the shipped one."
)
@takes(DATA, PROFILES, PLACEMENT)
@click.option("--strict", is_flag=True, help="A warning ends with exit code 1, too.")
@click.option("--exit-zero", is_flag=True, help="End with exit code 0 whatever is found, for jobs that only report.")
@format_flag("text")
@report_flag
def command(
    *, target: str | None, fixture: Path | None, runtime: Path | None, flags: Flags, strict: bool, exit_zero: bool, form: str
) -> None:
    """Compare fixtures with runtimes: what is measured is what ships.

    A fixture is what a validator applies to measure a fabric, a runtime is what jobs run on. A recipe is taken with the choices of
    the flags, or, without any, with each of its choices. A bundle is a directory: what stands there is compared; of a directory
    of bundles, each. Without either, the whole catalogue is, or the two files. The contract says which fields have to be the same.

      aicr guard
      aicr guard out
      aicr guard out --fixture validators/runtime.yaml
    """
    from bundler.catalog.catalog import Catalog
    from bundler.report.divergence import comparisons_data, comparisons_table
    from bundler.report.text import count

    catalog = Catalog.load(flags.data)
    measured = _measured(catalog, target, runtime, fixture, flags)
    say(measured.findings)
    emit_form(form, comparisons_data(measured.verdicts, measured.rest), lambda: comparisons_table(measured.verdicts))
    if len(measured.findings) < 2:  # noqa: PLR2004  (several findings are counted where they are said)
        remark(count(measured.findings))
    fatal = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    if not exit_zero and any(finding.severity in fatal for finding in measured.findings):
        click.get_current_context().exit(ExitCode.FOUND)


def _measured(catalog: Catalog, target: str | None, runtime: Path | None, fixture: Path | None, flags: Flags) -> Measured:
    from bundler.audit import measured
    from bundler.cli.request import read_request

    if target is None:
        if runtime is not None and fixture is not None:
            return measured.of_files(catalog, runtime, fixture)
        if runtime is not None or fixture is not None:
            raise _misplaced("one file alone is compared with nothing", "give --runtime and --fixture, or a recipe or a bundle")
        if flags != Flags(data=flags.data):
            raise _misplaced("flags choose for a recipe, and none is named", "name the recipe, or leave the flags out")
        return measured.of_catalogue(catalog, watching("recipes"))
    directory = Path(target) if Path(target).is_dir() else None
    if directory is not None and (bundles := _bundles_below(directory)):
        found = [_measured(catalog, str(bundle), runtime, fixture, flags) for bundle in bundles]
        verdicts = tuple(verdict for one in found for verdict in one.verdicts)
        return measured.Measured(verdicts=verdicts, rest=tuple(finding for one in found for finding in one.rest))
    named = replace(flags, recipe=target if directory is None else str(directory / "recipe.yaml"))
    plain = named == Flags(data=flags.data, recipe=target) and runtime is None and fixture is None
    if plain and not is_file(target) and target in catalog.recipes:
        return measured.of_recipe(catalog, target)
    request, notes = read_request(named, catalog)
    say(notes)
    if directory is not None:
        return measured.of_bundle(catalog, request, directory, runtime=runtime, fixture=fixture)
    return measured.of_request(catalog, request, runtime=runtime, fixture=fixture)


def _bundles_below(directory: Path) -> tuple[Path, ...]:
    """The bundles of a directory that is none."""
    from bundler.publish.bundles import bundles_in, is_bundle

    return () if is_bundle(directory) or (directory / "recipe.yaml").is_file() else bundles_in(directory)


def _misplaced(message: str, fix: str) -> Exception:
    from bundler.errors import InvalidInput
    from bundler.model.location import Location

    return InvalidInput("AICR-U003", message, location=Location(file="aicr guard"), fix=fix)
