"""The command lines that a bundle's README shows: one a step, every word quoted as a shell needs it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bundler.publish.deployers.content import Step

__all__ = ["apply", "upgrade"]


def upgrade(step: Step, path: str) -> str:
    """Install a step as a Helm release, or bring its release up to date, and wait until it is ready.

    Args:
        step: with a chart, or whose objects stand in one.
        path: where that is in the bundle.
    """
    words = ["helm", "upgrade", "--install", step.name]
    if step.chart is None:
        words.append(f"./{path}")
    elif step.chart.repository.startswith("oci://"):
        # Helm names a chart in a registry by its whole address, and takes --repo for any other repository.
        words += [f"{step.chart.repository}/{step.chart.name}", "--version", step.chart.version]
    else:
        words += [step.chart.name, "--repo", step.chart.repository, "--version", step.chart.version]
    words += ["--namespace", step.namespace, "--create-namespace", "--wait"]
    for file in step.value_files:
        words += ["--values", file]
    return shlex.join(words)


def apply(directory: str) -> str:
    """Apply the plain objects of a directory of the bundle."""
    return shlex.join(["kubectl", "apply", "--server-side", "--filename", directory])
