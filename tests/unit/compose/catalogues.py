"""Small catalogues written by a test: real files, read and validated as a `--data` directory is.

`catalogue(tmp_path, {...})` starts from `FILES`, one cloud with two components, and lays the test's own files over it.
"""

from pathlib import Path
from textwrap import dedent

import pytest

from bundler.catalog.catalog import Catalog
from bundler.catalog.files import DataFiles
from bundler.catalog.store import Store
from bundler.errors import AicrError
from bundler.model.location import Location
from bundler.model.request import Override, Request
from bundler.pipeline import compose

ROOT = Path(__file__).parents[3]

FILES = {
    "recipes/base.yaml": """\
        apiVersion: aicr.run/v2
        kind: Base
        metadata: {name: base, description: What every bundle has.}
        components:
          - name: operator
        """,
    "recipes/registry.yaml": """\
        apiVersion: aicr.run/v2
        kind: Registry
        metadata: {name: components, description: Components.}
        components:
          - name: operator
            description: An operator.
            aliases: [op]
            namespace: operator-system
            version: v1.2.0
            selectable: [v1.1.0]
            chart: {repository: "https://charts.example.org", name: operator}
            scheduling:
              system: {nodeSelector: [controller.nodeSelector], tolerations: [controller.tolerations]}
              accelerated: {tolerations: [agents.tolerations]}
          - name: network
            description: Manifests only.
            namespace: kube-system
            manifests: [components/network/network.yaml.j2]
          - name: plugin
            description: A plugin.
            namespace: kube-system
            version: 0.5.0
            chart: {repository: "https://charts.example.org", name: plugin}
            dependencies: [operator]
        """,
    "recipes/components/operator/values.yaml": """\
        driver:
          enabled: true
          version: 580.1.0
        agents:
          tolerations: [{key: gpu, operator: Exists}]
        labels: {}
        """,
    "recipes/mega.yaml": """\
        apiVersion: aicr.run/v2
        kind: Recipe
        metadata: {name: mega, description: A recipe.}
        criteria: {service: gke, accelerator: h100, os: cos, intent: training, platform: kubeflow}
        """,
}


def catalogue(directory, files=None):
    """A catalogue of `FILES` with `files` over them; a value of None leaves a file out. Texts are dedented."""
    for name, text in {**FILES, **(files or {})}.items():
        if text is not None:
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text), encoding="utf-8")
    schemas = {path.relative_to(ROOT).as_posix(): path for path in (ROOT / "schemas").glob("*.json")}
    packaged = DataFiles(root=ROOT, label="", paths=schemas)
    return Catalog(store=Store(sources=(packaged, DataFiles.index(directory, label=""))))


def base(body):
    """The text of a base; its body starts at line 4."""
    return _document("Base", "base", body)


def overlay(name, criteria, body):
    """The text of an overlay; its body starts at line 5."""
    return _document("Overlay", name, f"criteria: {criteria}\n{dedent(body)}")


def recipe(name, body, criteria="{service: gke, accelerator: h100, os: cos, intent: training, platform: kubeflow}"):
    """The text of a recipe; its body starts at line 5."""
    return _document("Recipe", name, f"criteria: {criteria}\n{dedent(body)}")


def _document(kind, name, body):
    return f"apiVersion: aicr.run/v2\nkind: {kind}\nmetadata: {{name: {name}, description: A document.}}\n{body}"


def profile(axis, body):
    """The text of a profile; its values start at line 5."""
    return f"apiVersion: aicr.run/v2\nkind: Profile\nmetadata: {{name: {axis}, description: A choice.}}\nvalues:\n" + "".join(
        f"  {line}\n" if line else "\n" for line in dedent(body).splitlines()
    )


def request(**stated):
    """A request for the recipe `mega`."""
    return Request(**{"recipe": "mega", **stated})


def set_(component, path, raw, at="--set"):
    """An override as `--set` makes it."""
    return Override(component=component, path=tuple(path.split(".")), value=raw, raw=raw, location=Location(file=at))


def refused(action, *arguments, **named):
    """The findings of a call that must fail, as text: rule, message, place and fix of each, as a user reads them."""
    with pytest.raises(AicrError) as caught:
        action(*arguments, **named)
    return [shown(finding) for finding in caught.value.findings]


def shown(finding):
    """One finding as a user reads it."""
    return f"{finding.rule}: {finding.message}\n  --> {finding.location}\n  fix: {finding.fix}"


def values(composition, component="operator"):
    """The composed values of a component."""
    return composition.component(component).values


def composed(directory, files=None, **stated):
    """Compose `mega` from a catalogue."""
    return compose(catalogue(directory, files), request(**stated))
