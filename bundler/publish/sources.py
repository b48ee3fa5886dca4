"""The authored files that a bundle was made from, each with the digest of its bytes.

Files are named relative to their data directory, so that a bundle does not depend on where `--data` points from.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bundler.model.document import canonical_digest
from bundler.render.render import runtime_template

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bundler.catalog.catalog import Catalog, TemplateSource
    from bundler.model.composition import Composition
    from bundler.model.document import Document, JsonObject
    from bundler.model.request import Request

__all__ = ["release_tables", "sources"]

EMBEDDED = "recipe.yaml"
"""Where a lock says that a recipe from a file stands: in the bundle's own `recipe.yaml`, wherever it was read from."""


_INCLUDE = re.compile(r"\binclude\s+[\"']([^\"'\n]+)[\"']")
_FRAGMENT = re.compile(r"\bfragment\(\s*[\"']([^\"'\n]+)[\"']")


def sources(composition: Composition, request: Request, catalog: Catalog, *, texts: Iterable[str] = ()) -> JsonObject:
    """The `inputs` of a lock.

    Args:
        composition: what was rendered.
        request: what was asked for; a recipe from a file is in it.
        catalog: where the files are.
        texts: templates besides those of runtimes and components.
    """
    templates, fragments = _templates(composition, catalog, texts)
    tables = {table for _, _, table in release_tables(composition)}
    return {
        "layers": [_layer(layer.label, layer.file, layer.digest, request, catalog) for layer in composition.layers if layer.digest],
        "templates": _files(templates, catalog),
        "fragments": _files(fragments, catalog),
        "releases": _files((catalog.release_table(name) for name in tables), catalog),
    }


def release_tables(composition: Composition) -> Iterator[tuple[str, str, str]]:
    """Axis, parameter and release table of every parameter that names a release."""
    for selection in composition.selections:
        for parameter in selection.releases:
            yield selection.axis, parameter, selection.declaration["parameters"][parameter]["releases"]


def _layer(label: str, file: str, digest: str, request: Request, catalog: Catalog) -> JsonObject:
    if request.document is not None and label.startswith("recipe "):
        return {"layer": label, "file": EMBEDDED, "digest": canonical_digest(request.document.data)}
    return {"layer": label, "file": _relative(file, catalog), "digest": digest}


def _files(found: Iterable[Document | TemplateSource], catalog: Catalog) -> JsonObject:
    return {_relative(source.file, catalog): source.digest for source in found}


def _relative(file: str, catalog: Catalog) -> str:
    for source in catalog.sources:
        if source.label and file.startswith(f"{source.label}/"):
            return file.removeprefix(f"{source.label}/")
    return file


def _templates(composition: Composition, catalog: Catalog, texts: Iterable[str]) -> tuple[list[TemplateSource], list[Document]]:
    """Templates with the parts they include, and the fragments that these name."""
    every = catalog.derived(_Templates)
    pending = [
        *texts,
        *(name for component in composition.components for name in component.manifests),
        *(runtime_template(runtime.name) for runtime in composition.runtimes),
    ]
    used: dict[str, _Template] = {}
    while pending:
        name = pending.pop()
        if name not in used:
            used[name] = every[name]
            pending.extend(used[name].includes)
    fragments = {fragment.file: fragment for template in used.values() for fragment in template.fragments}
    return [template.source for template in used.values()], list(fragments.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Template:
    """A template and what its text names. A mention in a comment counts too; a name that nothing has can only be one."""

    source: TemplateSource
    includes: tuple[str, ...]
    fragments: tuple[Document, ...]


class _Templates(dict[str, _Template]):
    """The templates of a catalogue, read when they are first used."""

    def __init__(self, catalog: Catalog) -> None:
        super().__init__()
        self.catalog = catalog

    def __missing__(self, name: str) -> _Template:
        source = self.catalog.template(name)
        fragments = (f"manifests/fragments/{found}.yaml" for found in _FRAGMENT.findall(source.text))
        self[name] = _Template(
            source=source,
            includes=tuple(found for found in _INCLUDE.findall(source.text) if found in self.catalog.templates),
            fragments=tuple(self.catalog.document(path) for path in fragments if self._exists(path)),
        )
        return self[name]

    def _exists(self, path: str) -> bool:
        return any(path in source.paths for source in self.catalog.sources)
