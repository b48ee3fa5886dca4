"""Kustomize: one directory a chart, which kustomize inflates with the chart's values; plain objects are applied as they are.

Kustomize renders a chart and installs no release: hooks are left out, for a hook that runs when a release is deleted would
otherwise run at once. Its namespace transformer is not used: kustomize 5.8 leaves out what comes from a chart.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from bundler.publish.deployers.commands import apply
from bundler.publish.deployers.content import Form
from bundler.publish.deployers.deployer import ROOT, Deployer, Document

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.model.document import JsonObject
    from bundler.publish.deployers.content import Content, Step
    from bundler.publish.deployers.deployer import Settings

__all__ = ["DEPLOYER"]

_NAME = "kustomize"
_NAMESPACES = "namespaces"
_OF_EVERY_CLUSTER = {"default", "kube-node-lease", "kube-public", "kube-system"}


def documents(content: Content, _settings: Settings) -> Iterator[Document]:
    """The namespaces in one directory, and one directory a chart."""
    namespaces = _namespaces(content)
    for name in namespaces:
        data: JsonObject = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
        yield Document(path=f"{_NAMESPACES}/namespace-{name}.yaml", schema="kube/kubernetes-1.32/namespace", data=data)
    if namespaces:
        listed = [f"namespace-{name}.yaml" for name in namespaces]
        yield _kustomization(_NAMESPACES, {"resources": listed})
    for step in content.steps:
        if step.form is Form.CHART:
            yield _inflated(step)


def commands(content: Content, _settings: Settings) -> list[str]:
    """The namespaces, then one command a step."""
    first = [f"kubectl apply --server-side --kustomize {ROOT}/{_NAME}/{_NAMESPACES}"] if _namespaces(content) else []
    return [*first, *(_command(step) for step in content.steps)]


def _command(step: Step) -> str:
    if step.form is Form.CHART:
        build = shlex.join(["kubectl", "kustomize", "--enable-helm", f"{ROOT}/{_NAME}/{step.name}"])
        return f"{build} | kubectl apply --server-side --filename -"
    return apply(f"{step.path}/templates" if step.form is Form.LOCAL else step.path)


def _namespaces(content: Content) -> list[str]:
    return sorted({step.namespace for step in content.steps} - _OF_EVERY_CLUSTER - {""})


def _inflated(step: Step) -> Document:
    assert step.chart is not None
    chart: JsonObject = {
        "name": step.chart.name,
        "repo": step.chart.repository,
        "version": step.chart.version,
        "releaseName": step.name,
        "namespace": step.namespace,
        "includeCRDs": True,
        "skipHooks": True,
    }
    if step.values:
        chart["valuesInline"] = step.values
    return _kustomization(step.name, {"helmCharts": [chart]})


def _kustomization(directory: str, data: JsonObject) -> Document:
    head = {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization"}
    return Document(path=f"{directory}/kustomization.yaml", schema="deploy/kustomize/kustomization", data=head | data)


DEPLOYER = Deployer(
    name=_NAME, help="kubectl kustomize with --enable-helm", documents=documents, commands=commands, takes_values=False
)
