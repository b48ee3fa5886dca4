"""Templates with their environment: compiled once, rendered as often as wanted."""

from __future__ import annotations

from dataclasses import field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from bundler.catalog.memory import Memory
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.render.budget import BUDGET, LARGEST_OUTPUT, Budget
from bundler.render.failure import explained
from bundler.render.functions import bounded_range, functions
from bundler.render.loader import CatalogLoader
from bundler.render.origin import Rendered
from bundler.render.prepared import MANIFEST, Dialect
from bundler.render.reads import value_read
from bundler.render.refusal import Refusal
from bundler.render.sandbox import Sandbox
from bundler.yamlio.reader import read_stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from bundler.catalog.catalog import Catalog, TemplateSource
    from bundler.model.document import Document, JsonObject
    from bundler.model.finding import Finding
    from bundler.model.location import Location
    from bundler.render.prepared import Prepared
    from bundler.render.reads import Path

__all__ = ["Renderer"]

_RENDERINGS = 64
"""Renderings that are kept: those that many bundles have in common, and the last of those that each has for itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Renderer:
    """Renders the templates of one catalogue. Kept for many compositions, it compiles each template once."""

    fetch: Callable[[str], TemplateSource]
    environment: Sandbox = field(repr=False)
    loader: CatalogLoader = field(repr=False)
    memory: Memory = field(default_factory=partial(Memory, _RENDERINGS), repr=False, compare=False)

    @classmethod
    def of(cls, catalog: Catalog) -> Renderer:
        """A renderer of manifests, with the images and fragments of the catalogue."""
        return cls.manifests(catalog.template, images=catalog.images, fragment=catalog.fragment)

    @classmethod
    def manifests(
        cls, fetch: Callable[[str], TemplateSource], *, images: Mapping[str, JsonObject], fragment: Callable[[str], Any]
    ) -> Renderer:
        """A renderer of Kubernetes objects: only serialised values reach its text."""
        loader = CatalogLoader(fetch, MANIFEST)
        offered = functions(images=images, fragment=fragment)
        environment = Sandbox(loader=loader, functions=offered, finalize=MANIFEST.finalize)
        return cls(fetch=fetch, environment=environment, loader=loader)

    @classmethod
    def plain(cls, fetch: Callable[[str], TemplateSource], *, names: Iterable[str]) -> Renderer:
        """A renderer of plain text, which takes texts, numbers and booleans as they are.

        Args:
            fetch: gives a template.
            names: the variables its templates have.
        """
        dialect = Dialect(manifest=False, names=tuple(names))
        loader = CatalogLoader(fetch, dialect)
        environment = Sandbox(loader=loader, functions={"range": bounded_range}, finalize=dialect.finalize)
        return cls(fetch=fetch, environment=environment, loader=loader)

    def text(self, name: str, variables: Mapping[str, Any]) -> str:
        """The text of a template; a manifest's lines still carry their markers.

        Raises:
            InvalidInput: the template breaks a rule, or an expression fails; located in the template.
        """
        pieces: list[str] = []
        length = 0
        with explained(self.fetch, name):
            template = self.environment.get_template(name)
            running = template.new_context({**variables, BUDGET: Budget()})
            for piece in template.root_render_func(running):
                pieces.append(piece)
                length += len(piece)
                if length > LARGEST_OUTPUT:
                    raise Refusal("AICR-T009", f"the rendered text is longer than {LARGEST_OUTPUT} characters", fix="render less")
        return "".join(pieces)

    def documents(self, name: str, variables: Mapping[str, Any]) -> tuple[Rendered, tuple[Document, ...]]:
        """The documents that a manifest template renders to, and where each line of them comes from.

        Raises:
            InvalidInput: as `text`, or the text is no YAML that the strict reader accepts; located in the template.
        """
        rendered = Rendered.of(self.text(name, variables), self.file_of)
        try:
            return rendered, read_stream(rendered.text.encode(), self.file_of(name))
        except InvalidInput as error:
            raise InvalidInput.of(_in_template(error.findings, rendered)) from None

    def inputs(self, name: str, variables: Mapping[str, Any]) -> tuple[tuple[Path, bytes], ...]:
        """The values of everything that a template, with the parts that it has included so far, reads of the variables.

        Of two equal inputs the text is the same: a part that was never included stands behind a condition that is read as well.
        """
        paths: set[Path] = set()
        pending, seen = [name], {name}
        while pending:
            loaded = self.loader.loaded.get(pending.pop())
            if loaded is not None:
                paths |= loaded.reads
                parts = [each.name for each in loaded.mentions if each.kind == "template" and each.name not in seen]
                seen.update(parts)
                pending.extend(parts)
        return tuple((path, value_read(variables, path)) for path in sorted(paths))

    def loaded(self, name: str) -> Prepared:
        """A template as it was read for rendering, and what it names."""
        self.environment.get_template(name)
        return self.loader.loaded[name]

    def file_of(self, name: str) -> str:
        """The file of a template, as messages show it."""
        return self.environment.get_template(name).filename or name


def _in_template(findings: Iterable[Finding], rendered: Rendered) -> Iterable[Finding]:
    """Findings on rendered text, told of the template; what a loop repeats is told once."""
    told: dict[tuple[str, str, Location | None], Finding] = {}
    for finding in findings:
        location = rendered.locate(finding.location) if finding.location else None
        message = f"rendered text: {finding.message}"
        told.setdefault((finding.rule, message, location), replace(finding, message=message, location=location))
    return told.values()
