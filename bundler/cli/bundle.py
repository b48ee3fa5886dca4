"""`aicr bundle`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bundler.cli.command import Command, Directory, Flag
from bundler.cli.delivery import DELIVERY
from bundler.cli.flags import CERTIFICATION, CRITERIA, DATA, PLACEMENT, PROFILES, RECIPE, SNAPSHOT, VALUES, Flags, takes
from bundler.cli.reporting import report_flag
from bundler.cli.terminal import emit, remark, say
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.exitcodes import ExitCode
from bundler.model.location import Location

if TYPE_CHECKING:
    from pathlib import Path

    from bundler.catalog.catalog import Catalog
    from bundler.model.bundle import Bundle

__all__ = ["command"]

_WHERE = "Where to (one of)"


@click.command("bundle", cls=Command)
@takes(RECIPE, CRITERIA, SNAPSHOT, DATA, PROFILES, CERTIFICATION, VALUES, PLACEMENT, DELIVERY)
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
    help="Compare DIR with a fresh render and write nothing; exit 1 when they differ. Alone, it renders DIR/recipe.yaml, "
    "or that of every bundle below DIR.",
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
      aicr bundle --recipe h100-kind-training-kubeflow --deployer argocd \
        --repo-url https://git.example/clusters --revision main --repo-path clusters/a -o clusters/a
      aicr bundle --snapshot nodes.yaml --profile fabricAttachment=none -o out
      aicr bundle --check out
      aicr bundle --check .
    """
    destination = _Destination(**where)
    destination.require_one()
    from bundler import pipeline
    from bundler.catalog.catalog import Catalog
    from bundler.cli.request import read_request

    catalog = Catalog.load(flags.data)
    if destination.check is not None:
        from bundler.cli.checking import check

        current = check(catalog, flags, destination.check, locked=destination.locked)
        click.get_current_context().exit(ExitCode.OK if current or destination.exit_zero else ExitCode.FOUND)
    request, notes = read_request(flags, catalog)
    say(notes)
    bundle = pipeline.bundle(catalog, request)
    say(bundle.warnings)
    if destination.locked:
        from bundler.bom.locked import require_locked

        require_locked(bundle, catalog)
    if destination.dry_run:
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
