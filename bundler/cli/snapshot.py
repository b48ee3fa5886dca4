"""`aicr snapshot`."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from bundler.cli.command import Command, Input
from bundler.cli.flags import DATA, Flags, takes
from bundler.cli.reporting import report_flag
from bundler.cli.terminal import emit, is_terminal, remark, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bundler.catalog.catalog import Catalog
    from bundler.model.finding import Finding
    from bundler.model.snapshot import Gap, Snapshot

__all__ = ["cluster_flags", "command", "take_snapshot"]


def cluster_flags(function: Callable[..., None]) -> Callable[..., None]:
    """Add the flags that say which cluster is asked, and for how long."""
    for flag in (
        click.option(
            "--timeout", type=click.FloatRange(min=1, max=3600), default=60, show_default=True, help="Seconds for all answers."
        ),
        click.option("--context", metavar="NAME", help="A context of the kubeconfig [the current one]."),
        click.option("--kubeconfig", type=Input(), metavar="FILE", help="The kubeconfig [KUBECONFIG, or ~/.kube/config]."),
    ):
        function = flag(function)
    return function


@click.command("snapshot", cls=Command)
@cluster_flags
@click.option("-o", "--output", type=Input(), metavar="FILE", help="Write the snapshot to FILE, in one step [stdout].")
@takes(DATA)
@report_flag
def command(*, kubeconfig: Path | None, context: str | None, timeout: float, output: Path | None, flags: Flags) -> None:
    """Read from a cluster what detection and validation look at.

    Only lists are asked for, with the permissions of docs/reference/cluster-facts.md. What may not be read is a gap in the
    snapshot, said here. The same cluster gives the same bytes.

      aicr snapshot -o cluster.json
      aicr bundle --recipe h100-gke-cos-training-kubeflow --snapshot cluster.json -o out
    """
    from bundler.catalog.catalog import Catalog
    from bundler.cluster.document import snapshot_text

    snapshot = take_snapshot(Catalog.load(flags.data), kubeconfig=kubeconfig, context=context, timeout=timeout)
    text = snapshot_text(snapshot)
    if output is None:
        emit(text)
        return
    from bundler.publish.single import write_file

    did = "written" if write_file(output, text.encode()) else "already up to date"
    counts = ", ".join(f"{len(objects):,} {name}" for name, objects in snapshot.objects.items() if objects)
    remark(f"{output}: {counts or 'no objects'}; {did}")


def take_snapshot(catalog: Catalog, *, kubeconfig: Path | None, context: str | None, timeout: float) -> Snapshot:
    """The snapshot of a live cluster. What could not be read is said.

    Raises:
        NotFound: the kubeconfig or the context does not exist.
        InvalidInput: the client is not installed, or the kubeconfig cannot be used.
        Unavailable: the API server cannot be reached or does not accept the credentials.
        TimedOut: the time is over.
    """
    from bundler.cluster.api import connect
    from bundler.cluster.live import take

    api = connect(kubeconfig=kubeconfig, context=context, timeout=timeout)
    with _counting() as progress:
        snapshot = take(api, catalog, f"context {context}" if context else "the cluster", progress)
    say(_gap(gap) for gap in snapshot.gaps)
    return snapshot


def _gap(gap: Gap) -> Finding:
    from bundler.model.finding import Finding, Severity
    from bundler.model.location import Location
    from bundler.model.snapshot import GapReason

    absent = gap.reason is GapReason.ABSENT
    why = gap.message if absent else f"{gap.reason}: {gap.message}"
    fix = (
        ""
        if absent
        else "grant the permissions of docs/reference/cluster-facts.md"
        if gap.reason is GapReason.FORBIDDEN
        else "try again"
    )
    return Finding(
        rule="AICR-Q010",
        message=f"{gap.resource} were not read: {why}",
        severity=Severity.NOTE if absent else Severity.WARNING,
        location=Location(file="the API server"),
        fix=fix,
    )


@contextmanager
def _counting() -> Iterator[Callable[[str, int], None]]:
    """Count on a terminal's stderr, in a line that is gone when it is done; say nothing elsewhere."""
    if not is_terminal(sys.stderr):
        yield lambda _resource, _count: None
        return
    try:
        yield lambda resource, count: click.echo(f"\r\x1b[K{resource}: {count:,}\r", err=True, nl=False)
    finally:
        click.echo("\r\x1b[K", err=True, nl=False)
