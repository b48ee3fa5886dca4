"""Helm alone: every step is a release, listed in the order in which they are installed.

Plain objects get a chart around them, so that `helm list` shows the whole bundle and `helm rollback` works on all of it. There is
no chart of charts: Helm installs a release at once, into one namespace, and does not wait between the charts within it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.publish.deployers.commands import upgrade
from bundler.publish.deployers.content import Form
from bundler.publish.deployers.deployer import ROOT, Deployer, Document

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.model.document import JsonObject
    from bundler.publish.deployers.content import Content, Step
    from bundler.publish.deployers.deployer import Settings

__all__ = ["DEPLOYER"]

_NAME = "helm"


def documents(content: Content, _settings: Settings) -> Iterator[Document]:
    """One document, of kind HelmReleases (schemas/helmreleases.json): what to install, in order, for any program that does."""
    releases = [_release(step) for step in content.steps]
    data = {"apiVersion": "aicr.run/v2", "kind": "HelmReleases", "releases": releases}
    yield Document(path="releases.yaml", schema="helmreleases", data=data)


def commands(content: Content, _settings: Settings) -> list[str]:
    """One command a release."""
    return [upgrade(step, _path(step)) for step in content.steps]


def _release(step: Step) -> JsonObject:
    release: JsonObject = {"name": step.name, "namespace": step.namespace}
    if step.chart is None:
        release["path"] = _path(step)
    else:
        release |= {"repository": step.chart.repository, "chart": step.chart.name, "version": step.chart.version}
    if step.value_files:
        release["values"] = list(step.value_files)
    if step.after:
        release["needs"] = list(step.after)
    return release


def _path(step: Step) -> str:
    return f"{ROOT}/{_NAME}/charts/{step.name}" if step.form is Form.OBJECTS else step.path


DEPLOYER = Deployer(name=_NAME, help="Helm, a release for each step", documents=documents, commands=commands, charts=True)
