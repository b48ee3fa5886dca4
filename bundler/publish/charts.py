"""A component as a Helm release: a reference to its chart with its values, or a local chart around objects already rendered."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any

from bundler.model.finding import Finding
from bundler.model.plain import identifying
from bundler.model.pointer import child
from bundler.publish.files import OutputFile
from bundler.publish.objects import component_path
from bundler.publish.recipe_file import API_VERSION
from bundler.yamlio.writer import dump

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bundler.catalog.catalog import Catalog
    from bundler.kube.resource import Resource
    from bundler.model.composition import Component
    from bundler.model.document import JsonObject

__all__ = ["chart_reference", "helm_expressions", "local_chart", "release_files"]

# semver.org, section "Is there a suggested regular expression", without the groups.
_SEMVER = re.compile(
    r"(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)"
    r"(?:-(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?"
    r"(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?\Z",
    re.ASCII,
)
_DIGITS = 12


def release_files(
    component: Component, catalog: Catalog, objects: Iterable[OutputFile], values: tuple[JsonObject, JsonObject | None]
) -> Iterator[OutputFile]:
    """The files of a component besides its objects.

    Args:
        component: as composed.
        catalog: whose registry describes it; it keeps what many bundles have in common.
        objects: the files of its objects, which a local chart is made of.
        values: what its chart is given, and what of it is left to install time.
    """
    entry = catalog.registry[component.name]
    root = component_path(component.name)
    of = f"component {component.name}"
    if component.chart is None:
        chart = local_chart(component.name, component.version, entry.description, objects)
        yield OutputFile(path=f"{root}/Chart.yaml", content=dump(chart).encode(), of=of, location=entry.location)
        return
    reference = chart_reference(component)
    yield OutputFile(path=f"{root}/chart.yaml", content=_written(reference, catalog), of=of, location=entry.location)
    for name, data in (("values.yaml", values[0]), ("cluster-values.yaml", values[1])):
        if data is not None:
            yield OutputFile(path=f"{root}/{name}", content=_written(data, catalog), of=of, location=entry.location)


def _written(document: JsonObject, catalog: Catalog) -> bytes:
    return catalog.memory.of((dump, identifying(document)), lambda: dump(document).encode())


def chart_reference(component: Component) -> JsonObject:
    """The document of kind ChartReference (schemas/chartreference.json)."""
    assert component.chart is not None
    reference: JsonObject = {
        "apiVersion": API_VERSION,
        "kind": "ChartReference",
        "metadata": {"name": component.name},
        "repository": component.chart.repository,
        "chart": component.chart.name,
        "version": component.chart.version,
        "namespace": component.namespace,
    }
    if component.dependencies:
        reference["dependsOn"] = list(component.dependencies)
    return reference


def local_chart(name: str, version: str, description: str, objects: Iterable[OutputFile]) -> JsonObject:
    """The `Chart.yaml` around objects that are rendered already (helm.sh/docs/topics/charts, apiVersion v2).

    The version is the registry's where that is a semantic version, else 0.0.0, with the digest of the templates as build metadata:
    a controller that packages the chart only when its version changes, as Flux does for charts from git, sees every change, and an
    unchanged chart keeps its version.
    """
    digest = hashlib.sha256()
    for file in sorted(objects, key=lambda file: file.path):
        digest.update(f"{hashlib.sha256(file.content).hexdigest()}  {file.path}\n".encode())
    number = version.removeprefix("v")
    number = number if _SEMVER.match(number) else "0.0.0"
    separator = "." if "+" in number else "+"
    chart: JsonObject = {
        "apiVersion": "v2",
        "name": name,
        "description": description,
        "type": "application",
        "version": f"{number}{separator}sha256.{digest.hexdigest()[:_DIGITS]}",
    }
    if version:
        chart["appVersion"] = version
    return chart


def helm_expressions(resource: Resource) -> Iterator[Finding]:
    """Helm evaluates `{{` wherever it stands in a chart's templates, and would change what was rendered."""
    for pointer in _opening_braces(resource.data, ""):
        yield Finding(
            rule="AICR-O003",
            message=f"{resource.subject} holds '{{{{', which Helm would evaluate in a chart",
            location=resource.locate(pointer),
            pointer=pointer,
            subject=resource.subject,
            fix="write the text without two opening braces in a row",
        )


def _opening_braces(data: Any, pointer: str) -> Iterator[str]:
    match data:
        case dict():
            for key, value in data.items():
                if "{{" in key:
                    yield child(pointer, key)
                yield from _opening_braces(value, child(pointer, key))
        case list():
            for index, item in enumerate(data):
                yield from _opening_braces(item, child(pointer, index))
        case str() if "{{" in data:
            yield pointer
        case _:
            pass
