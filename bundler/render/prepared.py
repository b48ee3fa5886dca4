"""Templates read, checked, metered and compiled: each once in a process, whoever asks and for however many catalogues."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from jinja2.exceptions import TemplateSyntaxError
from jinja2.lexer import TokenStream
from jinja2.parser import Parser

from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.model.finding import Finding
from bundler.render.budget import LARGEST_SOURCE
from bundler.render.filters import only_serialised, scalar_text
from bundler.render.language import check_language, check_serialised
from bundler.render.layout import check_layout
from bundler.render.mentions import mentions
from bundler.render.metering import meter
from bundler.render.names import VARIABLES
from bundler.render.origin import marked
from bundler.render.place import place
from bundler.render.reads import reads
from bundler.render.sandbox import Sandbox
from bundler.render.tree import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import CodeType
    from typing import Any

    from jinja2 import nodes

    from bundler.catalog.catalog import TemplateSource
    from bundler.render.mentions import Mention
    from bundler.render.reads import Path

__all__ = ["DEEPEST_BRACKETS", "MANIFEST", "Dialect", "Prepared", "prepare"]

DEEPEST_BRACKETS = 32

_REMEMBERED = 512
"""Templates that are kept: some times those of the packaged data."""

_OPENING = frozenset("([{")
_CLOSING = frozenset(")]}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What a template may be.

    Attributes:
        manifest: whether it is Kubernetes objects, whose layout is checked, whose lines are marked for `bundler.render.origin` and
            whose values are serialised; else it is plain text, which may place its expressions anywhere.
        names: the variables that it is rendered with.
    """

    manifest: bool
    names: tuple[str, ...]

    @property
    def finalize(self) -> Callable[[Any], str]:
        """What the value of an expression becomes text by."""
        return only_serialised if self.manifest else scalar_text


MANIFEST = Dialect(manifest=True, names=tuple(VARIABLES))


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A template, what is wrong with it, what it names, and what it reads of its variables.

    Attributes:
        code: None when something is wrong.
    """

    source: TemplateSource
    findings: tuple[Finding, ...]
    mentions: tuple[Mention, ...]
    reads: frozenset[Path]
    code: CodeType | None


@lru_cache(maxsize=_REMEMBERED)
def prepare(source: TemplateSource, dialect: Dialect) -> Prepared:
    """A template as it is rendered, or with the rules that it breaks, in the order of its lines.

    Raises:
        InvalidInput: it is too long, or no valid Jinja.
    """
    environment = _environment(dialect)
    every, findings = _parse(environment, source, dialect)
    named = tuple(mentions(every))
    if not findings:
        read = reads(every)
        try:
            meter(every)
            code = environment.compile(every[0], source.name, source.file)
            return Prepared(source=source, findings=(), mentions=named, reads=read, code=code)
        except (SyntaxError, RecursionError, MemoryError):
            findings = (_too_deep(source),)
    return Prepared(source=source, findings=findings, mentions=named, reads=frozenset(), code=None)


@lru_cache
def _environment(dialect: Dialect) -> Sandbox:
    """One to parse and compile with: the code is the same for every environment that renders it."""
    return Sandbox(loader=None, functions={}, finalize=dialect.finalize)


def _parse(environment: Sandbox, source: TemplateSource, dialect: Dialect) -> tuple[tuple[Any, ...], tuple[Finding, ...]]:
    """Every node of the template's tree, the template first, and what is wrong with them."""
    if len(source.text) > LARGEST_SOURCE:
        message = f"the template is longer than {LARGEST_SOURCE} characters"
        raise InvalidInput("AICR-T009", message, location=place(source, 1), fix="move its data into fragments")
    try:
        tokens = tuple(environment.lexer.tokeniter(source.text, source.name, source.file))
        if _brackets(tokens) > DEEPEST_BRACKETS:
            raise InvalidInput.of([_too_deep(source)])
        findings = list(check_layout(tokens, source)) if dialect.manifest else []
        every = tuple(walk(_tree(environment, source, marked(tokens, source.name) if dialect.manifest else tokens)))
        findings.extend(check_language(every, source, names=dialect.names))
        if dialect.manifest:
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
    return every, tuple(sorted(dict.fromkeys(findings), key=_position))


def _tree(environment: Sandbox, source: TemplateSource, tokens: Iterable[tuple[int, str, str]]) -> nodes.Template:
    """The tree of tokens that were checked and marked: a parser by itself would tokenise the text that it is made with."""
    parser = Parser(environment, "", source.name, source.file)
    parser.stream = TokenStream(environment.lexer.wrap(tokens, source.name, source.file), source.name, source.file)
    return parser.parse()


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
