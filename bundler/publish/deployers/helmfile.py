"""Helmfile: one state file, its releases ordered by `needs`. Paths in it are relative to it; nothing in it is a template."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.publish.deployers.content import Form
from bundler.publish.deployers.deployer import ROOT, Deployer, Document

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.model.document import JsonObject
    from bundler.publish.deployers.content import Content, Step
    from bundler.publish.deployers.deployer import Settings

__all__ = ["DEPLOYER"]

_NAME = "helmfile"
_UP = "../.."
_TIMEOUT = 900
"""Seconds for one release: drivers are compiled on the nodes while gpu-operator waits."""


def documents(content: Content, _settings: Settings) -> Iterator[Document]:
    """The state file (helmfile.readthedocs.io, section Configuration)."""
    charts = {step.name: step.chart for step in content.steps if step.chart is not None}
    repositories = [
        {"name": name, "url": chart.repository} for name, chart in charts.items() if not chart.repository.startswith("oci://")
    ]
    data: JsonObject = {
        "helmDefaults": {"createNamespace": True, "wait": True, "timeout": _TIMEOUT},
        **({"repositories": repositories} if repositories else {}),
        "releases": [_release(step, content) for step in content.steps],
    }
    yield Document(path="helmfile.yaml", schema="deploy/helmfile/helmfile", data=data)


def commands(_content: Content, _settings: Settings) -> list[str]:
    """One command for all of it."""
    return [f"helmfile --file {ROOT}/{_NAME}/helmfile.yaml apply"]


def _release(step: Step, content: Content) -> JsonObject:
    release: JsonObject = {"name": step.name, "namespace": step.namespace, "chart": _chart(step)}
    if step.chart is not None:
        release["version"] = step.chart.version
    if step.form is not Form.LOCAL:
        # Helmfile compares with the cluster before it installs anything, and a cluster that lacks definitions cannot check what
        # needs them: custom resources beside a chart, or beside their definitions within one.
        release["disableValidationOnInstall"] = True
    if step.value_files:
        release["values"] = [f"{_UP}/{path}" for path in step.value_files]
    if step.after:
        release["needs"] = [f"{content[name].namespace}/{name}" for name in step.after]
    return release


def _chart(step: Step) -> str:
    if step.chart is None:
        return f"./charts/{step.name}" if step.form is Form.OBJECTS else f"{_UP}/{step.path}"
    in_registry = step.chart.repository.startswith("oci://")
    return f"{step.chart.repository if in_registry else step.name}/{step.chart.name}"


DEPLOYER = Deployer(name=_NAME, help="Helmfile", documents=documents, commands=commands, charts=True)
