"""`aicr trainjob`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bundler.cli.command import Command, Input
from bundler.cli.commands import CONTEXT, Group
from bundler.cli.flags import format_flag
from bundler.cli.printing import emit_form
from bundler.cli.reporting import report_flag
from bundler.cli.runtime_source import documents_of, each_read, nothing_in, runtimes_of, shipped_names, source_flags, version_in_use
from bundler.cli.terminal import emit, say
from bundler.exitcodes import ExitCode
from bundler.model.finding import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bundler.model.document import Document, JsonObject
    from bundler.model.finding import Finding
    from bundler.trainer.check import Verdict

__all__ = ["command"]

_LOSSES = ("AICR-J04", "AICR-J05")
"""Rules on what the pods of a job lose, and on what they do not do."""


@click.group("trainjob", cls=Group, context_settings=CONTEXT)
def command() -> None:
    """Show what a TrainJob will really be, and check it.

    Kubeflow Trainer makes a JobSet of a TrainJob and its runtime. What it makes depends on its version, and part of it shows only
    when pods are there: this works it out before anything is submitted.
    """


@command.command("render", cls=Command)
@click.argument("job", type=Input(), metavar="JOB")
@click.option("--pod", is_flag=True, help="Print the first pod of each replicated job instead of the JobSet.")
@click.option(
    "-o",
    "-t",
    "--output",
    "--format",
    "form",
    type=click.Choice(("yaml", "json")),
    default="yaml",
    show_default=True,
    help="How to print it.",
)
@source_flags
@report_flag
def render(
    *, job: Path, pod: bool, form: str, runtime: str | None, bundle: Path | None, trainer_version: str | None, data: Path | None
) -> None:
    """Print the JobSet that Kubeflow Trainer makes of the TrainJob in the file JOB, or its pods.

      aicr trainjob render train.yaml --bundle out
      aicr trainjob render train.yaml --runtime torch-distributed --trainer-version 2.3 --pod

    JOB may be - for stdin. Without --runtime and --bundle the runtime is the shipped one of the name that the job refers to.
    """
    verdicts, notes = _checked((job,), runtime=runtime, bundle=bundle, version=trainer_version, data=data)
    told = [finding for verdict in verdicts for finding in verdict.findings if _is_told(verdict, finding)]
    say([*notes, *told])
    objects = [made for verdict in verdicts if verdict.admitted for made in _objects(verdict, pods=pod)]
    if form == "yaml":
        from bundler.yamlio.writer import dump_all

        emit(dump_all(objects))
    else:
        emit_form("json", objects[0] if len(objects) == 1 else {"apiVersion": "v1", "kind": "List", "items": objects}, str)
    if any(finding.severity is Severity.ERROR for finding in told):
        click.get_current_context().exit(ExitCode.FOUND)


@command.command("check", cls=Command)
@click.argument("jobs", type=Input(), nargs=-1, required=True, metavar="JOB...")
@click.option("--strict", is_flag=True, help="A warning ends with exit code 1, too.")
@click.option("--exit-zero", is_flag=True, help="End with exit code 0 whatever is found, for jobs that only report.")
@format_flag("text")
@source_flags
@report_flag
def check(
    *,
    jobs: tuple[Path, ...],
    strict: bool,
    exit_zero: bool,
    form: str,
    runtime: str | None,
    bundle: Path | None,
    trainer_version: str | None,
    data: Path | None,
) -> None:
    """Check the TrainJobs in the files JOB: schema, admission, and whether their pods keep what attaches them to the fabric.

      aicr trainjob check train.yaml --bundle out
      aicr trainjob check jobs/*.yaml --trainer-version 2.3

    JOB may be - for stdin. Without --runtime and --bundle the runtimes are the shipped ones of the names that jobs refer to.
    """
    from bundler.report.trainjob import verdicts_data, verdicts_text

    verdicts, notes = _checked(jobs, runtime=runtime, bundle=bundle, version=trainer_version, data=data)
    findings = [*notes, *(finding for verdict in verdicts for finding in verdict.findings)]
    say(findings)
    emit_form(form, verdicts_data(verdicts), lambda: verdicts_text(verdicts))
    fatal = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    if not exit_zero and any(finding.severity in fatal for finding in findings):
        click.get_current_context().exit(ExitCode.FOUND)


def _is_told(verdict: Verdict, finding: Finding) -> bool:
    """Whether a finding is about what is rendered: why there is nothing, or never will be. What pods lose is for `check` to say."""
    return verdict.jobset is None or not verdict.admitted or not finding.rule.startswith(_LOSSES)


def _checked(
    paths: tuple[Path, ...], *, runtime: str | None, bundle: Path | None, version: str | None, data: Path | None
) -> tuple[list[Verdict], list[Finding]]:
    from bundler.catalog.catalog import Catalog
    from bundler.trainer.check import Checker
    from bundler.trainer.runtimes import Runtimes
    from bundler.trainer.standards import context_of, trainjob_schema
    from bundler.trainer.trainjob import TrainJob

    read = each_read(_jobs, paths)
    jobs = [job for found, _ in read for job in found]
    notes = [note for _, said in read for note in said]
    catalog = Catalog.load(data)
    trainer = version_in_use(catalog, version, bundle)
    names = tuple(TrainJob.of(document).runtime_name for document in jobs)
    at_hand = runtimes_of(catalog, runtime=runtime, bundle=bundle, names=names)
    checker = Checker(
        version=trainer,
        schema=trainjob_schema(catalog, trainer),
        runtimes=Runtimes.of(at_hand, shipped=bundle is not None, offered=shipped_names(catalog)),
        context=context_of(catalog, trainer),
    )
    return [checker.check(document) for document in jobs], notes


def _jobs(path: Path) -> tuple[list[Document], list[Finding]]:
    """The TrainJobs in a file, and what is said of everything else in it.

    Raises:
        InvalidInput: it has no TrainJob.
    """
    from bundler.model.finding import Finding
    from bundler.trainer.trainjob import KIND

    documents = documents_of(path)
    jobs = [document for document in documents if document.kind == KIND]
    if not jobs:
        raise nothing_in(path, documents, what="TrainJob", holds="an object of kind TrainJob")
    notes = [note for document in documents for note in document.notes]
    notes += [
        Finding(
            rule="AICR-J005",
            message=f"{document.kind or 'an object without kind'} is no TrainJob and is not checked",
            severity=Severity.NOTE,
            location=document.locate(""),
            fix="check it by other means",
        )
        for document in documents
        if document.kind != KIND
    ]
    return jobs, notes


def _objects(verdict: Verdict, *, pods: bool) -> Iterator[JsonObject]:
    from bundler.trainer.pods import pod_of

    if verdict.jobset is None:
        return
    if pods:
        yield from (pod_of(verdict.jobset, job["name"]) for job in verdict.jobset.jobs)
    else:
        yield verdict.jobset.data
        yield from verdict.jobset.others
