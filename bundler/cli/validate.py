"""`aicr validate`."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bundler.cli.command import Command, Directory, Flag, Input
from bundler.cli.flags import CRITERIA, DATA, PLACEMENT, PROFILES, RECIPE, Flags, format_flag, takes
from bundler.cli.printing import emit_form
from bundler.cli.reporting import report_flag
from bundler.cli.snapshot import cluster_flags, take_snapshot
from bundler.cli.terminal import emit, say
from bundler.exitcodes import ExitCode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.catalog.catalog import Catalog
    from bundler.evidence.log import Log
    from bundler.model.check import Check
    from bundler.model.snapshot import Snapshot
    from bundler.validate.shipped import Shipped

__all__ = ["command"]

_AGAINST = "What to validate against"
_FACTS = "What to look at"
_PHASES = ("readiness", "deployment", "performance")
_LEVELS = {"error": ("error",), "warning": ("error", "warning"), "advisory": ("error", "warning", "note")}
_STDIN = Path("-")


@click.command("validate", cls=Command)
@click.option("--phase", cls=Flag, section=_FACTS, multiple=True, type=click.Choice(_PHASES), help="Only this phase. Repeatable.")
@click.option(
    "--snapshot",
    cls=Flag,
    section=_FACTS,
    multiple=True,
    type=Input(),
    metavar="FILE",
    help="What 'aicr snapshot' wrote, or lists that kubectl printed. Repeatable.",
)
@click.option("--live", cls=Flag, section=_FACTS, is_flag=True, help="Ask the cluster now, instead of a snapshot.")
@click.option(
    "--logs",
    cls=Flag,
    section=_FACTS,
    multiple=True,
    type=Input(),
    metavar="FILE",
    help="The log of a pod, or of the launcher, of one job; - is stdin. Repeatable.",
)
@click.option(
    "--measured-on",
    cls=Flag,
    section=_FACTS,
    type=Input(),
    metavar="FILE",
    help="The runtime or fixture that the job of the logs ran on, as it was applied.",
)
@click.option("--bundle", cls=Flag, section=_AGAINST, type=Directory(), metavar="DIR", help="What stands in a bundle, by its lock.")
@takes(RECIPE, CRITERIA, DATA, PROFILES, PLACEMENT)
@cluster_flags
@click.option(
    "--fail-on",
    type=click.Choice(list(_LEVELS)),
    default="error",
    show_default=True,
    help="The least weight that ends with exit code 1: a failure, what was not proved, or an advice.",
)
@click.option("--exit-zero", is_flag=True, help="End with exit code 0 whatever is found, for jobs that only report.")
@format_flag("text", choices=("text", "json", "yaml", "junit"))
@report_flag
def command(
    *,
    phase: tuple[str, ...],
    live: bool,
    kubeconfig: Path | None,
    context: str | None,
    timeout: float,
    logs: tuple[Path, ...],
    measured_on: Path | None,
    bundle: Path | None,
    flags: Flags,
    fail_on: str,
    exit_zero: bool,
    form: str,
) -> None:
    """Validate a cluster, or what was measured on it, against what ships.

    A snapshot shows whether a cluster meets the constraints of a recipe (readiness), and whether what was applied is what ships
    and can be used (deployment). Logs of NCCL and nccl-tests prove which transport carried the data, and whether its bandwidth
    reaches the floor of the fabric (performance); a figure counts for the bundle only with the runtime that it was measured on.
    What is not proved is said, and never passes.

      aicr validate --bundle out --snapshot cluster.json
      aicr validate --phase performance --logs launcher.log
      aicr validate --bundle out --logs launcher.log --measured-on out/validators/trainingruntime-nccl-all-reduce-tcpxo.yaml
    """
    from bundler.catalog.catalog import Catalog
    from bundler.report.checks import checks_data, checks_junit, checks_text

    # What a recipe asks for is not filled in from the cluster that is held against it.
    snapshot, flags = flags.snapshot, replace(flags, snapshot=())
    catalog = Catalog.load(flags.data)
    shipped = _shipped(catalog, flags, bundle)
    read = tuple(_read_logs(catalog, logs))
    live = live or kubeconfig is not None or context is not None
    _refuse_misplaced(phase, facts=bool(snapshot) or live, logs=bool(logs), target=shipped is not None)
    facts = None
    if live:
        if snapshot:
            raise _misplaced("a snapshot and the cluster itself are two words on one thing", "give --snapshot, or --live")
        facts = take_snapshot(catalog, kubeconfig=kubeconfig, context=context, timeout=timeout)
    elif snapshot:
        from bundler.cluster.saved import read as read_snapshot

        facts = read_snapshot(snapshot, catalog)
    phases = phase or _PHASES
    checks = tuple(_of_cluster(catalog, phases, shipped, facts)) if facts is not None and shipped is not None else ()
    if read and "performance" in phases:
        from bundler.validate.performance import performance

        checks += tuple(performance(catalog, read, shipped, measured_on))
    say(finding for check in checks for finding in check.findings)
    fatal = frozenset(_LEVELS[fail_on])
    if form == "junit":
        emit(checks_junit(checks, fatal))
    else:
        data = checks_data(checks, target=shipped.label if shipped else "", sources=facts.sources if facts else (), logs=read)
        emit_form(form, data, lambda: checks_text(checks, read))
    if not exit_zero and any(finding.severity in fatal for check in checks for finding in check.findings):
        click.get_current_context().exit(ExitCode.FOUND)


def _shipped(catalog: Catalog, flags: Flags, bundle: Path | None) -> Shipped | None:
    """What the flags name; nothing when they name neither a recipe nor a bundle."""
    from bundler.validate.shipped import Shipped

    if bundle is not None:
        if replace(flags, data=None) != Flags():
            raise _misplaced("a bundle states all its choices; nothing is chosen beside it", "give the bundle or the recipe")
        return Shipped.of_bundle(catalog, bundle)
    if replace(flags, data=None) == Flags():
        return None
    from bundler.cli.request import read_request

    request, notes = read_request(flags, catalog)
    say(notes)
    return Shipped.of_request(catalog, request)


def _refuse_misplaced(phases: tuple[str, ...], *, facts: bool, logs: bool, target: bool) -> None:
    """Refuse a run in which a phase that was asked for has nothing to look at."""
    if not facts and not logs:
        raise _misplaced("nothing to look at", "give --snapshot FILE, --live, or --logs FILE")
    if "performance" in phases and not logs:
        raise _misplaced("phase performance looks at logs", "give --logs FILE")
    if ("readiness" in phases or "deployment" in phases) and not facts:
        raise _misplaced("readiness and deployment look at a cluster", "give --snapshot FILE, or --live")
    if facts and not target:
        raise _misplaced("a cluster is validated against what ships", "give --bundle DIR, or --recipe with its choices")


def _of_cluster(catalog: Catalog, phases: tuple[str, ...], shipped: Shipped, facts: Snapshot) -> Iterator[Check]:
    from bundler.validate.deployment import deployment
    from bundler.validate.readiness import readiness

    if "readiness" in phases:
        yield from readiness(catalog, facts, shipped)
    if "deployment" in phases:
        yield from deployment(catalog, facts, shipped)


def _read_logs(catalog: Catalog, paths: tuple[Path, ...]) -> Iterator[Log]:
    from bundler.evidence.files import open_log, text_lines
    from bundler.evidence.log import read_log
    from bundler.evidence.transports import Transports

    transports = catalog.derived(Transports.of)
    for path in paths:
        if path == _STDIN:
            yield read_log(text_lines(sys.stdin.buffer), "stdin", transports)
            continue
        with open_log(path) as lines:
            yield read_log(lines, str(path), transports)


def _misplaced(message: str, fix: str) -> Exception:
    from bundler.errors import InvalidInput
    from bundler.model.location import Location

    return InvalidInput("AICR-V001", message, location=Location(file="aicr validate"), fix=fix)
