"""The images that a component's chart brings: declared for each chart version, composed with the component's values.

A bundle names charts and does not render them, so that nothing is fetched and no template of others is run.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from bundler.catalog.image_fields import image_fields
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.kube.image import Image
from bundler.kube.references import Form, references
from bundler.model.finding import Finding, Severity
from bundler.model.plain import identifying
from bundler.model.pointer import join

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bundler.catalog.catalog import Catalog
    from bundler.model.composition import Component
    from bundler.model.document import Document, JsonObject

__all__ = ["ChartImage", "chart_images", "declaration", "undeclared", "value_at"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartImage:
    """One image of one chart.

    Attributes:
        name: what it is in the chart.
        image: what the chart's defaults and the component's values come to.
        completed: what is added to the tag when it is pulled; empty when nothing is.
        values: part of the reference → the value path that holds it.
    """

    component: str
    name: str
    image: Image
    completed: str = ""
    values: Mapping[str, str] = field(default_factory=dict)


def declaration(catalog: Catalog, component: Component) -> JsonObject | None:
    """What `bom/charts` says of a component's chart in its version, or None."""
    document = _document(catalog, component.name)
    versions = document.data["versions"] if document is not None else ()
    return next((version for version in versions if version["version"] == component.version), None)


def chart_images(catalog: Catalog, component: Component) -> tuple[ChartImage, ...]:
    """The images that a component's chart pulls with the component's values; none when they are not declared.

    Raises:
        InvalidInput: values that name an image come to no reference.
    """
    return catalog.memory.of((chart_images, *_key(component)), lambda: tuple(_chart_images(catalog, component)))


def undeclared(catalog: Catalog, component: Component) -> tuple[Finding, ...]:
    """Why the images of a component's chart are not all known."""
    return catalog.memory.of((undeclared, *_key(component)), lambda: tuple(_undeclared(catalog, component)))


def _key(component: Component) -> tuple[object, ...]:
    """The component, as a value."""
    return component.name, component.version, component.chart, identifying(component.values)


def _chart_images(catalog: Catalog, component: Component) -> Iterator[ChartImage]:
    declared = declaration(catalog, component) if component.chart is not None else None
    for entry in declared["images"] if declared else ():
        if _is_pulled(entry.get("when"), component.values):
            yield ChartImage(
                component=component.name,
                name=entry["name"],
                image=_composed(entry, component),
                completed=entry.get("completed", ""),
                values=entry.get("values", {}),
            )


def _undeclared(catalog: Catalog, component: Component) -> Iterator[Finding]:
    if component.chart is None:
        return
    place = catalog.registry[component.name].location
    declared = declaration(catalog, component)
    if declared is None:
        yield Finding(
            rule="AICR-I010",
            message=f"the images of chart {component.chart.name} {component.version} are not declared",
            severity=Severity.WARNING,
            location=place,
            subject=f"component {component.name}",
            fix=f"declare them in bom/charts/{component.name}.yaml",
        )
        return
    paths = {join(path.split(".")) for entry in declared["images"] for path in entry.get("values", {}).values()}
    for reference in references(component.values, image_fields(catalog)):
        pointers = set(reference.parts.values()) or {reference.pointer}
        above = reference.form is Form.UNKNOWN and any(path.startswith(f"{reference.pointer}/") for path in paths)
        if not above and not pointers <= paths:
            shown = ".".join(reference.pointer.split("/")[1:])
            yield Finding(
                rule="AICR-I009",
                message=f"{component.name}:{shown} names an image that bom/charts/{component.name}.yaml does not know",
                severity=Severity.WARNING,
                location=place,
                pointer=f"/components/{component.name}/values{reference.pointer}",
                subject=f"component {component.name}",
                fix="declare the value path there: the list of images would be wrong",
            )


def value_at(values: Mapping[str, Any], path: str) -> Any:
    """The value at a dotted path, or None."""
    found: Any = values
    for key in path.split("."):
        found = found.get(key) if isinstance(found, dict) else None
    return found


def _document(catalog: Catalog, component: str) -> Document | None:
    path = f"bom/charts/{component}.yaml"
    return catalog.document(path, kind="ChartImages") if catalog.store.source(path) is not None else None


def _is_pulled(when: JsonObject | None, values: JsonObject) -> bool:
    if when is None:
        return True
    value = value_at(values, when["path"])
    return bool(value == when["is"]) if "is" in when else bool(value != when["not"])


def _composed(entry: JsonObject, component: Component) -> Image:
    """The chart's default, each part replaced by the value that holds it where one is set.

    A published digest is no part of it: the chart pulls by tag unless a value names the digest.
    """
    default = Image.parse(f"{entry['repository']}:{entry['tag']}")
    set_ = {role: str(value) for role, path in entry.get("values", {}).items() if (value := value_at(component.values, path))}
    if not set_:
        return default
    prefix, _, last = default.name.rpartition("/")
    if "name" in set_:
        name = set_["name"]
    elif "prefix" in set_ or "image" in set_:
        name = f"{set_.get('prefix', prefix)}/{set_.get('image', last)}"
    else:
        name = f"{set_.get('registry', default.registry)}/{set_.get('repository', default.repository)}"
    tag = set_.get("tag", default.tag or "")
    text = f"{name}{'@' if tag.startswith('sha256:') else ':'}{tag}" + (f"@{set_['digest']}" if "digest" in set_ else "")
    try:
        return Image.parse(text)
    except InvalidInput as error:
        fault = error.findings[0]
        message = f"the values of {component.name} name no image for {entry['name']}: {fault.message}"
        paths = ", ".join(f"{component.name}:{path}" for path in entry["values"].values())
        raise InvalidInput(fault.rule, message, subject=f"component {component.name}", fix=f"correct {paths}") from None
