"""The store: the files of one or two data directories, each parsed at most once.

Packaged data comes first; a `--data` directory is laid above it. What comes from outside the package is validated when it is
read; the packaged data is validated by `aicr lint` in CI.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import field
from difflib import get_close_matches
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from bundler.catalog.files import DataFiles, read_file
from bundler.catalog.root import packaged_root
from bundler.catalog.uniting import unite, united
from bundler.catalog.validation import Validator
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.model.location import Location
from bundler.yamlio.reader import read

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bundler.model.document import Document, JsonObject
    from bundler.model.finding import Finding

__all__ = ["Store", "nearest"]

_NAMED_BY_FILE = frozenset({"ChartImages", "MachineTable", "Profile", "Recipe", "ReleaseTable"})


@dataclass(frozen=True, kw_only=True)
class Store:
    """Files by relative path, from the last source that has them.

    Attributes:
        sources: the packaged data, then what `--data` named; later wins.
    """

    sources: tuple[DataFiles, ...]
    _parsed: dict[str, Document] = field(default_factory=dict, repr=False, compare=False)
    _united: dict[str, Document] = field(default_factory=dict, repr=False, compare=False)
    _validators: dict[str, Validator] = field(default_factory=dict, repr=False, compare=False)
    _named: dict[tuple[str, str, bool], Mapping[str, str]] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def index(cls, data: Path | None = None) -> Store:
        """Index the packaged data and, above it, a directory of the user's.

        Raises:
            NotFound: `data` does not exist.
            InvalidInput: `data` is no directory, or holds what must not be followed.
        """
        sources = [DataFiles.index(packaged_root(), label="")]
        if data is not None:
            sources.append(DataFiles.index(data, label=str(data)))
        return cls(sources=tuple(sources))

    def source(self, relative: str) -> DataFiles | None:
        """The last source that has the file, or None."""
        return next((source for source in reversed(self.sources) if relative in source.paths), None)

    def named(self, folder: str, suffix: str, *, deep: bool = False) -> Mapping[str, str]:
        """File name without suffix → relative path, sorted.

        Args:
            folder: relative folder.
            suffix: how the file names end.
            deep: whether files of sub-folders count, named by their path below `folder`.
        """
        if (known := self._named.get((folder, suffix, deep))) is None:
            found = sorted({path for source in self.sources for path in source.below(folder, suffix)})
            named = {path.removeprefix(f"{folder}/").removesuffix(suffix): path for path in found}
            known = self._named[folder, suffix, deep] = {name: path for name, path in named.items() if deep or "/" not in name}
        return known

    def document(self, relative: str, *, kind: str = "") -> Document:
        """The document at `relative`.

        Args:
            relative: path below the data directory.
            kind: the kind it must have; empty for plain data.

        Raises:
            InvalidInput: it is missing or malformed.
        """
        source = self.source(relative)
        if source is None:
            raise InvalidInput("AICR-S018", f"authored data has no file {relative!r}", fix="restore the file")
        return self.document_of(source, relative, kind=kind)

    def every(self, relative: str, *, kind: str = "") -> tuple[Document, ...]:
        """The documents at one path of every source that has it, the packaged one first; see `document`."""
        return tuple(self.document_of(source, relative, kind=kind) for source in self.sources if relative in source.paths)

    def united(self, relative: str, *, kind: str = "") -> Document:
        """The document at `relative`; where entries are added one by one, with those of every source. See `document`."""
        if relative not in self._united:
            last = self.document(relative, kind=kind)
            how = united(relative)
            self._united[relative] = last if how is None else unite(self.every(relative, kind=kind), how[1])
        return self._united[relative]

    def document_of(self, source: DataFiles, relative: str, *, kind: str = "") -> Document:
        """The document at `relative` of one source; see `document`."""
        shown = source.shown(relative)
        if shown in self._parsed:
            return self._parsed[shown]
        raw = source.read(relative)
        document = _packaged(raw, shown) if source is self.sources[0] else read(raw, shown)
        if kind and document.kind != kind:
            _refuse_kind(document, (kind,))
        if kind and source is not self.sources[0]:
            self._validate(document)
        if kind in _NAMED_BY_FILE and document.name != Path(relative).stem:
            message = f"metadata.name is {document.name!r}, the file is named {Path(relative).name!r}"
            fix = f"name the file {document.name}.yaml"
            raise InvalidInput("AICR-S008", message, location=document.locate("/metadata/name"), pointer="/metadata/name", fix=fix)
        self._parsed[shown] = document
        return document

    @property
    def notes(self) -> tuple[Finding, ...]:
        """What the reader had to mend in the documents read so far, such as Windows line ends."""
        return tuple(note for document in self._parsed.values() for note in document.notes)

    def open(self, path: Path, *, kinds: tuple[str, ...]) -> Document:
        """A document outside the data directories, validated by the schema of its kind where there is one.

        Raises:
            NotFound: there is no such file.
            InvalidInput: it is malformed or of another kind.
        """
        document = read(read_file(path, shown=str(path)), str(path))
        if document.kind not in kinds:
            _refuse_kind(document, kinds)
        self._validate(document)
        return document

    def json(self, relative: str) -> JsonObject:
        """The JSON file at `relative`, which must exist.

        Raises:
            InvalidInput: it is not JSON.
        """
        source = self.source(relative)
        assert source is not None
        data: JsonObject
        try:
            data = _packaged_json(source.read(relative)) if source is self.sources[0] else json.loads(source.read(relative))
        except (ValueError, RecursionError) as error:
            location = Location(file=source.shown(relative), line=getattr(error, "lineno", 1), column=getattr(error, "colno", 1))
            raise InvalidInput("AICR-S009", "schema is not JSON", location=location, fix="correct the syntax") from None
        return data

    @cached_property
    def schemas(self) -> Mapping[str, JsonObject]:
        """`schemas/<name>.json` by name, each read when it is asked for."""
        return _Schemas(store=self, paths=self.named("schemas", ".json"))

    def siblings(self, name: str) -> dict[str, JsonObject]:
        """The schemas that `schemas/<name>.json` refers to, and those to which these refer, by `$id`."""
        found: dict[str, JsonObject] = {}
        pending = [name]
        while pending:
            for other in set(_references(self.schemas[pending.pop()])) & self.schemas.keys():
                schema = self.schemas[other]
                if "$id" in schema and schema["$id"] not in found:
                    found[schema["$id"]] = schema
                    pending.append(other)
        return found

    def validator(self, name: str) -> Validator:
        """The compiled schema `schemas/<name>.json`, which may refer to its siblings."""
        if name not in self._validators:
            self._validators[name] = Validator.of(self.schemas[name], siblings=self.siblings(name), shown=f"schemas/{name}.json")
        return self._validators[name]

    def _validate(self, document: Document) -> None:
        name = document.kind.lower()
        if name in self.schemas and (findings := self.validator(name).check(document.data, document=document)):
            raise InvalidInput.of(findings)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Schemas(Mapping[str, "JsonObject"]):
    store: Store
    paths: Mapping[str, str]
    _read: dict[str, JsonObject] = field(default_factory=dict)

    def __getitem__(self, name: str) -> JsonObject:
        if name not in self._read:
            self._read[name] = self.store.json(self.paths[name])
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)


@lru_cache(maxsize=1024)
def _packaged(raw: bytes, shown: str) -> Document:
    """A packaged document, which every catalogue of the process shares."""
    return read(raw, shown)


@lru_cache(maxsize=1024)
def _packaged_json(raw: bytes) -> JsonObject:
    data: JsonObject = json.loads(raw)
    return data


def _references(schema: Any) -> Iterator[str]:
    """The names of the files that a schema refers to."""
    if isinstance(schema, dict):
        file, _, _ = schema["$ref"].partition("#") if isinstance(schema.get("$ref"), str) else ("", "", "")
        yield file.removesuffix(".json")
    for below in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from _references(below)


def nearest(name: str, known: Iterable[str]) -> str:
    """How to fix an unknown name: the closest known one, or all of them."""
    names = sorted(known)
    near = get_close_matches(name, names, n=1)
    return f"did you mean {near[0]!r}?" if near else f"known: {', '.join(names)}"


def _refuse_kind(document: Document, kinds: tuple[str, ...]) -> NoReturn:
    message = f"kind is {document.kind!r}, not {' or '.join(kinds)}"
    fix = nearest(document.kind, kinds) if len(kinds) > 1 else f"write `kind: {kinds[0]}`"
    raise InvalidInput("AICR-S007", message, location=document.locate("/kind"), pointer="/kind", fix=fix)
