"""The flags that say what is known of the nodes of a certification: stated, or read from a snapshot of their cluster."""

from __future__ import annotations

from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from bundler.cli.command import Directory, Input
from bundler.cli.flags import SNAPSHOT_HELP, completion
from bundler.errors import InvalidInput
from bundler.model.location import Location

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bundler.catalog.catalog import Catalog
    from bundler.certify.certification import Site
    from bundler.model.document import Document
    from bundler.model.snapshot import Snapshot

__all__ = ["Nodes", "nodes_flags", "print_rendering"]


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
    ) -> None:
        self.snapshots = snapshots
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
        from bundler.certify.certification import Site
        from bundler.detect.gpus import Gpus
        from bundler.detect.platforms import require_platform

        platform, architecture = self.platform, self.gpu_arch
        if platform is not None:
            require_platform(catalog, platform, location=Location(file="--platform"))
        if architecture is not None:
            architecture = catalog.derived(Gpus.of).require(architecture, location=Location(file="--gpu-arch"))
        networks = tuple(self.networks.split(",")) if self.networks is not None else None
        at = Location(file="--tcpxo-plugin") if self.plugin is not None else None
        site = Site(platform=platform, architecture=architecture, plugin=self.plugin, networks=networks, location=at)
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
        **given: Any,
    ) -> None:
        nodes = Nodes(platform=platform, gpu_arch=gpu_arch, plugin=tcpxo_plugin, networks=tcpxo_networks, snapshots=snapshot)
        function(nodes=nodes, **given)

    decorated: Callable[..., None] = call
    for flag in reversed(_FLAGS):
        decorated = flag(decorated)
    return decorated


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
    click.option("--snapshot", metavar="FILE", multiple=True, type=Input(), help=SNAPSHOT_HELP),
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
    rendering = render(catalog, document, nodes.site(catalog, document), explain=explain)
    say([*catalog.notes, *document.notes, *rendering.notes])
    emit(workflows_text(rendering.workflows, form))
