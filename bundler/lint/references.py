"""References between authored files: every name that is used exists, and every file that exists is used."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from bundler.certify.entries import RUN_TEMPLATE, entries, overlays
from bundler.compose.agreements import value_paths
from bundler.compose.index import Index
from bundler.compose.wording import nearest
from bundler.dataclass import dataclass
from bundler.evidence.transports import TABLE, Transports
from bundler.model.finding import Finding, Severity
from bundler.model.location import Location
from bundler.model.pointer import join
from bundler.profiles.axes import Axes
from bundler.profiles.machines import listed_types
from bundler.publish.readme import TEMPLATES
from bundler.render.prepared import MANIFEST, prepare
from bundler.render.render import fixture_template, runtime_template
from bundler.trainer.derive import BENCHMARKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bundler.catalog.catalog import Catalog
    from bundler.certify.entries import Entry
    from bundler.compose.layer import AuthoredLayer
    from bundler.model.document import Document

__all__ = ["check_layer", "check_references"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reference:
    """A name that stands somewhere.

    Attributes:
        kind: what it names: `template`, `fragment`, `image` or `component`.
        prefix: whether the name is only how it begins; the rest is computed.
    """

    kind: str
    name: str
    location: Location = field(compare=False)
    prefix: bool = False

    def means(self, name: str) -> bool:
        """Whether it may be this name."""
        return name.startswith(self.name) if self.prefix else name == self.name


def check_references(catalog: Catalog) -> Iterator[Finding]:
    """Dangling references of all layers, of the registry and of all templates; and templates, fragments and images nobody uses."""
    known = _known(catalog)
    references = [*_of_layers(catalog), *_of_registry(catalog), *_of_templates(catalog), *_of_benchmarks()]
    references += _of_certification(catalog)
    yield from _dangling(references, known)
    yield from _unknown_values(catalog)
    yield from _unknown_machines(catalog)
    yield from _unknown_transports(catalog)
    for kind in ("template", "fragment", "image"):
        for name, location in known[kind].items():
            if not any(reference.kind == kind and reference.means(name) for reference in references):
                yield _unused(kind, name, location)


def check_layer(catalog: Catalog, document: Document) -> Iterator[Finding]:
    """Dangling references of one layer beside the catalogue."""
    layer = catalog.derived(Index.of).layer(document, label=document.name)
    yield from _dangling(_of_layer(layer), _known(catalog))


def _known(catalog: Catalog) -> dict[str, Mapping[str, Location]]:
    """Kind → name → where it stands."""
    fragments = catalog.store.named("manifests/fragments", ".yaml")
    return {
        "template": {name: _shown(catalog, f"manifests/{name}") for name in catalog.templates if name not in TEMPLATES},
        "fragment": {name: _shown(catalog, path) for name, path in fragments.items()},
        "image": dict.fromkeys(catalog.images, Location(file="bom/images.yaml")),
        "component": {name: entry.location for name, entry in catalog.registry.items()},
    }


def _shown(catalog: Catalog, path: str) -> Location:
    source = catalog.store.source(path)
    return source.location(path) if source is not None else Location(file=path)


def _of_layers(catalog: Catalog) -> Iterator[_Reference]:
    index = catalog.derived(Index.of)
    layers = [index.base, *(index.layer(overlay, label=overlay.name) for overlay in catalog.overlays)]
    layers += [index.recipe(recipe) for recipe in catalog.recipes.values()]
    layers += [value.layer for axis in catalog.derived(Axes.of).values() for value in axis.values.values()]
    for layer in layers:
        yield from _of_layer(layer)


def _of_layer(layer: AuthoredLayer) -> Iterator[_Reference]:
    for inclusion in layer.inclusions:
        yield _Reference(kind="component", name=inclusion.value, location=inclusion.location)
    for part in layer.components:
        for dependency in part.dependencies:
            yield _Reference(kind="component", name=dependency.value, location=dependency.location)
        for manifest in part.manifests:
            yield _Reference(kind="template", name=manifest.value, location=manifest.location)
    fixture = layer.body.get("fixture")
    if fixture is not None:
        yield _Reference(kind="template", name=fixture_template(fixture), location=layer.locate("/fixture"))
    for runtime in layer.runtimes:
        named = fixture_template if runtime.name == fixture else runtime_template
        yield _Reference(kind="template", name=named(runtime.name), location=runtime.location)


def _of_registry(catalog: Catalog) -> Iterator[_Reference]:
    for entry in catalog.registry.values():
        for name in entry.manifests:
            yield _Reference(kind="template", name=name, location=entry.location)
        for name in entry.dependencies:
            yield _Reference(kind="component", name=name, location=entry.location)
    for agreement, location in catalog.agreements:
        for component in sorted({path.partition(":")[0] for path in value_paths(agreement)}):
            yield _Reference(kind="component", name=component, location=location)


def _of_benchmarks() -> Iterator[_Reference]:
    for name in BENCHMARKS:
        yield _Reference(kind="fragment", name=name, location=Location(file="aicr runtime derive"))


def _of_certification(catalog: Catalog) -> Iterator[_Reference]:
    for entry in entries(catalog).values():
        yield _Reference(kind="template", name=entry.template, location=_declared(entry))
        yield from (_Reference(kind="image", name=name, location=_declared(entry)) for name in entry.images)
    for overlay in overlays(catalog):
        yield _Reference(kind="template", name=overlay.template, location=overlay.document.locate("/template"))
    table = catalog.release_table("tcpxo")
    for row in table.data["releases"]:
        for name in row.get("certification", {}).values():
            yield _Reference(kind="image", name=name, location=Location(file=table.file))
    yield _Reference(kind="template", name=RUN_TEMPLATE, location=Location(file="aicr workloadrun render"))


def _declared(entry: Entry) -> Location:
    return entry.location or Location(file=entry.key)


def _of_templates(catalog: Catalog) -> Iterator[_Reference]:
    for name in catalog.templates:
        source = catalog.template(name)
        for each in prepare(source, MANIFEST).mentions if name.endswith(".yaml.j2") else ():
            location = Location(file=source.file, line=each.line)
            yield _Reference(kind=each.kind, name=each.name, prefix=each.prefix, location=location)


def _unknown_values(catalog: Catalog) -> Iterator[Finding]:
    """Names on a recipe's list of accepted values that its axis does not have."""
    axes = catalog.derived(Axes.of)
    for recipe in catalog.recipes.values():
        for axis, declared in recipe.data.get("profiles", {}).items():
            for index, value in enumerate(declared.get("values", ())):
                if axis in axes and value not in axes[axis].values:
                    pointer = join(("profiles", axis, "values", index))
                    yield Finding(
                        rule="AICR-S031",
                        message=f"no value of {axis} is named {value!r}",
                        location=recipe.locate(pointer),
                        pointer=pointer,
                        fix=nearest(value, axes[axis].values),
                    )


