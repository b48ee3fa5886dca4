"""Argo CD: one Application a step in sync waves, and a root Application that applies them.

Argo CD takes a chart from its repository and its values from git, so that the values are written once. Sources: the Application CRD
(argo-cd manifests/crds/application-crd.yaml), docs/user-guide/{multiple_sources,sync-waves,helm}.md.
"""

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

_NAME = "argocd"
_SCHEMA = "deploy/argocd/application"
_APPLICATIONS = "applications"
_OWN_CLUSTER = "https://kubernetes.default.svc"
"""The cluster that Argo CD itself runs in."""

_SYNC: JsonObject = {
    "automated": {"prune": True, "selfHeal": True},
    "retry": {"limit": 10, "backoff": {"duration": "30s", "factor": 2, "maxDuration": "10m"}},
}
_OPTIONS = ("CreateNamespace=true", "ServerSideApply=true")
"""Some definitions are larger than the annotation in which a client-side apply would keep them."""


def documents(content: Content, settings: Settings) -> Iterator[Document]:
    """The root, and an Application for each step in its wave."""
    root = _application(settings["name"], settings, server=_OWN_CLUSTER, namespace=settings["namespace"])
    root["spec"]["source"] = _git(f"{ROOT}/{_NAME}/{_APPLICATIONS}", settings)
    yield Document(path="root.yaml", schema=_SCHEMA, data=root)
    for step in content.steps:
        data = _application(f"{settings['name']}-{step.name}", settings, server=settings["server"], namespace=step.namespace)
        data["metadata"]["annotations"] = {"argocd.argoproj.io/sync-wave": str(step.rank)}
        data["spec"] |= _sources(step, settings)
        data["spec"]["syncPolicy"]["syncOptions"] = list(_OPTIONS)
        yield Document(path=f"{_APPLICATIONS}/{step.name}.yaml", schema=_SCHEMA, data=data)


def commands(_content: Content, _settings: Settings) -> list[str]:
    """The root alone is applied by hand, once."""
    return [f"kubectl apply --filename {ROOT}/{_NAME}/root.yaml"]


def _application(name: str, settings: Settings, *, server: str, namespace: str) -> JsonObject:
    return {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": {"name": name, "namespace": settings["namespace"]},
        "spec": {
            "project": settings["project"],
            "destination": {"server": server, **({"namespace": namespace} if namespace else {})},
            "syncPolicy": dict(_SYNC),
        },
    }


def _sources(step: Step, settings: Settings) -> JsonObject:
    if step.form is Form.OBJECTS:
        return {"source": _git(step.path, settings)}
    if step.chart is None:
        return {"source": _git(step.path, settings) | {"helm": {"releaseName": step.name}}}
    files = [f"$values/{_in_repository(path, settings)}" for path in step.value_files]
    helm: JsonObject = {"releaseName": step.name, "valueFiles": files}
    if step.defaults is not None:
        files.append(f"$values/{settings['clusterValues']}/{step.name}.yaml")
        helm["ignoreMissingValueFiles"] = True
    # Argo CD knows a registry by the address without its scheme.
    repository = step.chart.repository.removeprefix("oci://")
    chart = {"repoURL": repository, "chart": step.chart.name, "targetRevision": step.chart.version, "helm": helm}
    return {"sources": [chart, {"repoURL": settings["repoURL"], "targetRevision": settings["revision"], "ref": "values"}]}


def _git(path: str, settings: Settings) -> JsonObject:
    return {
        "repoURL": settings["repoURL"],
        "targetRevision": settings["revision"],
        "path": _in_repository(path, settings),
    }


def _in_repository(path: str, settings: Settings) -> str:
    return path if settings["path"] == "." else f"{settings['path']}/{path}"


DEPLOYER = Deployer(
    name=_NAME,
    help="Argo CD, Applications in sync waves",
    documents=documents,
    commands=commands,
    settings={
        "repoURL": None,
        "revision": None,
        "path": ".",
        "clusterValues": "",
        "name": "aicr",
        "namespace": "argocd",
        "project": "default",
        "server": _OWN_CLUSTER,
    },
)
