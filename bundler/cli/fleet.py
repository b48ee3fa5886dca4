"""`aicr fleet`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bundler.cli.command import Command, Directory, Flag, Input
from bundler.cli.commands import CONTEXT, Group
from bundler.cli.flags import DATA, Flags, format_flag, takes
from bundler.cli.printing import emit_form
from bundler.cli.reporting import report_flag
from bundler.cli.terminal import coloured, emit, remark, say
from bundler.compose.wording import nearest, shown
from bundler.errors import InvalidInput, NotFound
from bundler.exitcodes import ExitCode
from bundler.model.location import Location

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bundler.catalog.catalog import Catalog
    from bundler.fleet.reading import Fleet
    from bundler.fleet.shard import Shard
    from bundler.fleet.summary import Summary

    Decorator = Callable[[Callable[..., None]], Callable[..., None]]

__all__ = ["command"]

_WHICH = "Which clusters"
_HOW = "How"
_DIFF_FORMATS = ("human", "brief", "markdown", "json")

_FLEET = click.argument("files", nargs=-1, required=True, type=Input(), metavar="FLEET...")
_ONLY = click.option("--only", cls=Flag, section=_WHICH, multiple=True, metavar="NAME", help="Only this cluster. Repeatable.")
_SHARD = click.option(
    "--shard",
    "shard_text",
    cls=Flag,
    section=_WHICH,
    metavar="K/N",
    help="Only the K-th of N equal parts. auto or auto/N: K from CI_NODE_INDEX, CIRCLE_NODE_INDEX or JOB_COMPLETION_INDEX.",
)
_ROOT = click.option(
    "-o",
    "--output",
    "root",
    cls=Flag,
    section=_HOW,
    metavar="DIR",
    type=Directory(),
    help="What outputs are relative to [.].",
)
_SUMMARY = click.option(
    "--summary", cls=Flag, section=_HOW, type=Input(), metavar="FILE", help="Write what became of each cluster as JSON to FILE."
)


@click.group("fleet", cls=Group, context_settings=CONTEXT)
def command() -> None:
    """Bundle, check, compare and list many clusters in one run.

    FLEET is a file of kind Fleet, or a directory of such files: each cluster with its recipe, profiles, parameters and output.
    One cluster that fails does not stop the others.
    """


@command.command("bundle", cls=Command)
@_FLEET
@_ONLY
@_SHARD
@_ROOT
@click.option("--check", cls=Flag, section=_HOW, is_flag=True, help="Compare what is there with a fresh render and write nothing.")
@click.option(
    "--locked", cls=Flag, section=_HOW, is_flag=True, help="Refuse what is not in the lock of the catalogue (bom/lock.yaml)."
)
@click.option("--force", cls=Flag, section=_HOW, is_flag=True, help="Write although a directory is no bundle, or was edited.")
@click.option(
    "-j", "--jobs", cls=Flag, section=_HOW, type=click.IntRange(1, 256), metavar="N", help="Processes at a time [one a processor]."
)
@click.option("--exit-zero", cls=Flag, section=_HOW, is_flag=True, help="With --check, report differences and end with 0.")
@_SUMMARY
@takes(DATA)
@format_flag("text", ("text", "json"))
@report_flag
def bundle_fleet(
    *,
    files: tuple[Path, ...],
    only: tuple[str, ...],
    shard_text: str | None,
    root: Path | None,
    check: bool,
    locked: bool,
    force: bool,
    jobs: int | None,
    exit_zero: bool,
    summary: Path | None,
    flags: Flags,
    form: str,
) -> None:
    r"""Write the bundle of every cluster, or check it.

    The exit code is the gravest of the clusters': 1 for drift, also where a bundle is not there, 2 for bad input.

      aicr fleet bundle fleet.yaml -o clusters
      aicr fleet bundle fleet.yaml -o clusters --check
      aicr fleet bundle fleet.yaml -o clusters --shard 2/8 --summary shard-2.json
    """
    if force and check:
        raise _misplaced("--force means nothing with --check", "leave one of them out")
    if exit_zero and not check:
        raise _misplaced("--exit-zero means nothing without --check", "add --check, or leave --exit-zero out")
    from bundler.catalog.catalog import Catalog
    from bundler.cli.progress import watching
    from bundler.fleet.run import run, workers
    from bundler.fleet.summary import Summary, fleet_digest
    from bundler.fleet.work import Action

    catalog = Catalog.load(flags.data)
    shard = _shard(shard_text, only)
    fleet = _read(files, catalog, only, shard)
    action = Action.CHECK if check else Action.OVERWRITE if force else Action.WRITE
    outcomes = run(
        catalog,
        fleet.clusters,
        root or Path(),
        action,
        locked=locked,
        jobs=jobs or workers(len(fleet.clusters)),
        watch=watching("clusters"),
    )
    done = Summary(fleet=fleet_digest(fleet), action=action, shard=shard, outcomes=outcomes)
    _conclude(done, summary, form, exit_zero=exit_zero)


@command.command("diff", cls=Command)
@_FLEET
@_ONLY
@_SHARD
@_ROOT
@click.option(
    "-t",
    "--format",
    "form",
    cls=Flag,
    section=_HOW,
    type=click.Choice(_DIFF_FORMATS),
    default="human",
    show_default=True,
    help="How to print the differences.",
)
@click.option("--ignore", cls=Flag, section=_HOW, multiple=True, metavar="[ITEM:]POINTER", help="As for aicr diff. Repeatable.")
@click.option("--exit-zero", cls=Flag, section=_HOW, is_flag=True, help="End with exit code 0 whatever differs.")
@takes(DATA)
@report_flag
def diff_fleet(
    *,
    files: tuple[Path, ...],
    only: tuple[str, ...],
    shard_text: str | None,
    root: Path | None,
    form: str,
    ignore: tuple[str, ...],
    exit_zero: bool,
    flags: Flags,
) -> None:
    """Show what a fresh render of each cluster would change, object by object.

    aicr fleet diff fleet.yaml -o clusters
    aicr fleet diff fleet.yaml -o clusters --format markdown
    """
    from bundler.catalog.catalog import Catalog
    from bundler.cli.diff import ignored
    from bundler.cli.progress import watching
    from bundler.compose.wording import plural
    from bundler.errors import AicrError
    from bundler.fleet.differing import difference, differences_text

    catalog = Catalog.load(flags.data)
    clusters = _read(files, catalog, only, _shard(shard_text, only)).clusters
    differing, failed, left_out = [], [], ignored(ignore)
    for cluster in watching("clusters")(clusters):
        try:
            changes = difference(catalog, cluster, root or Path(), left_out)
        except AicrError as error:
            say(error.findings)
            failed.append(error.exit_code)
        else:
            differing += [(cluster, changes)] if changes.changes else []
    emit(differences_text(differing, form, colour=coloured(sys.stdout)))
    remark(f"{plural(len(clusters), 'cluster')}: {len(differing):,} differing" + (f", {len(failed):,} failed" if failed else ""))
    code = max([ExitCode.FOUND] * (bool(differing) and not exit_zero) + failed, default=ExitCode.OK)
    click.get_current_context().exit(code)


@command.command("list", cls=Command)
@_FLEET
@_ONLY
@_SHARD
@takes(DATA)
@format_flag("text", ("text", "json"))
@report_flag
def list_fleet(*, files: tuple[Path, ...], only: tuple[str, ...], shard_text: str | None, flags: Flags, form: str) -> None:
    """List every cluster with its recipe, its choices and its output."""
    from bundler.catalog.catalog import Catalog
    from bundler.fleet.listing import cluster_data, clusters_table

    clusters = _read(files, Catalog.load(flags.data), only, _shard(shard_text, only)).clusters
    emit_form(form, [cluster_data(cluster) for cluster in clusters], lambda: clusters_table(clusters))


@command.command("merge", cls=Command)
@click.argument("files", nargs=-1, required=True, type=Input(), metavar="SUMMARY...")
@_SUMMARY
@click.option("--exit-zero", is_flag=True, help="End with 0 where clusters drifted.")
@format_flag("text", ("text", "json"))
@report_flag
def merge_summaries(*, files: tuple[Path, ...], summary: Path | None, exit_zero: bool, form: str) -> None:
    """Unite what the shards of a fleet wrote with --summary. A shard that is missing is an error.

    aicr fleet merge shard-*.json --report markdown=summary.md
    """
    from bundler.catalog.catalog import Catalog
    from bundler.fleet.summary import merged, read_summary

    catalog = Catalog.load()
    parts = [(str(file), read_summary(catalog.open(file, kinds=("FleetSummary",)))) for file in files]
    _conclude(merged(parts), summary, form, exit_zero=exit_zero)


def _read(files: tuple[Path, ...], catalog: Catalog, only: tuple[str, ...], which: Shard | None) -> Fleet:
    """The fleet with the clusters that were asked for."""
    from bundler.fleet.reading import read_fleet
    from bundler.fleet.shard import part

    def choose(names: Sequence[str]) -> Sequence[str]:
        if which is not None:
            return part(names, which)
        for name in only:
            if name not in names:
                fix = nearest(name, names, label="clusters")
                place = Location(file=f"--only {name}")
                raise NotFound("AICR-L010", f"no cluster {shown(name)} in the fleet", location=place, fix=fix)
        return sorted(set(only)) if only else names

    return read_fleet(files, catalog, choose)


def _shard(text: str | None, only: tuple[str, ...]) -> Shard | None:
    if text is None:
        return None
    if only:
        raise _misplaced("--only and --shard cannot stand together", "leave one of them out")
    from bundler.fleet.shard import shard

    return shard(text, os.environ)


def _conclude(done: Summary, file: Path | None, form: str, *, exit_zero: bool) -> None:
    """Print what became of the clusters, say what was found, and end with the gravest exit code."""
    import json

    from bundler.compose.wording import plural
    from bundler.fleet.listing import outcomes_table
    from bundler.fleet.outcome import counted, exit_code, told
    from bundler.fleet.summary import summary_data

    if file is not None or form == "json":
        from bundler.publish.single import write_file

        text = json.dumps(summary_data(done, root=str(Path.cwd())), indent=2) + "\n"
        if file is not None:
            write_file(file, text.encode())
        if form == "json":
            emit(text)
    if form == "text":
        emit(outcomes_table(done.outcomes))
    say(told(done.outcomes))
    remark(f"{plural(len(done.outcomes), 'cluster')}: {counted(done.outcomes)}" + (f" (shard {done.shard})" if done.shard else ""))
    code = exit_code(done.outcomes)
    click.get_current_context().exit(ExitCode.OK if exit_zero and code == ExitCode.FOUND else code)


def _misplaced(message: str, fix: str) -> InvalidInput:
    return InvalidInput("AICR-U014", message, location=Location(file="aicr fleet"), fix=fix)