def _unknown_machines(catalog: Catalog) -> Iterator[Finding]:
    """Machine types of a profile value that no table of its services has; a service without a table knows none."""
    for axis in catalog.derived(Axes.of).values():
        for value in axis.values.values():
            tables = [name for name in value.fits.get("service", ()) if name in catalog.machine_tables]
            known = {row["name"] for name in tables for row in catalog.machine_table(name).data["machines"]}
            for index, name in enumerate(listed_types(value)):
                if known and name not in known:
                    yield Finding(
                        rule="AICR-S031",
                        message=f"no machine is named {name!r} in bom/machines ({', '.join(tables)})",
                        location=value.layer.locate(join(("appliesTo", "machineTypes", index))),
                        fix=nearest(name, known),
                    )


def _unknown_transports(catalog: Catalog) -> Iterator[Finding]:
    """Transports of profile values that the table of transports does not have: no log would ever prove them."""
    known = catalog.derived(Transports.of).by_name
    for axis in catalog.derived(Axes.of).values():
        for value in axis.values.values():
            floor = value.layer.body.get("floor", {})
            stated = {"/transport": value.layer.body.get("transport"), "/floor/over": floor.get("over")}
            for pointer, name in stated.items():
                if name is not None and name not in known:
                    yield Finding(
                        rule="AICR-S031",
                        message=f"no transport is named {name!r} in {TABLE}",
                        location=value.layer.locate(pointer),
                        fix=nearest(name, known),
                    )


def _dangling(references: Iterable[_Reference], known: Mapping[str, Mapping[str, Location]]) -> Iterator[Finding]:
    for reference in references:
        if not any(map(reference.means, known[reference.kind])):
            yield Finding(
                rule="AICR-S031",
                message=f"no {reference.kind} is named {reference.name!r}",
                location=reference.location,
                fix=nearest(reference.name, known[reference.kind]),
            )


def _unused(kind: str, name: str, location: Location) -> Finding:
    return Finding(
        rule="AICR-S032",
        message=f"nothing uses the {kind} {name!r}",
        severity=Severity.WARNING,
        location=location,
        fix="remove it, or name it where it belongs",
    )
