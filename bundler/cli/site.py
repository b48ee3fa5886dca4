"""The flags that say what is known of the nodes of a certification: stated, or read from a snapshot of their cluster."""

from __future__ import annotations

from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from bundler.cli.command import Directory, Input
from bundler.cli.flags import SNAPSHOT_HELP, completion
from bundler.cli.snapshot import cluster_flags
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.model.location import Location

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from bundler.catalog.catalog import Catalog
    from bundler.certify.site import Site
    from bundler.model.document import Document, JsonObject
    from bundler.model.snapshot import Snapshot

__all__ = ["Nodes", "nodes_flags", "print_rendering"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRun:
    """Which cluster detects the nodes and judges what is rendered."""

    kubeconfig: Path | None
    context: str | None
    timeout: float


class Nodes:
    """What was given on the nodes, before it is held against the catalogue."""

    def __init__(
        self,
        *,
        platform: str | None,
        gpu_arch: str | None,
        plugin: str | None,
        networks: str | None,
        snapshots: tuple[Path, ...] = (),
        dry_run: DryRun | None = None,
    ) -> None:
        self.snapshots = snapshots
        self.dry_run = dry_run
        self.platform = platform
        self.gpu_arch = gpu_arch
        self.plugin = plugin
        self.networks = networks

    def site(self, catalog: Catalog, document: Document, snapshot: Snapshot | None = None) -> Site:
        """The site that they describe: what is stated, over what was read of the nodes that the document's target means.

        Args:
            catalog: has the platforms and architectures.
            document: a Certification, WorkloadRun or Workflow.
            snapshot: of the cluster; without one that of --snapshot, if that is given.

        Raises:
            InvalidInput: the platform or the architecture is not known, or what was read does not say it.
        """
        from bundler.certify.site import Site
        from bundler.detect.gpus import Gpus
        from bundler.detect.platforms import require_platform

        platform, architecture = self.platform, self.gpu_arch
        if platform is not None:
            require_platform(catalog, platform, location=Location(file="--platform"))
        if architecture is not None:
            architecture = catalog.derived(Gpus.of).require(architecture, location=Location(file="--gpu-arch"))
        networks = tuple(self.networks.split(",")) if self.networks is not None else None
        at = Location(file="--tcpxo-plugin") if self.plugin is not None else None
        site = Site(
            platform=platform,
            architecture=architecture,
            plugin=self.plugin,
            networks=networks,
            plugin_location=at,
            networks_location=Location(file="--tcpxo-networks") if networks is not None else None,
        )
        if snapshot is None and self.snapshots:
            from bundler.cluster.saved import read

            snapshot = read(self.snapshots, catalog)
        if snapshot is None:
            return site
        if architecture is not None:
            message = "the GPU architecture is detected from the cluster's nodes; --gpu-arch cannot stand beside them"
            raise InvalidInput("AICR-U003", message, location=Location(file="--gpu-arch"), fix="leave --gpu-arch out")
        from bundler.certify.target import observe, target_of

        target, pointer = target_of(document)
        observed = observe(catalog, snapshot, target, platform=platform, location=document.locate(pointer), pointer=pointer)
        return replace(site, platform=observed.platform, architecture=observed.architecture, observed=observed)


def nodes_flags(function: Callable[..., None]) -> Callable[..., None]:
    """Add the flags to a command function, which receives them as one `nodes` argument, and `data`, `form` and `explain`."""

    @wraps(function)
    def call(
        *,
        platform: str | None,
        gpu_arch: str | None,
        tcpxo_plugin: str | None,
        tcpxo_networks: str | None,
        snapshot: tuple[Path, ...],
        dry_run: bool,
        kubeconfig: Path | None,
        context: str | None,
        timeout: float,
        **given: Any,
    ) -> None:
        live = _live(
            dry_run=dry_run, kubeconfig=kubeconfig, context=context, timeout=timeout, gpu_arch=gpu_arch, snapshots=snapshot
        )
        nodes = Nodes(
            platform=platform,
            gpu_arch=gpu_arch,
            plugin=tcpxo_plugin,
            networks=tcpxo_networks,
            snapshots=snapshot,
            dry_run=live,
        )
        function(nodes=nodes, **given)

    decorated: Callable[..., None] = cluster_flags(call)
    for flag in reversed(_FLAGS):
        decorated = flag(decorated)
    return decorated


def _live(
    *,
    dry_run: bool,
    kubeconfig: Path | None,
    context: str | None,
    timeout: float,
    gpu_arch: str | None,
    snapshots: tuple[Path, ...],
) -> DryRun | None:
    """The cluster of a dry run.

    Raises:
        InvalidInput: a flag means nothing without the others, or contradicts them.
    """
    if not dry_run:
        if kubeconfig is not None or context is not None:
            raise _misplaced("--kubeconfig and --context mean nothing without --dry-run", "add --dry-run, or leave them out")
        return None
    if gpu_arch is not None:
        raise _misplaced(
            "--dry-run detects the GPU architecture from cluster nodes; cannot combine with --gpu-arch", "leave one out"
        )
    if snapshots:
        raise _misplaced("--dry-run reads the cluster itself; cannot combine with --snapshot", "leave one out")
    return DryRun(kubeconfig=kubeconfig, context=context, timeout=timeout)


def _misplaced(message: str, fix: str) -> InvalidInput:
    return InvalidInput("AICR-U014", message, location=Location(file="--dry-run"), fix=fix)


_FLAGS = (
    click.option("--platform", metavar="NAME", shell_complete=completion("platform-of-nodes"), help="The platform of the nodes."),
    click.option(
        "--gpu-arch",
        metavar="NAME",
        shell_complete=completion("gpu-architecture"),
        help="The GPU architecture, or a product such as NVIDIA-GB300; it wins over the node selector.",
    ),
    click.option(
        "--tcpxo-plugin", metavar="TAG", help="The tag of the TCPXO plugin that is installed; it chooses the images on A3 Mega."
    ),
    click.option("--tcpxo-networks", metavar="A,B,...", help="The eight Networks of eth1 to eth8 on A3 Mega, in this order."),
    click.option("--snapshot", "--nodes-file", "snapshot", metavar="FILE", multiple=True, type=Input(), help=SNAPSHOT_HELP),
    click.option(
        "--dry-run",
        is_flag=True,
        help="Detect the nodes of the live cluster, whose API server then judges each object; INVALID ends with 1.",
    ),
    click.option("--explain", is_flag=True, help="Annotate what was detected and which overrides applied."),
    click.option(
        "-o",
        "-t",
        "--output",
        "--format",
        "form",
        type=click.Choice(("yaml", "json")),
        default="yaml",
        show_default=True,
        help="Form.",
    ),
    click.option(
        "--data",
        metavar="DIR",
        type=Directory(),
        help="Authored data that adds to the packaged data, or replaces it by kind and name.",
    ),
)


def print_rendering(
    path: Path, kind: str, render: Callable[..., Any], *, nodes: Nodes, form: str, data: Path | None, explain: bool
) -> None:
    """Read a document, render it, and write what was found and made.

    Args:
        path: the file.
        kind: what it must be.
        render: makes a rendering of catalogue, document and site.
        nodes: what was given on the nodes.
        form: YAML or JSON.
        data: authored data beside the packaged.
        explain: whether to annotate.
    """
    from bundler.catalog.catalog import Catalog
    from bundler.certify.output import workflows_text
    from bundler.cli.terminal import emit, say

    catalog = Catalog.load(data)
    document = catalog.open(path, kinds=(kind,))
    live = nodes.dry_run
    snapshot = None
    if live is not None:
        from bundler.cli.snapshot import take_snapshot

        snapshot = take_snapshot(catalog, kubeconfig=live.kubeconfig, context=live.context, timeout=live.timeout)
    rendering = render(catalog, document, nodes.site(catalog, document, snapshot), explain=explain or live is not None)
    say([*catalog.notes, *document.notes, *rendering.notes])
    emit(workflows_text(rendering.workflows, form))
    if live is not None:
        _judge(live, rendering.workflows, document.data["metadata"].get("namespace"))


def _judge(live: DryRun, workflows: Iterable[JsonObject], namespace: str | None) -> None:
    """Let the API server judge each Workflow, what it brings and what is made of it, and end with 1 when it takes one for invalid.

    Args:
        live: the cluster.
        workflows: as rendered.
        namespace: of the document that they were rendered from; its controller makes them there.
    """
    from bundler.certify.made import made_of
    from bundler.cli.terminal import remark
    from bundler.cluster.api import connect
    from bundler.cluster.dry_run import NAMESPACE, Verdict, dry_run
    from bundler.exitcodes import ExitCode
    from bundler.report.table import table

    objects = [each for workflow in workflows for each in made_of(workflow)]
    rows = dry_run(
        connect(kubeconfig=live.kubeconfig, context=live.context, timeout=live.timeout), objects, namespace=namespace or NAMESPACE
    )
    shown = [(row.resource, row.verdict.value, row.message) for row in rows]
    remark(table(("resource", "status", "message"), shown).removesuffix("\n"))
    if any(row.verdict is Verdict.INVALID for row in rows):
        click.get_current_context().exit(ExitCode.FOUND)
