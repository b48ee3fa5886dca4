"""`aicr workflow`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from bundler.cli.command import Command, Input
from bundler.cli.commands import CONTEXT, Group
from bundler.cli.site import nodes_flags, print_rendering
from bundler.errors import InvalidInput
from bundler.model.location import Location

if TYPE_CHECKING:
    from pathlib import Path

    from bundler.catalog.catalog import Catalog
    from bundler.certify.certification import Rendering
    from bundler.certify.site import Site
    from bundler.cli.site import Nodes
    from bundler.model.document import Document

__all__ = ["command"]


@click.group("workflow", cls=Group, context_settings=CONTEXT)
def command() -> None:
    """Resolve the overrides of a Workflow."""


@command.command("render", cls=Command)
@click.argument("workflow", type=Input(), metavar="WORKFLOW")
@nodes_flags
def render(*, workflow: Path, nodes: Nodes, form: str, data: Path | None, explain: bool) -> None:
    """Print the Workflow in a file with its overrides resolved, annotated with which of them applied.

    aicr workflow render --platform aws --gpu-arch h100 workflow.yaml
    """
    print_rendering(workflow, "Workflow", _resolved, nodes=nodes, form=form, data=data, explain=explain)


def _resolved(catalog: Catalog, document: Document, site: Site, *, explain: bool) -> Rendering:
    from bundler.certify.workflow import render_workflow
    from bundler.detect.gpus import Gpus
    from bundler.detect.platforms import platforms

    del explain  # the annotations are always written here
    if site.platform is None or site.architecture is None:
        message = "overrides are resolved for one platform and one GPU architecture"
        known = f"--platform {'|'.join(platforms(catalog))} and --gpu-arch {'|'.join(catalog.derived(Gpus.of).architectures)}"
        raise InvalidInput(
            "AICR-U003", message, location=Location(file="aicr workflow render"), fix=f"give {known}, or --snapshot FILE"
        )
    rendering = render_workflow(catalog, document, platform=site.platform, architecture=site.architecture)
    found = site.observed.notes if site.observed is not None else ()
    return replace(rendering, notes=(*found, *rendering.notes))
