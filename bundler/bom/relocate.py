"""Apply a relocation: to every image of every object, and to the values of every chart that names one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bundler.bom.chart_images import chart_images
from bundler.bom.known import Known
from bundler.bom.relocation import relocated
from bundler.catalog.image_fields import image_fields
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.kube.references import Form, references
from bundler.model.finding import Finding
from bundler.model.plain import copied
from bundler.model.pointer import parent, resolve, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bundler.bom.chart_images import ChartImage
    from bundler.catalog.catalog import Catalog
    from bundler.kube.references import Declared, Reference
    from bundler.kube.resource import Resource
    from bundler.model.composition import Component, Composition
    from bundler.model.document import JsonObject
    from bundler.model.relocation import Relocation

__all__ = ["Mirror"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mirror:
    """A relocation with what it takes to apply it to the objects and components of one composition."""

    relocation: Relocation
    catalog: Catalog
    declared: Declared
    known: Known

    @classmethod
    def of(cls, relocation: Relocation, composition: Composition, catalog: Catalog) -> Mirror:
        """The mirror for one composition."""
        known = Known.of(catalog, composition.components)
        return cls(relocation=relocation, catalog=catalog, declared=catalog.derived(image_fields), known=known)

    def resource(self, resource: Resource) -> Resource:
        """The object with every image pulled from the mirror.

        Raises:
            InvalidInput: an image has no place in the mirror, or stands where it cannot be replaced.
        """
        found = [*references(resource.data, self.declared)]
        if findings := [*self._fixed(resource, found)]:
            raise InvalidInput.of(findings)
        data = copied(resource.data)
        for reference in found:
            target = self._target(reference.text)
            if target == reference.text:
                continue
            if reference.form is Form.PARTS:
                for pointer, value in _new_parts(reference, target).items():
                    _put(data, pointer, value)
            else:
                # What stands before the reference in the same text is its flag.
                _put(data, reference.pointer, resolve(data, reference.pointer).removesuffix(reference.text) + target)
        return replace(resource, data=data)

    def component(self, component: Component) -> Component:
        """The component with values that let its chart pull from the mirror.

        Raises:
            InvalidInput: an image has no place in the mirror, or the chart has no value for its name.
        """
        values = copied(component.values)
        written: dict[str, str] = {}
        for image in chart_images(self.catalog, component):
            target = self._target(str(image.image))
            if target == str(image.image):
                continue
            for path, value in _new_values(image, target):
                if written.setdefault(path, value) != value:
                    message = f"{component.name}:{path} would have to be both {written[path]!r} and {value!r}"
                    fix = "relocate both images alike"
                    raise InvalidInput("AICR-I012", message, subject=f"component {component.name}", fix=fix)
                _set(values, path.split("."), value)
        return replace(component, values=values)

    def _target(self, text: str) -> str:
        return relocated(text, self.relocation, self.known)

    def _fixed(self, resource: Resource, found: Iterable[Reference]) -> Iterator[Finding]:
        """References that name an image and cannot be replaced."""
        for reference in found:
            if reference.form is Form.UNKNOWN:
                where = f"is what {reference.name!r} holds"
            elif reference.form is Form.TEXT and self._target(reference.text) != reference.text:
                where = "stands in a longer text"
            else:
                continue
            yield Finding(
                rule="AICR-I016",
                message=f"{reference.text!r} {where}, where it cannot be replaced by the mirror's",
                location=resource.locate(reference.pointer),
                pointer=reference.pointer,
                subject=resource.subject,
                fix="give the image a field, a variable or a flag of its own",
            )


def _new_parts(reference: Reference, target: str) -> dict[str, str]:
    """Pointer → the part of the new name that belongs there; tag and digest stay."""
    name = _name(target)
    parts = reference.parts
    changed: dict[str, str] = {}
    if "image" in parts:
        name, _, changed[parts["image"]] = name.rpartition("/")
    if "registry" in parts:
        changed[parts["registry"]], _, name = name.partition("/")
    return changed | {parts["repository"]: name}


def _new_values(image: ChartImage, target: str) -> Iterator[tuple[str, str]]:
    """Value path → the part of the new name that belongs there, where it is another than before."""
    before, after = image.image.name, _name(target)
    parts: tuple[tuple[str, str, str], ...]
    match image.values:
        case {"name": path}:
            parts = ((path, before, after),)
        case {"registry": registry, "repository": repository}:
            (old_host, _, old), (host, _, rest) = before.partition("/"), after.partition("/")
            parts = ((registry, old_host, host), (repository, old, rest))
        case {"prefix": prefix, "image": last}:
            (old_prefix, _, old), (new_prefix, _, step) = before.rpartition("/"), after.rpartition("/")
            parts = ((prefix, old_prefix, new_prefix), (last, old, step))
        case _:
            message = f"chart of {image.component} has no value for the name of its image {str(image.image)!r}"
            fix = f"mirror it by the container runtime, or add its values to bom/charts/{image.component}.yaml"
            raise InvalidInput("AICR-I017", message, subject=f"component {image.component}", fix=fix)
    return ((path, new) for path, old, new in parts if old != new)


def _name(reference: str) -> str:
    """A reference without tag and digest."""
    name = reference.partition("@")[0]
    head, slash, last = name.rpartition("/")
    return f"{head}{slash}{last.partition(':')[0]}"


def _put(data: Any, pointer: str, value: str) -> None:
    owner = resolve(data, parent(pointer))
    step = tokens(pointer)[-1]
    owner[int(step) if isinstance(owner, list) else step] = value


def _set(values: JsonObject, path: list[str], value: str) -> None:
    for key in path[:-1]:
        values = values.setdefault(key, {})
    values[path[-1]] = value
