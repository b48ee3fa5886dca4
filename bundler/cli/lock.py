"""`aicr lock`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

import bundler
from bundler.cli.command import Command
from bundler.cli.flags import DATA, Flags, takes
from bundler.cli.progress import watching
from bundler.cli.reporting import report_flag
from bundler.cli.terminal import remark, say
from bundler.errors import InvalidInput
from bundler.exitcodes import ExitCode
from bundler.model.location import Location

if TYPE_CHECKING:
    from bundler.catalog.catalog import Catalog

__all__ = ["command"]

_HEAD = "# yaml-language-server: $schema=../schemas/lock.json\n# Written by aicr lock; never edited.\n"


@click.command("lock", cls=Command)
@click.option("--check", is_flag=True, help="Compare and write nothing; exit 1 when the lock is not what the catalogue has now.")
@click.option("--exit-zero", is_flag=True, help="With --check, report differences and end with 0.")
@takes(DATA)
@report_flag
def command(*, check: bool, exit_zero: bool, flags: Flags) -> None:
    """Lock the catalogue, or check its lock.

    The lock holds what bundles are made from, what they pull, and every file that comes out: each recipe is bundled with each of
    its choices, in memory. It is bom/lock.yaml of the authored data, or of the --data directory; 'aicr bundle --locked' refuses
    what is not in it.

      aicr lock
      aicr lock --check
    """
    if exit_zero and not check:
        place = Location(file="aicr lock")
        raise InvalidInput("AICR-U014", "--exit-zero means nothing without --check", location=place, fix="add --check")
    from bundler.audit import every_bundle
    from bundler.catalog.catalog import Catalog

    catalog = Catalog.load(flags.data)
    path = _path(catalog)
    if check:
        _check(catalog, path, exit_zero=exit_zero)
        return
    from bundler.compose.wording import plural
    from bundler.publish.single import write_file
    from bundler.yamlio.writer import dump

    lock = every_bundle.lock(catalog, watching("recipes"))
    path.parent.mkdir(exist_ok=True)
    did = "written" if write_file(path, (_HEAD + dump(lock)).encode()) else "already up to date"
    choices = sum(len(recipe["choices"]) for recipe in lock["recipes"])
    made = f"{plural(choices, 'bundle')} of {plural(len(lock['recipes']), 'recipe')}"
    remark(f"{path}: {made}, {plural(len(lock['images']), 'image')}; {did}")


def _path(catalog: Catalog) -> Path:
    """Where the lock of a catalogue stands; what is installed with the program is nobody's to lock."""
    from bundler.bom.catalogue import PATH

    root = catalog.data or catalog.sources[0].root
    if catalog.data is None and root.parent == Path(bundler.__file__).resolve().parent:
        message = "the packaged data of an installed aicr is locked already"
        raise InvalidInput("AICR-U032", message, location=Location(file="aicr lock"), fix="give your own data with --data DIR")
    return root / PATH


def _check(catalog: Catalog, path: Path, *, exit_zero: bool) -> None:
    from bundler.audit import every_bundle
    from bundler.bom.lock_check import differences
    from bundler.bom.locked import read_lock
    from bundler.report.text import count

    document = read_lock(path)
    findings = [*differences(document, every_bundle.lock(catalog, watching("recipes")))]
    say([*document.notes, *findings])
    if len(findings) < 2:  # noqa: PLR2004  (several findings are counted where they are said)
        remark(f"{path}: {count(findings)}")
    if findings and not exit_zero:
        click.get_current_context().exit(ExitCode.FOUND)
