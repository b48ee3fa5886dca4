"""Flux: a Kustomization for each step with `dependsOn`, and in it, for a chart, a HelmRelease with the source of the chart.

A Kustomization waits until what it applied is ready, a HelmRelease among it, and the next one starts only then. HelmReleases
repeat the order among themselves, for they are reconciled on their own as well. Sources: the CRDs and docs of source-controller,
kustomize-controller and helm-controller, Flux 2.6.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bundler.publish.deployers.content import Form
from bundler.publish.deployers.deployer import ROOT, Deployer, Document
from bundler.yamlio.writer import dump

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.model.document import JsonObject
    from bundler.publish.deployers.content import Content, Step
    from bundler.publish.deployers.deployer import Settings

__all__ = ["DEPLOYER"]

_NAME = "flux"
_SOURCE = "source.toolkit.fluxcd.io/v1"
_COMMIT = re.compile(r"[0-9a-f]{40}\Z")
_INTERVAL = "10m"
_TIMEOUT = "15m"
"""How long one step may take: drivers are compiled on the nodes while gpu-operator waits."""
_REMEDIATION: JsonObject = {"crds": "CreateReplace", "remediation": {"retries": 3}}
"""Helm itself installs the definitions in a chart's `crds` directory once and never brings them up to date."""
_KEY = "values.yaml"


