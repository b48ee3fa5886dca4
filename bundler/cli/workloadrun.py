"""`aicr workloadrun`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bundler.cli.command import Command, Input
from bundler.cli.commands import CONTEXT, Group
from bundler.cli.site import nodes_flags, print_rendering

if TYPE_CHECKING:
    from pathlib import Path

    from bundler.cli.site import Nodes

__all__ = ["command"]


@click.group("workloadrun", cls=Group, context_settings=CONTEXT)
def command() -> None:
    """Render a WorkloadRun to its Workflow."""


@command.command("render", cls=Command)
@click.argument("run", type=Input(), metavar="RUN")
@nodes_flags
def render(*, run: Path, nodes: Nodes, form: str, data: Path | None, explain: bool) -> None:
    """Print the Workflow that the controller would run for the WorkloadRun in the file RUN.

    Without --platform the overrides stay in the Workflow, unresolved.

      aicr workloadrun render --platform gcp run.yaml
    """
    from bundler.certify.workload_run import render_workload_run

    print_rendering(run, "WorkloadRun", render_workload_run, nodes=nodes, form=form, data=data, explain=explain)
