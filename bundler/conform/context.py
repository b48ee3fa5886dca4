"""What a rule may look at besides the object in front of it, and how it states what it found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from typing import TYPE_CHECKING, Any

from bundler.catalog.image_fields import image_fields
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.kube.image import Image
from bundler.kube.references import references_of
from bundler.kube.resource import Resource
from bundler.model.finding import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bundler.catalog.catalog import Catalog
    from bundler.kube.references import Declared, Reference
    from bundler.model.composition import Composition
    from bundler.model.document import JsonObject

__all__ = ["Context", "Facts", "Kind", "OwnRule", "Rule", "found", "own"]

INDEX = "kube/index"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What we know of one kind of object.

    Attributes:
        scope: `Namespaced` or `Cluster`.
        schema: name of its structural schema; empty when there is none for the version in use.
        component: the component whose version decides the schema; empty for native kinds.
        versions: versions of that component with a schema.
    """

    scope: str
    schema: str
    component: str = ""
    versions: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Facts:
    """What rules compare with, of one catalogue: read once and kept as long as the catalogue is.

    Attributes:
        kinds: `apiVersion kind` → entry of `schemas/kube/index.json`.
        images: registry and repository → the entries of `bom/images.yaml` for it.
        declared: which fields name images.
    """

    catalog: Catalog = field(repr=False)
    kinds: Mapping[str, JsonObject] = field(repr=False)
    images: Mapping[str, tuple[JsonObject, ...]] = field(repr=False)
    declared: Declared
    _machines: dict[str, dict[str, JsonObject]] = field(default_factory=dict, repr=False)
    _schemas: dict[str, JsonObject] = field(default_factory=dict, repr=False)
    _tables: dict[str, JsonObject] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, catalog: Catalog) -> Facts:
        """The facts of a catalogue."""
        return cls(
            catalog=catalog,
            kinds=catalog.schema(INDEX)["kinds"],
            images=_by_name(catalog.images),
            declared=catalog.derived(image_fields),
        )

    def schema(self, name: str) -> JsonObject:
        """A structural schema by its name in the index."""
        if name not in self._schemas:
            self._schemas[name] = self.catalog.schema(name)
        return self._schemas[name]

    def machines(self, service: str | None) -> dict[str, JsonObject]:
        """The machine types of a service, by name; empty when it has no table."""
        if service is None or service not in self.catalog.machine_tables:
            return {}
        if service not in self._machines:
            self._machines[service] = {row["name"]: row for row in self.catalog.machine_table(service).data["machines"]}
        return self._machines[service]

    def table(self, name: str) -> JsonObject:
        """The data of a release table."""
        if name not in self._tables:
            self._tables[name] = self.catalog.release_table(name).data
        return self._tables[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The rest of the bundle, and the facts that rules compare with.

    Attributes:
        first: identity → the first object that has it.
    """

    composition: Composition
    facts: Facts
    first: Mapping[tuple[str, str, str, str], Resource] = field(repr=False)

    @classmethod
    def of(cls, resources: tuple[Resource, ...], composition: Composition, catalog: Catalog) -> Context:
        """The context of a whole bundle."""
        first: dict[tuple[str, str, str, str], Resource] = {}
        for resource in resources:
            if isinstance(resource.data.get("metadata"), dict):
                first.setdefault(resource.identity, resource)
        return cls(composition=composition, facts=catalog.derived(Facts.of), first=first)

    def kind(self, resource: Resource) -> Kind | None:
        """What is known of the object's kind, or None."""
        entry = self.facts.kinds.get(f"{resource.api_version} {resource.kind}")
        if entry is None:
            return None
        if "schema" in entry:
            return Kind(scope=entry["scope"], schema=entry["schema"])
        return Kind(
            scope=entry["scope"],
            schema=entry["versions"].get(self.version(entry["component"]), ""),
            component=entry["component"],
            versions=tuple(entry["versions"]),
        )

    def version(self, component: str) -> str:
        """The version of a component, without a leading `v`; empty when the bundle is without it."""
        found = self.composition.component(component)
        return found.version.removeprefix("v") if found else ""

    def references(self, resource: Resource) -> tuple[Reference, ...]:
        """Every image reference of the object, found once."""
        return resource.derived(references_of, self.facts.declared)

    def recorded(self, image: Image) -> JsonObject | None:
        """The entry of `bom/images.yaml` for an image: by digest where both have one, else by tag."""
        entries = self.facts.images.get(image.name, ())
        by_digest = (entry for entry in entries if image.digest and entry.get("digest") == image.digest)
        by_tag = (entry for entry in entries if image.tag and entry.get("tag") == image.tag)
        return next(by_digest, None) or next(by_tag, None)


Rule = Callable[[Resource, Context], Iterator[Finding]]
"""One requirement on one object. A rule is pure: it reads the object and the context, and yields what it found."""


OwnRule = Callable[[Resource], Iterator[Finding]]
"""A requirement on what stands in the object itself."""


def own(*rules: OwnRule) -> Rule:
    """Rules that look at nothing but the object, as one; what they find is kept with the object, which bundles share."""

    def kept(resource: Resource) -> tuple[Finding, ...]:
        return tuple(finding for rule in rules for finding in rule(resource))

    return lambda resource, _context: iter(resource.derived(kept))


def found(resource: Resource, rule: str, pointer: str, message: str, fix: str, *, severity: Severity = Severity.ERROR) -> Finding:
    """A finding about `pointer` of an object, placed at the template line that wrote it."""
    return Finding(
        rule=rule,
        message=message,
        severity=severity,
        location=resource.locate(pointer),
        pointer=pointer,
        subject=resource.subject if isinstance(resource.data.get("metadata"), dict) else resource.kind,
        fix=fix,
    )


def _by_name(entries: Mapping[str, JsonObject]) -> dict[str, tuple[JsonObject, ...]]:
    named: dict[str, tuple[Any, ...]] = {}
    for entry in entries.values():
        try:
            name = Image.parse(entry["repository"]).name
        except InvalidInput:
            continue  # `aicr lint` reports a malformed entry; here it merely matches no image.
        named[name] = (*named.get(name, ()), entry)
    return named
