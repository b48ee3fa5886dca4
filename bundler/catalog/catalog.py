"""The catalogue: all authored data, found by kind and name."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar

from bundler.catalog.machines import undeclared_facts
from bundler.catalog.memory import Memory
from bundler.catalog.registry import ComponentEntry, read_entries
from bundler.catalog.replacement import replacements
from bundler.catalog.store import Store, nearest
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bundler.catalog.files import DataFiles
    from bundler.catalog.validation import Validator
    from bundler.model.document import Document, JsonObject
    from bundler.model.finding import Finding
    from bundler.model.location import Location

__all__ = ["KINDS", "Catalog", "TemplateSource"]

KINDS = (
    "Base",
    "Overlay",
    "Recipe",
    "Profile",
    "Registry",
    "ReleaseTable",
    "MachineTable",
    "TransportTable",
    "ImageTable",
    "ImageFields",
    "ChartImages",
    "Contract",
    "ChangeTable",
    "CertificationEntry",
    "CertificationOverlay",
    "CriteriaTable",
    "CapabilityTable",
    "ReadinessTable",
    "GpuDefaults",
    "PlatformTable",
    "ClusterFacts",
)
"""Kinds of authored documents; the schema of each is `schemas/<kind in lower case>.json`."""

_Derived = TypeVar("_Derived")

_REMEMBERED = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateSource:
    """A template's text.

    Attributes:
        name: relative to `manifests/`, such as `runtimes/torch-distributed.yaml.j2`.
        file: the path that messages show.
        digest: `sha256:<hex>` of its bytes.
    """

    name: str
    file: str
    text: str = field(repr=False)
    digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Documents(Mapping[str, "Document"]):
    """Documents by name, read when they are asked for."""

    store: Store
    kind: str
    paths: Mapping[str, str]

    def __getitem__(self, name: str) -> Document:
        return self.store.united(self.paths[name], kind=self.kind)

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)


@dataclass(frozen=True, kw_only=True)
class Catalog:
    """Authored data as documents, entries, templates and schemas.

    Attributes:
        store: where the files are.
        memory: what was made of this catalogue and of other inputs before.
    """

    store: Store
    memory: Memory = field(default_factory=partial(Memory, _REMEMBERED), repr=False, compare=False)
    _made: dict[Callable[[Catalog], Any], Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def load(cls, data: Path | None = None) -> Catalog:
        """The packaged data and, above it, a directory of the user's that adds to it or replaces by kind and name.

        Raises:
            NotFound: `data` does not exist.
            InvalidInput: `data` is no directory, or holds what must not be followed.
        """
        return cls(store=Store.index(data))

    @property
    def sources(self) -> tuple[DataFiles, ...]:
        """The packaged data, then what `--data` named."""
        return self.store.sources

    @property
    def data(self) -> Path | None:
        """The `--data` directory, or None."""
        return self.sources[1].root if len(self.sources) > 1 else None

    def derived(self, build: Callable[[Catalog], _Derived]) -> _Derived:
        """What `build` makes of this catalogue, made once and kept as long as the catalogue is."""
        if build not in self._made:
            self._made[build] = build(self)
        made: _Derived = self._made[build]
        return made

    @property
    def notes(self) -> tuple[Finding, ...]:
        """What the user should know of the `--data` directory and of its documents read so far.

        Raises:
            InvalidInput: a recipe replaces a packaged one and drops a profile that it declares.
        """
        return () if self.data is None else (*self._replacements, *self.store.notes)

    @cached_property
    def _replacements(self) -> tuple[Finding, ...]:
        return (*self.sources[1].notes, *replacements(self.store, self._overlays))

    # Documents

    @cached_property
    def base(self) -> Document:
        """`recipes/base.yaml`."""
        return self.store.document("recipes/base.yaml", kind="Base")

    @cached_property
    def recipes(self) -> Mapping[str, Document]:
        """Recipes by name."""
        paths = {name: path for name, path in self.store.named("recipes", ".yaml").items() if name not in {"base", "registry"}}
        return _Documents(store=self.store, kind="Recipe", paths=paths)

    @cached_property
    def profiles(self) -> Mapping[str, Document]:
        """Profile declarations by axis; a value of `--data` is added, or replaces the packaged one of the same name."""
        return _Documents(store=self.store, kind="Profile", paths=self.store.named("recipes/profiles", ".yaml"))

    @cached_property
    def overlays(self) -> tuple[Document, ...]:
        """All overlays, by name. An overlay of `--data` replaces the packaged one of the same name, wherever it stands."""
        return tuple(documents[-1] for _, documents in sorted(self._overlays.items()))

    @cached_property
    def _overlays(self) -> dict[str, tuple[Document, ...]]:
        found: dict[str, tuple[Document, ...]] = {}
        for source in self.sources:
            for path in source.below("overlays", ".yaml"):
                if not path.startswith("overlays/certification/"):
                    document = self.store.document_of(source, path, kind="Overlay")
                    found[document.name] = (*found.get(document.name, ()), document)
        return found

    @cached_property
    def registry(self) -> Mapping[str, ComponentEntry]:
        """Components by name; an entry of `--data` replaces the packaged entry whole."""
        values = {
            name.removesuffix("/values"): self.store.document(path)
            for name, path in self.store.named("recipes/components", ".yaml", deep=True).items()
            if name.endswith("/values")
        }
        entries: dict[str, ComponentEntry] = {}
        for document in self.store.every("recipes/registry.yaml", kind="Registry"):
            entries |= read_entries(document, values)
        return {name: entries[name] for name in sorted(entries)}

    @cached_property
    def agreements(self) -> tuple[tuple[JsonObject, Location], ...]:
        """What components must agree on, with where that is stated: of the packaged registry, then of `--data`."""
        return tuple(
            (agreement, document.locate(f"/agreements/{index}"))
            for document in self.store.every("recipes/registry.yaml", kind="Registry")
            for index, agreement in enumerate(document.data.get("agreements", ()))
        )

    @cached_property
    def images(self) -> Mapping[str, JsonObject]:
        """Named images (`bom/images.yaml`); an entry of `--data` replaces the packaged one of the same name."""
        documents = self.store.every("bom/images.yaml", kind="ImageTable")
        found = {image["name"]: image for document in documents for image in document.data["images"]}
        return {name: found[name] for name in sorted(found)}

    def release_table(self, name: str) -> Document:
        """`bom/releases/<name>.yaml`.

        Raises:
            InvalidInput: there is no such table.
        """
        tables = self.store.named("bom/releases", ".yaml")
        if name not in tables:
            raise InvalidInput("AICR-S017", f"no release table {name!r} in bom/releases", fix=nearest(name, tables))
        return self.store.document(tables[name], kind="ReleaseTable")

    @cached_property
    def machine_tables(self) -> Mapping[str, str]:
        """Machine tables, which are named after a service or a kind of site: name → relative path."""
        return self.store.named("bom/machines", ".yaml")

    def machine_table(self, name: str) -> Document:
        """`bom/machines/<name>.yaml`; a machine of `--data` is added, or replaces the packaged one of the same name.

        Raises:
            InvalidInput: there is no such table, or a row states a fact that is described nowhere.
        """
        if name not in self.machine_tables:
            raise InvalidInput("AICR-S022", f"no machine table {name!r} in bom/machines", fix=nearest(name, self.machine_tables))
        path = self.machine_tables[name]
        documents = self.store.every(path, kind="MachineTable")
        if findings := tuple(undeclared_facts(documents, self.schema("machinetable"))):
            raise InvalidInput.of(findings)
        return self.store.united(path, kind="MachineTable")

    def document(self, relative: str, *, kind: str = "") -> Document:
        """The document at a relative path; see `Store.document`."""
        return self.store.document(relative, kind=kind)

    def open(self, path: Path, *, kinds: tuple[str, ...]) -> Document:
        """A document outside the catalogue; see `Store.open`."""
        return self.store.open(path, kinds=kinds)

    # Templates, fragments and schemas

    @cached_property
    def templates(self) -> tuple[str, ...]:
        """The names of all templates, sorted."""
        return tuple(f"{name}.j2" for name in self.store.named("manifests", ".j2", deep=True))

    def template(self, name: str) -> TemplateSource:
        """A template by its name below `manifests/`. The index holds only files inside the data directories, so no name leads out.

        Raises:
            InvalidInput: there is no such template, or it is not UTF-8.
        """
        path = f"manifests/{name}"
        source = self.store.source(path)
        if source is None or not name.endswith(".j2"):
            raise InvalidInput("AICR-S018", f"no template {name!r} in manifests", fix=nearest(name, self.templates))
        raw = source.read(path)
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            location = source.location(path)
            raise InvalidInput("AICR-S019", "template is not UTF-8", location=location, fix="save it as UTF-8") from None
        return TemplateSource(name=name, file=source.shown(path), text=text, digest=f"sha256:{hashlib.sha256(raw).hexdigest()}")

    def fragment(self, name: str) -> Any:
        """The data of `manifests/fragments/<name>.yaml`.

        Raises:
            InvalidInput: there is no such fragment.
        """
        fragments = self.store.named("manifests/fragments", ".yaml")
        if name not in fragments:
            raise InvalidInput("AICR-S018", f"no fragment {name!r} in manifests/fragments", fix=nearest(name, fragments))
        return self.store.document(fragments[name]).data

    @property
    def schemas(self) -> Mapping[str, JsonObject]:
        """Schemas of authored documents and of written ones, by name."""
        return self.store.schemas

    def schema(self, name: str) -> JsonObject:
        """`schemas/<name>.json`; a name may lead into a sub-folder.

        Raises:
            InvalidInput: there is no such schema.
        """
        if name in self.schemas:
            return self.schemas[name]
        path = f"schemas/{name}.json"
        if self.store.source(path) is None:
            raise InvalidInput("AICR-S018", f"no schema {name!r}", fix=nearest(name, self.schemas))
        return self.store.json(path)

    def siblings(self, name: str) -> Mapping[str, JsonObject]:
        """The schemas that a schema refers to, directly or not, by `$id`."""
        return self.store.siblings(name)

    def values_schema(self, component: str) -> JsonObject | None:
        """`schemas/values/<component>.json`, or None."""
        path = f"schemas/values/{component}.json"
        return self.store.json(path) if self.store.source(path) is not None else None

    def validator(self, name: str) -> Validator:
        """The compiled schema `schemas/<name>.json`, which may refer to its siblings."""
        return self.store.validator(name)
