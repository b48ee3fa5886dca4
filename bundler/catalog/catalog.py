"""The catalogue: all authored data, found by kind and name, each file parsed at most once.

Packaged data comes first; a `--data` directory adds to it or replaces by kind and name. What comes from outside the package is
validated when it is read; the packaged data is validated by `aicr lint` in CI.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from bundler.catalog.files import DataFiles, read_file
from bundler.catalog.registry import ComponentEntry, read_entries
from bundler.catalog.root import packaged_root
from bundler.catalog.validation import Validator
from bundler.errors import InvalidInput
from bundler.model.finding import Finding, Severity
from bundler.model.location import Location
from bundler.yamlio.reader import read

if TYPE_CHECKING:
    from collections.abc import Callable

    from bundler.model.document import Document, JsonObject

__all__ = ["KINDS", "Catalog", "TemplateSource"]

KINDS = ("Base", "Overlay", "Recipe", "Profile", "Registry", "ReleaseTable", "ImageTable")
"""Kinds of authored documents; the schema of each is `schemas/<kind in lower case>.json`."""


_Derived = TypeVar("_Derived")


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

    catalog: Catalog
    kind: str
    paths: Mapping[str, str]

    def __getitem__(self, name: str) -> Document:
        return self.catalog.document(self.paths[name], kind=self.kind)

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)


@dataclass(frozen=True, kw_only=True)
class Catalog:
    """Authored data of one or two directories.

    Attributes:
        sources: the packaged data, then what `--data` named; later wins.
    """

    sources: tuple[DataFiles, ...]
    _parsed: dict[str, Document] = field(default_factory=dict, repr=False, compare=False)
    _made: dict[Callable[[Catalog], Any], Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def load(cls, data: Path | None = None) -> Catalog:
        """Index the packaged data and, above it, a directory of the user's.

        Raises:
            NotFound: `data` does not exist.
            InvalidInput: `data` is no directory, or holds what must not be followed.
        """
        sources = [DataFiles.index(packaged_root(), label="")]
        if data is not None:
            sources.append(DataFiles.index(data, label=str(data)))
        return cls(sources=tuple(sources))

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

    # Documents by kind

    @cached_property
    def base(self) -> Document:
        """`recipes/base.yaml`."""
        return self.document("recipes/base.yaml", kind="Base")

    @cached_property
    def recipes(self) -> Mapping[str, Document]:
        """Recipes by name."""
        return _Documents(catalog=self, kind="Recipe", paths={Path(path).stem: path for path in self._recipe_paths})

    @cached_property
    def _recipe_paths(self) -> tuple[str, ...]:
        return tuple(path for name, path in self._named("recipes", ".yaml").items() if name not in {"base", "registry"})

    @cached_property
    def profiles(self) -> Mapping[str, Document]:
        """Profile declarations by axis."""
        return _Documents(catalog=self, kind="Profile", paths=self._named("recipes/profiles", ".yaml"))

    @cached_property
    def overlays(self) -> tuple[Document, ...]:
        """All overlays, by name. An overlay of `--data` replaces the packaged one of the same name, wherever it stands."""
        found: dict[str, Document] = {}
        for source in self.sources:
            for path in source.below("overlays", ".yaml"):
                if not path.startswith("overlays/certification/"):
                    document = self._read(source, path, kind="Overlay")
                    found[document.name] = document
        return tuple(found[name] for name in sorted(found))

    @cached_property
    def registry(self) -> Mapping[str, ComponentEntry]:
        """Components by name; an entry of `--data` replaces the packaged entry whole."""
        values = {
            name.removesuffix("/values"): self.document(path)
            for name, path in self._named("recipes/components", ".yaml").items()
            if name.endswith("/values")
        }
        entries: dict[str, ComponentEntry] = {}
        for source in self.sources:
            if "recipes/registry.yaml" in source.paths:
                entries |= read_entries(self._read(source, "recipes/registry.yaml", kind="Registry"), values)
        return {name: entries[name] for name in sorted(entries)}

    def release_table(self, name: str) -> Document:
        """`bom/releases/<name>.yaml`.

        Raises:
            InvalidInput: there is no such table.
        """
        tables = self._named("bom/releases", ".yaml")
        if name not in tables:
            raise InvalidInput("AICR-S017", f"no release table {name!r} in bom/releases", fix=_nearest(name, tables))
        return self.document(tables[name], kind="ReleaseTable")

    @cached_property
    def images(self) -> Mapping[str, JsonObject]:
        """Named images (`bom/images.yaml`); an entry of `--data` replaces the packaged one of the same name."""
        found: dict[str, JsonObject] = {}
        for source in self.sources:
            if "bom/images.yaml" in source.paths:
                document = self._read(source, "bom/images.yaml", kind="ImageTable")
                found |= {image["name"]: image for image in document.data["images"]}
        return {name: found[name] for name in sorted(found)}

    # Templates, fragments and schemas

    @cached_property
    def templates(self) -> tuple[str, ...]:
        """The names of all templates, sorted."""
        return tuple(
            sorted({path.removeprefix("manifests/") for source in self.sources for path in source.below("manifests", ".j2")})
        )

    def template(self, name: str) -> TemplateSource:
        """A template by its name below `manifests/`. The index holds only files inside the data directories, so no name leads out.

        Raises:
            InvalidInput: there is no such template, or it is not UTF-8.
        """
        source = self._source(f"manifests/{name}")
        if source is None or name not in self.templates:
            raise InvalidInput("AICR-S018", f"no template {name!r} in manifests", fix=_nearest(name, self.templates))
        shown = source.shown(f"manifests/{name}")
        raw = source.read(f"manifests/{name}")
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            raise InvalidInput(
                "AICR-S019", "template is not UTF-8", location=Location(file=shown), fix="save it as UTF-8"
            ) from None
        return TemplateSource(name=name, file=shown, text=text, digest=_digest(raw))

    def fragment(self, name: str) -> Any:
        """The data of `manifests/fragments/<name>.yaml`.

        Raises:
            InvalidInput: there is no such fragment.
        """
        fragments = self._named("manifests/fragments", ".yaml")
        if name not in fragments:
            raise InvalidInput("AICR-S018", f"no fragment {name!r} in manifests/fragments", fix=_nearest(name, fragments))
        return self.document(fragments[name]).data

    @cached_property
    def schemas(self) -> Mapping[str, JsonObject]:
        """Schemas of authored documents and of written ones, by name."""
        return {name: self._json(path) for name, path in self._named("schemas", ".json").items() if "/" not in name}

    def schema(self, name: str) -> JsonObject:
        """`schemas/<name>.json`.

        Raises:
            InvalidInput: there is no such schema.
        """
        schemas = self._named("schemas", ".json")
        if name not in schemas:
            raise InvalidInput("AICR-S018", f"no schema {name!r}", fix=_nearest(name, [key for key in schemas if "/" not in key]))
        return self._json(schemas[name])

    def values_schema(self, component: str) -> JsonObject | None:
        """`schemas/values/<component>.json`, or None."""
        path = f"schemas/values/{component}.json"
        return self._json(path) if self._source(path) is not None else None

    # Reading

    def document(self, relative: str, *, kind: str = "") -> Document:
        """The document at `relative` of the last source that has it.

        Args:
            relative: path below the data directory.
            kind: the kind it must have; empty for plain data.

        Raises:
            InvalidInput: it is missing or malformed.
        """
        source = self._source(relative)
        if source is None:
            raise InvalidInput("AICR-S018", f"authored data has no file {relative!r}", fix="restore the file")
        return self._read(source, relative, kind=kind)

    def open(self, path: Path, *, kinds: tuple[str, ...]) -> Document:
        """A document outside the catalogue, validated by the schema of its kind where the catalogue has one.

        Raises:
            NotFound: there is no such file.
            InvalidInput: it is malformed or of another kind.
        """
        document = read(read_file(path, shown=str(path)), str(path))
        if document.kind not in kinds:
            _refuse_kind(document, kinds)
        self._validate(document, document.kind)
        return document

    @cached_property
    def notes(self) -> tuple[Finding, ...]:
        """What the user should know of a `--data` directory: nothing that it replaces is replaced in silence.

        Raises:
            InvalidInput: a recipe replaces a packaged one and drops a profile that it declares.
        """
        if len(self.sources) == 1:
            return ()
        packaged, extra = self.sources
        notes = list(extra.notes)
        for path in extra.paths:
            if path in packaged.paths:
                if path in self._recipe_paths:
                    before, after = (self._read(source, path, kind="Recipe") for source in self.sources)
                    _refuse_lost_profiles(before, after)
                notes.append(_replaced(path, extra.shown(path)))
        return tuple(notes)

    def validator(self, name: str) -> Validator:
        """The compiled schema `schemas/<name>.json`, which may refer to its siblings."""
        siblings = {schema["$id"]: schema for schema in self.schemas.values() if "$id" in schema}
        return Validator.of(self.schema(name), siblings=siblings, shown=f"schemas/{name}.json")

    @cached_property
    def _validators(self) -> dict[str, Validator]:
        return {}

    def _source(self, relative: str) -> DataFiles | None:
        return next((source for source in reversed(self.sources) if relative in source.paths), None)

    def _named(self, folder: str, suffix: str) -> dict[str, str]:
        """File name without suffix, relative to `folder` → path; `recipes` and `recipes/profiles` are taken without sub-folders."""
        found = sorted({path for source in self.sources for path in source.below(folder, suffix)})
        named = {path.removeprefix(f"{folder}/").removesuffix(suffix): path for path in found}
        flat = folder in {"recipes", "recipes/profiles"}
        return {name: path for name, path in named.items() if not (flat and "/" in name)}

    def _read(self, source: DataFiles, relative: str, *, kind: str = "") -> Document:
        shown = source.shown(relative)
        if shown in self._parsed:
            return self._parsed[shown]
        document = read(source.read(relative), shown)
        if kind and document.kind != kind:
            _refuse_kind(document, (kind,))
        if kind and source is not self.sources[0]:
            self._validate(document, kind)
        if kind in {"Recipe", "Profile", "ReleaseTable"} and document.name != Path(relative).stem:
            message = f"metadata.name is {document.name!r}, the file is named {Path(relative).name!r}"
            fix = f"name the file {document.name}.yaml"
            raise InvalidInput("AICR-S008", message, location=document.locate("/metadata/name"), pointer="/metadata/name", fix=fix)
        self._parsed[shown] = document
        return document

    def _validate(self, document: Document, kind: str) -> None:
        name = kind.lower()
        if f"schemas/{name}.json" not in self.sources[0].paths:
            return
        if name not in self._validators:
            self._validators[name] = self.validator(name)
        if findings := self._validators[name].check(document.data, document=document):
            raise InvalidInput.of(findings)

    def _json(self, relative: str) -> JsonObject:
        source = self._source(relative)
        assert source is not None
        try:
            data: JsonObject = json.loads(source.read(relative))
        except (ValueError, RecursionError) as error:
            location = Location(file=source.shown(relative), line=getattr(error, "lineno", 1), column=getattr(error, "colno", 1))
            raise InvalidInput("AICR-S009", "schema is not JSON", location=location, fix="correct the syntax") from None
        return data


def _refuse_kind(document: Document, kinds: tuple[str, ...]) -> NoReturn:
    message = f"kind is {document.kind!r}, not {' or '.join(kinds)}"
    fix = _nearest(document.kind, kinds) if len(kinds) > 1 else f"write `kind: {kinds[0]}`"
    raise InvalidInput("AICR-S007", message, location=document.locate("/kind"), pointer="/kind", fix=fix)


def _digest(raw: bytes) -> str:
    return f"sha256:{hashlib.sha256(raw).hexdigest()}"


def _nearest(name: str, known: Mapping[str, Any] | tuple[str, ...] | list[str]) -> str:
    near = get_close_matches(name, list(known), n=1)
    return f"did you mean {near[0]!r}?" if near else f"known: {', '.join(sorted(known))}"


def _refuse_lost_profiles(before: Document, after: Document) -> None:
    lost = sorted(set(before.data.get("profiles", {})) - set(after.data.get("profiles", {})))
    if lost:
        message = f"recipe replaces a packaged one and no longer declares the profile {', '.join(lost)}"
        fix = "declare the same profiles, or give the recipe another name"
        raise InvalidInput("AICR-S020", message, location=after.locate("/profiles"), pointer="/profiles", fix=fix)


def _replaced(path: str, shown: str) -> Finding:
    return Finding(
        rule="AICR-S021",
        message=f"replaces the packaged {path}",
        severity=Severity.NOTE,
        location=Location(file=shown),
        fix="give it another name to add instead of replacing",
    )
