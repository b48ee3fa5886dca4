"""`aicr certification`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bundler.cli.command import Command, Input
from bundler.cli.commands import CONTEXT, Group
from bundler.cli.flags import DATA, Flags, format_flag, takes
from bundler.cli.printing import emit_form
from bundler.cli.site import nodes_flags, print_rendering

if TYPE_CHECKING:
    from pathlib import Path

    from bundler.cli.site import Nodes

__all__ = ["command"]


@click.group("certification", cls=Group, context_settings=CONTEXT)
def command() -> None:
    """Render a Certification to its Workflows, and list what it can test."""


@command.command("render", cls=Command)
@click.argument("certification", type=Input(), metavar="CERT")
@nodes_flags
def render(*, certification: Path, nodes: Nodes, form: str, data: Path | None, explain: bool) -> None:
    """Print the Workflows that the controller would run for the Certification in the file CERT.

    With --snapshot the nodes of the target are detected as the controllers detect them. Without it the nodes are on-premises
    unless --platform is given, a NIC resource is requested only when nicResourceName names it, and one node is tested unless
    nodesPerJob says more.

      aicr certification render --platform gcp cert.yaml
      aicr certification render --platform onprem --gpu-arch gb300 --explain cert.yaml
      aicr certification render --snapshot nodes.yaml --snapshot pods.yaml cert.yaml
      aicr certification render --dry-run cert.yaml
    """
    from bundler.certify.certification import render_certification

    print_rendering(certification, "Certification", render_certification, nodes=nodes, form=form, data=data, explain=explain)


@command.command("list", cls=Command)
@format_flag("text")
@takes(DATA)
def list_entries(*, form: str, flags: Flags) -> None:
    """List the tests of the catalogue, and the platforms and GPU architectures that it knows."""
    from bundler.catalog.catalog import Catalog
    from bundler.certify.entries import entries
    from bundler.detect.gpus import Gpus
    from bundler.detect.platforms import platforms
    from bundler.report.table import table

    catalog = Catalog.load(flags.data)
    tests = [
        {"domain": entry.domain, "variant": entry.variant, "description": entry.facts["metadata"]["description"]}
        for entry in entries(catalog).values()
    ]
    known: dict[str, Any] = {
        "tests": tests,
        "platforms": list(platforms(catalog)),
        "gpuArchitectures": list(catalog.derived(Gpus.of).architectures),
    }

    def text() -> str:
        rows = table(("domain", "variant", "description"), [tuple(test.values()) for test in tests])
        return f"{rows}\nplatforms: {', '.join(known['platforms'])}\nGPU architectures: {', '.join(known['gpuArchitectures'])}\n"

    emit_form(form, known, text)
