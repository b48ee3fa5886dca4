"""Brings templates from the catalogue into the environment: read, checked, metered and compiled, each once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jinja2.exceptions import TemplateSyntaxError
from jinja2.lexer import TokenStream
from jinja2.loaders import BaseLoader
from jinja2.parser import Parser

from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.model.finding import Finding
from bundler.render.budget import LARGEST_SOURCE
from bundler.render.language import check_language, check_serialised, confined
from bundler.render.layout import check_layout
from bundler.render.mentions import mentions
from bundler.render.metering import meter
from bundler.render.names import VARIABLES
from bundler.render.origin import marked
from bundler.render.place import place
from bundler.render.reads import reads
from bundler.render.tree import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, MutableMapping

    from jinja2 import nodes
    from jinja2.environment import Environment, Template

    from bundler.catalog.catalog import TemplateSource
    from bundler.render.mentions import Mention
    from bundler.render.reads import Path

__all__ = ["CatalogLoader", "Loaded", "Parsed", "parse_manifest", "parse_text"]

DEEPEST_BRACKETS = 32

_OPENING = frozenset("([{")
_CLOSING = frozenset(")]}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """A template's tree, as its root and as all of its nodes, and what is wrong with it."""

    tree: nodes.Template
    every: tuple[nodes.Node, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A template that was compiled, what it names, and what it reads of its variables."""

    source: TemplateSource
    mentions: tuple[Mention, ...]
    reads: frozenset[Path]


class CatalogLoader(BaseLoader):
    """Loads by name below `manifests/`, through functions that are given: it opens no file itself."""

    def __init__(self, fetch: Callable[[str], TemplateSource], parse: Callable[[Environment, TemplateSource], Parsed]) -> None:
        self.fetch = fetch
        self.parse = parse
        self.loaded: dict[str, Loaded] = {}

    def load(self, environment: Environment, name: str, globals: MutableMapping[str, Any] | None = None) -> Template:  # noqa: A002  (the base class names it)
        """The compiled template.

        Raises:
            InvalidInput: the name leads out of `manifests/`, there is no such template, or it breaks a rule.
        """
        if not confined(name):
            message = f"a template name leads out of manifests/: {name!r}"
            raise InvalidInput("AICR-T008", message, fix="name a template relative to manifests/")
        source = self.fetch(name)
        parsed = self.parse(environment, source)
        if parsed.findings:
            raise InvalidInput.of(parsed.findings)
        self.loaded[name] = Loaded(source=source, mentions=tuple(mentions(parsed.every)), reads=reads(parsed.every))
        try:
            meter(parsed.every)
            code = environment.compile(parsed.tree, source.name, source.file)
        except (SyntaxError, RecursionError, MemoryError):
            raise InvalidInput.of([_too_deep(source)]) from None
        return environment.template_class.from_code(environment, code, globals or {}, None)


def parse_manifest(environment: Environment, source: TemplateSource) -> Parsed:
    """Parse a template of Kubernetes objects. Its lines are marked for `bundler.render.origin`."""
    return _parse(environment, source, manifest=True)


def parse_text(environment: Environment, source: TemplateSource, *, names: Iterable[str]) -> Parsed:
    """Parse a template of plain text, which may place its expressions anywhere."""
    return _parse(environment, source, manifest=False, names=names)


def _parse(environment: Environment, source: TemplateSource, *, manifest: bool, names: Iterable[str] = VARIABLES) -> Parsed:
    if len(source.text) > LARGEST_SOURCE:
        message = f"the template is longer than {LARGEST_SOURCE} characters"
        raise InvalidInput("AICR-T009", message, location=place(source, 1), fix="move its data into fragments")
    try:
        tokens = tuple(environment.lexer.tokeniter(source.text, source.name, source.file))
        if _brackets(tokens) > DEEPEST_BRACKETS:
            raise InvalidInput.of([_too_deep(source)])
        findings = list(check_layout(tokens, source)) if manifest else []
        stream = environment.lexer.wrap(marked(tokens, source.name) if manifest else tokens, source.name, source.file)
        # A parser tokenises the text it is made with; this one reads the tokens that were checked and marked.
        parser = Parser(environment, "", source.name, source.file)
        parser.stream = TokenStream(stream, source.name, source.file)
        tree = parser.parse()
        every = tuple(walk(tree))
        findings.extend(check_language(every, source, names=names))
        if manifest:
            findings.extend(check_serialised(every, source))
    except TemplateSyntaxError as error:
        message = f"the template is no valid Jinja: {error.message}"
        raise InvalidInput("AICR-T001", message, location=place(source, error.lineno), fix="correct the tag") from None
    except (RecursionError, MemoryError):
        raise InvalidInput.of([_too_deep(source)]) from None
    except ValueError as error:
        raise InvalidInput(
            "AICR-T001", f"the template is no valid Jinja: {error}", location=place(source, 1), fix="correct the literal"
        ) from None
    return Parsed(tree=tree, every=every, findings=tuple(sorted(dict.fromkeys(findings), key=_position)))


def _brackets(tokens: Iterable[tuple[int, str, str]]) -> int:
    """How deep the brackets of the template's expressions are nested: parsing takes stack for each."""
    deepest = depth = 0
    for _, kind, text in tokens:
        if kind == "operator":
            depth += (text in _OPENING) - (text in _CLOSING)
            deepest = max(deepest, depth)
    return deepest


def _position(finding: Finding) -> tuple[int, int]:
    return (finding.location.line, finding.location.column) if finding.location else (0, 0)


def _too_deep(source: TemplateSource) -> Finding:
    return Finding(
        rule="AICR-T009",
        message="the template nests its statements or expressions too deeply",
        location=place(source, 1),
        fix="write it flatter",
    )
