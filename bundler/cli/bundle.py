"""`aicr bundle`."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from bundler.cli.command import Command, Directory, Flag, words_given
from bundler.cli.flags import CRITERIA, DATA, PLACEMENT, PROFILES, RECIPE, VALUES, Flags, takes
from bundler.cli.reporting import report_flag
from bundler.cli.terminal import emit, remark, say
from bundler.errors import InvalidInput
from bundler.exitcodes import ExitCode
from bundler.model.finding import Finding
from bundler.model.location import Location

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bundler.catalog.catalog import Catalog
    from bundler.model.bundle import Bundle
    from bundler.publish.drift import Change

__all__ = ["command"]

_WHERE = "Where to (one of)"


@click.command("bundle", cls=Command)
@takes(RECIPE, CRITERIA, DATA, PROFILES, VALUES, PLACEMENT)
@click.option(
    "-o", "--output", cls=Flag, section=_WHERE, metavar="DIR", type=Directory(), help="Write the bundle to DIR, in one step."
)
@click.option("--stdout", "to_stdout", cls=Flag, section=_WHERE, is_flag=True, help="Print all YAML files as one stream.")
@click.option(
    "--check",
    cls=Flag,
    section=_WHERE,
    metavar="DIR",
    type=Directory(),
    help="Compare DIR with a fresh render and write nothing; exit 1 when they differ. Alone, it renders DIR/recipe.yaml.",
)
@click.option(
    "--dry-run", cls=Flag, section=_WHERE, is_flag=True, help="List what would be written; with -o also what is new or changed."
)
@click.option(
    "--locked", cls=Flag, section=_WHERE, is_flag=True, help="Refuse what is not in the lock of the catalogue (bom/lock.yaml)."
)
@click.option("--exit-zero", cls=Flag, section=_WHERE, is_flag=True, help="With --check, report a difference and end with 0.")
@click.option("--force", cls=Flag, section=_WHERE, is_flag=True, help="Write although DIR is no bundle, or its files were edited.")
@report_flag
def command(*, flags: Flags, **where: Any) -> None:
    r"""Compose, render and check a recipe, and write the bundle.

    Nothing is written unless everything is in order. The same inputs give the same bytes, on every machine.

      aicr bundle --recipe h100-kind-training-kubeflow -o out
      aicr bundle --service aks --accelerator h100 --os ubuntu --intent training --platform kubeflow \
        --profile fabricAttachment=none -o out
      aicr bundle --check out
    """
    destination = _Destination(**where)
    destination.require_one()
    from bundler import pipeline
    from bundler.catalog.catalog import Catalog
    from bundler.cli.request import read_request

    catalog = Catalog.load(flags.data)
    if destination.check is not None and flags.recipe is None and not flags.criteria:
        flags = replace(flags, recipe=str(destination.check / "recipe.yaml"))
    request, notes = read_request(flags, catalog)
    say(notes)
    bundle = pipeline.bundle(catalog, request)
    say(bundle.warnings)
    if destination.locked:
        from bundler.cli.locked import require_locked

        require_locked(bundle, catalog)
    if destination.check is not None:
        _check(bundle, destination.check, catalog, flags, exit_zero=destination.exit_zero)
    elif destination.dry_run:
        _list(bundle, destination.output, catalog, force=destination.force)
    elif destination.output is not None:
        _write(bundle, destination.output, catalog, force=destination.force)
    else:
        from bundler.report.summary import yaml_stream

        emit(yaml_stream(bundle))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Destination:
    """Where a bundle goes."""

    output: Path | None
    to_stdout: bool
    check: Path | None
    dry_run: bool
    locked: bool
    exit_zero: bool
    force: bool

    def require_one(self) -> None:
        """Refuse none or several, and flags that mean nothing with the one that is given."""
        output, check = self.output is not None, self.check is not None
        chosen = {"-o": output and not self.dry_run, "--stdout": self.to_stdout, "--check": check, "--dry-run": self.dry_run}
        given = [flag for flag, is_given in chosen.items() if is_given]
        if len(given) != 1:
            message = f"{' and '.join(given)} cannot stand together" if given else "nothing says where the bundle goes"
            raise _misplaced(message, "give one of -o DIR, --stdout, --check DIR or --dry-run")
        if self.force and not output:
            raise _misplaced("--force means nothing without -o", "add -o DIR, or leave --force out")
        if self.exit_zero and not check:
            raise _misplaced("--exit-zero means nothing without --check", "add --check DIR, or leave --exit-zero out")


def _misplaced(message: str, fix: str) -> InvalidInput:
    return InvalidInput("AICR-U014", message, location=Location(file="aicr bundle"), fix=fix)


def _write(bundle: Bundle, output: Path, catalog: Catalog, *, force: bool) -> None:
    from bundler.publish.target import protected_by
    from bundler.publish.write import write
    from bundler.report.summary import write_summary

    report = write(bundle, output, force=force, protected=protected_by(catalog))
    remark(write_summary(bundle, report))


def _list(bundle: Bundle, output: Path | None, catalog: Catalog, *, force: bool) -> None:
    from bundler.publish.target import protected_by
    from bundler.publish.write import preview
    from bundler.report.summary import contents, plan_table

    report = None if output is None else preview(bundle, output, force=force, protected=protected_by(catalog))
    emit(plan_table(bundle, report))
    remark(f"dry run: {contents(bundle)}; nothing was written")


def _check(bundle: Bundle, directory: Path, catalog: Catalog, flags: Flags, *, exit_zero: bool) -> None:
    from bundler.publish.drift import drift, unified
    from bundler.report.summary import contents, drift_count

    changes = drift(bundle, directory)
    if not changes:
        remark(f"{directory}: {contents(bundle)}; current")
        return
    remark(unified(changes).removesuffix("\n"))
    _explain(changes, directory, catalog, flags)
    message = f"{str(directory)!r} is not what its recipe renders to: {drift_count(changes)}"
    fix = f"run {_writing_command(bundle, directory, catalog)}"
    say([Finding(rule="AICR-U020", message=message, location=Location(file=str(directory)), fix=fix)])
    click.get_current_context().exit(ExitCode.OK if exit_zero else ExitCode.FOUND)


def _explain(changes: Sequence[Change], directory: Path, catalog: Catalog, flags: Flags) -> None:
    """Say what drifted by class and risk, and which command tells it object by object."""
    from bundler.diff.classes import Classes
    from bundler.diff.diff import diff
    from bundler.report.changes import summary, told
    from bundler.sides.drifted import drifted

    remark(f"drift: {summary(told(diff(*drifted(changes, str(directory)), catalog.derived(Classes.of))))}")
    if flags == Flags(recipe=flags.recipe, data=flags.data) and flags.recipe is not None:
        data = ["--data", str(flags.data)] if flags.data is not None else []
        remark(f"object by object: {shlex.join(['aicr', 'diff', str(directory), flags.recipe, *data])}")


def _writing_command(bundle: Bundle, directory: Path, catalog: Catalog) -> str:
    """The command that was given, with `-o` in the place of `--check`; forced where only that writes over what is there."""
    from bundler.publish.target import protected_by
    from bundler.publish.write import preview

    words = ["aicr", "bundle"]
    given = iter(words_given(click.get_current_context()))
    for word in given:
        if word == "--check":
            next(given, None)
        elif not word.startswith("--check="):
            words.append(word)
    if len(words) == 2:  # noqa: PLR2004  (no word but --check)
        words += ["--recipe", str(directory / "recipe.yaml")]
    words += ["-o", str(directory)]
    try:
        preview(bundle, directory, protected=protected_by(catalog))
    except InvalidInput:
        words.append("--force")
    return shlex.join(words)