def documents(content: Content, settings: Settings) -> Iterator[Document]:
    """The repository, a Kustomization for each step, the releases, and a kustomization.yaml that lists what is applied by hand."""
    yield Document(path="repository.yaml", schema="deploy/flux/gitrepository", data=_repository(settings))
    listed = ["repository.yaml"]
    for step in content.steps:
        path = f"steps/{step.name}.yaml"
        yield Document(path=path, schema="deploy/flux/kustomization", data=_kustomization(step, settings))
        listed.append(path)
        if step.form is not Form.OBJECTS:
            yield from _release_documents(step, content, settings)
    data = {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization", "resources": listed}
    yield Document(path="kustomization.yaml", schema="deploy/kustomize/kustomization", data=data)


def commands(_content: Content, _settings: Settings) -> list[str]:
    """The repository and the Kustomizations; Flux applies the rest."""
    return [f"kubectl apply --server-side --kustomize {ROOT}/{_NAME}"]


def _repository(settings: Settings) -> JsonObject:
    revision = settings["revision"]
    kind = "commit" if _COMMIT.match(revision) else "name" if revision.startswith("refs/") else "branch"
    spec = {"interval": _INTERVAL, "url": settings["repoURL"], "ref": {kind: revision}}
    return _object(_SOURCE, "GitRepository", settings["name"], settings) | {"spec": spec}


def _kustomization(step: Step, settings: Settings) -> JsonObject:
    path = step.path if step.form is Form.OBJECTS else f"{ROOT}/{_NAME}/releases/{step.name}"
    spec: JsonObject = {
        "interval": _INTERVAL,
        "retryInterval": "1m",
        "timeout": _TIMEOUT,
        "sourceRef": {"kind": "GitRepository", "name": settings["name"]},
        "path": _in_repository(path, settings),
        "prune": True,
        "wait": True,
    }
    if step.after:
        spec["dependsOn"] = [{"name": _named(name, settings)} for name in step.after]
    head = _object("kustomize.toolkit.fluxcd.io/v1", "Kustomization", _named(step.name, settings), settings)
    return head | {"spec": spec}


def _release_documents(step: Step, content: Content, settings: Settings) -> Iterator[Document]:
    root = f"releases/{step.name}"
    yield Document(path=f"{root}/release.yaml", schema="deploy/flux/helmrelease", data=_release(step, content, settings))
    if step.chart is not None:
        source = _chart_source(step, settings)
        yield Document(path=f"{root}/source.yaml", schema=f"deploy/flux/{source['kind'].lower()}", data=source)
    if step.defaults is not None:
        head = _object("v1", "ConfigMap", _defaults(step, settings), settings)
        yield Document(
            path=f"{root}/cluster-values.yaml",
            schema="kube/kubernetes-1.32/configmap",
            data=head | {"data": {_KEY: dump(step.defaults)}},
        )


def _release(step: Step, content: Content, settings: Settings) -> JsonObject:
    spec: JsonObject = {
        "interval": _INTERVAL,
        "timeout": _TIMEOUT,
        "releaseName": step.name,
        "targetNamespace": step.namespace,
        **_chart_reference(step, settings),
        "install": {"createNamespace": True, **_REMEDIATION},
        "upgrade": dict(_REMEDIATION),
    }
    if awaited := [*_releases_before(step, content)]:
        spec["dependsOn"] = [{"name": _named(name, settings)} for name in awaited]
    if step.defaults is not None:
        # A later source of values wins over an earlier one, and `values` over both: the two have no path in common.
        own = {"kind": "ConfigMap", "name": f"{_named(step.name, settings)}-cluster-values", "valuesKey": _KEY, "optional": True}
        spec["valuesFrom"] = [{"kind": "ConfigMap", "name": _defaults(step, settings), "valuesKey": _KEY}, own]
    if step.chart is not None and step.values:
        spec["values"] = step.values
    return _object("helm.toolkit.fluxcd.io/v2", "HelmRelease", _named(step.name, settings), settings) | {"spec": spec}


def _releases_before(step: Step, content: Content) -> Iterator[str]:
    """The steps before it that are releases; plain objects are none, and come after the release that they belong to."""
    for name in step.after:
        yield from content[name].after if content[name].form is Form.OBJECTS else (name,)


def _chart_reference(step: Step, settings: Settings) -> JsonObject:
    name = _named(step.name, settings)
    if step.chart is None:
        path = f"./{_in_repository(step.path, settings)}"
        return {"chart": {"spec": {"chart": path, "sourceRef": {"kind": "GitRepository", "name": settings["name"]}}}}
    if step.chart.repository.startswith("oci://"):
        return {"chartRef": {"kind": "OCIRepository", "name": name}}
    reference = {"chart": step.chart.name, "version": step.chart.version, "sourceRef": {"kind": "HelmRepository", "name": name}}
    return {"chart": {"spec": reference}}


def _chart_source(step: Step, settings: Settings) -> JsonObject:
    assert step.chart is not None
    name = _named(step.name, settings)
    if not step.chart.repository.startswith("oci://"):
        spec: JsonObject = {"interval": "1h", "url": step.chart.repository}
        return _object(_SOURCE, "HelmRepository", name, settings) | {"spec": spec}
    spec = {
        "interval": "1h",
        "url": f"{step.chart.repository}/{step.chart.name}",
        # A tag has no plus sign: Helm pushes a version with an underscore in its place.
        "ref": {"tag": step.chart.version.replace("+", "_")},
        "layerSelector": {"mediaType": "application/vnd.cncf.helm.chart.content.v1.tar+gzip", "operation": "copy"},
    }
    return _object(_SOURCE, "OCIRepository", name, settings) | {"spec": spec}


def _object(api_version: str, kind: str, name: str, settings: Settings) -> JsonObject:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name, "namespace": settings["namespace"]}}


def _named(step: str, settings: Settings) -> str:
    return f"{settings['name']}-{step}"


def _defaults(step: Step, settings: Settings) -> str:
    return f"{_named(step.name, settings)}-defaults"


def _in_repository(path: str, settings: Settings) -> str:
    return path if settings["path"] == "." else f"{settings['path']}/{path}"


DEPLOYER = Deployer(
    name=_NAME,
    help="Flux, Kustomizations and HelmReleases with dependsOn",
    documents=documents,
    commands=commands,
    settings={"repoURL": None, "revision": None, "path": ".", "name": "aicr", "namespace": "flux-system"},
)
