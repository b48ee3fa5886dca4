"""`aicr runtime`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bundler.cli.command import Command, Directory, Input
from bundler.cli.commands import CONTEXT, Group
from bundler.cli.flags import format_flag
from bundler.cli.printing import emit_form
from bundler.cli.reporting import report_flag
from bundler.cli.runtime_source import documents_of, each_read, nothing_in, objects_of, runtimes_of, source_flags, version_in_use
from bundler.cli.terminal import emit, say
from bundler.exitcodes import ExitCode
from bundler.model.finding import Severity

if TYPE_CHECKING:
    from pathlib import Path

    from bundler.kube.resource import Resource
    from bundler.trainer.derive import Derived

__all__ = ["command"]


@click.group("runtime", cls=Group, context_settings=CONTEXT)
def command() -> None:
    """Check runtimes, and derive a benchmark from a shipped one."""


@command.command("lint", cls=Command)
@click.argument("files", type=Input(), nargs=-1, required=True, metavar="FILE...")
@click.option("--trainer-version", metavar="VERSION", help="Version of Kubeflow Trainer; else the one that recipes install.")
@click.option("--strict", is_flag=True, help="A warning ends with exit code 1, too.")
@click.option("--exit-zero", is_flag=True, help="End with exit code 0 whatever is found, for jobs that only report.")
@click.option("--data", type=Directory(), metavar="DIR", help="Authored data that adds to the packaged data.")
@format_flag("text")
@report_flag
def lint(
    *, files: tuple[Path, ...], trainer_version: str | None, strict: bool, exit_zero: bool, data: Path | None, form: str
) -> None:
    """Check the ClusterTrainingRuntimes and TrainingRuntimes in FILE, and list what a TrainJob can take from them.

    aicr runtime lint my-runtime.yaml
    aicr runtime lint out/runtimes/*.yaml --trainer-version 2.3
    """
    from bundler.catalog.catalog import Catalog
    from bundler.conform.pods import is_runtime
    from bundler.report.trainjob import erasures_data, erasures_text
    from bundler.trainer.lint import lint_runtime
    from bundler.trainer.standards import context_of

    catalog = Catalog.load(data)
    version = version_in_use(catalog, trainer_version, None)
    objects = tuple(resource for found in each_read(_in_file, files) for resource in found)
    context = context_of(catalog, version, objects)
    verdicts = [lint_runtime(resource, version, context) for resource in objects if is_runtime(resource)]
    findings = [finding for verdict in verdicts for finding in verdict.findings]
    say(findings)
    emit_form(form, erasures_data(verdicts), lambda: erasures_text(verdicts))
    fatal = {Severity.ERROR, Severity.WARNING} if strict else {Severity.ERROR}
    if not exit_zero and any(finding.severity in fatal for finding in findings):
        click.get_current_context().exit(ExitCode.FOUND)


@command.command("derive", cls=Command)
@click.option("--for", "benchmark", required=True, metavar="BENCHMARK", help="The benchmark: nccl-all-reduce.")
@click.option("--image", metavar="IMAGE", help="What launcher and nodes run; else the benchmark's own image for the CUDA in use.")
@click.option("-n", "--namespace", metavar="NAMESPACE", help="Where the runtime goes; else that of the shipped one, if it has any.")
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
def derive_runtime(
    *,
    benchmark: str,
    image: str | None,
    namespace: str | None,
    form: str,
    runtime: str | None,
    bundle: Path | None,
    trainer_version: str | None,
    data: Path | None,
) -> None:
    """Print the runtime of a benchmark, derived from a shipped one, with the list of what it takes over.

    The pods are those of the shipped runtime but for what is listed, so that a figure measured on them is about what ships.

      aicr runtime derive --for nccl-all-reduce --bundle out --runtime torch-distributed-tcpxo
    """
    from bundler.catalog.catalog import Catalog
    from bundler.compose.wording import nearest, shown
    from bundler.errors import InvalidInput, NotFound
    from bundler.kube.names import dns_label
    from bundler.model.location import Location
    from bundler.trainer.derive import BENCHMARKS, benchmark_image, derive
    from bundler.trainer.runtimes import Runtime
    from bundler.trainer.standards import context_of

    if benchmark not in BENCHMARKS:
        fix = nearest(benchmark, BENCHMARKS, label="benchmarks")
        raise NotFound("AICR-J060", f"no benchmark {shown(benchmark)}", location=Location(file="--for"), fix=fix)
    if namespace is not None and (reason := dns_label(namespace)):
        message = f"namespace {shown(namespace)} {reason}"
        raise InvalidInput("AICR-K011", message, location=Location(file="--namespace"), fix="choose another name")
    if image is not None:
        _checked_image(image)
    catalog = Catalog.load(data)
    version = version_in_use(catalog, trainer_version, bundle)
    shipped = _one(runtimes_of(catalog, runtime=runtime, bundle=bundle))
    if broken := Runtime(resource=shipped).refused(context_of(catalog, version)):
        raise InvalidInput.of(broken)
    declared = catalog.fragment(benchmark)
    chosen = image or benchmark_image(shipped, declared, catalog.images)
    derived = derive(shipped, benchmark, declared, image=chosen, namespace=namespace or "")
    if form == "json":
        emit_form("json", {"runtime": derived.data, "derivedFrom": derived.source, "overridden": derived.overridden}, str)
    else:
        emit(_commented(derived, benchmark))


def _checked_image(image: str) -> None:
    from bundler.errors import InvalidInput
    from bundler.kube.image import Image
    from bundler.model.location import Location

    try:
        Image.parse(image)
    except InvalidInput as error:
        (fault,) = error.findings
        raise InvalidInput(fault.rule, fault.message, location=Location(file="--image"), fix=fault.fix) from None


def _in_file(path: Path) -> tuple[Resource, ...]:
    """The objects of a file: its runtimes, and what may belong to them.

    Raises:
        InvalidInput: no runtime is among them.
    """
    from bundler.conform.pods import is_runtime

    documents = documents_of(path)
    found = objects_of(documents)
    if not any(map(is_runtime, found)):
        raise nothing_in(path, documents, what="runtime", holds="a ClusterTrainingRuntime or a TrainingRuntime")
    return found


def _one(found: tuple[Resource, ...]) -> Resource:
    """The runtime to derive from: the only one, or the only one that attaches its pods."""
    from bundler.compose.wording import listed
    from bundler.errors import InvalidInput
    from bundler.model.location import Location
    from bundler.trainer.runtimes import Runtime

    chosen = found if len(found) == 1 else tuple(one for one in found if Runtime(resource=one).attached)
    if len(chosen) != 1:
        named = listed(one.name for one in found)
        message = f"several runtimes to derive from: {named}" if found else "no runtime to derive from"
        fix = "choose one with --runtime NAME" if found else "give --runtime FILE|NAME or --bundle DIR"
        raise InvalidInput("AICR-J060", message, location=Location(file="--runtime"), fix=fix)
    return chosen[0]


def _commented(derived: Derived, benchmark: str) -> str:
    from bundler.yamlio.writer import dump

    rows = "".join(f"#   {path}: {why}\n" for path, why in derived.overridden.items())
    return f"# {benchmark}, derived from {derived.source}. Of its pods is taken over:\n{rows}{dump(derived.data)}"
