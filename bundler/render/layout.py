"""Where tags may stand in a manifest template, checked on its tokens.

An output expression is the whole value of a `key:` or of a list item, so that what it writes cannot become a key, a comment or a
second line. Every other tag has its lines to itself. Both together make each rendered line the image of one template line.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bundler.dataclass import dataclass
from bundler.model.finding import Finding
from bundler.render.place import place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bundler.catalog.catalog import TemplateSource

__all__ = ["Token", "check_layout"]

Token = tuple[int, str, str]
"""Line, type and text, as Jinja's lexer gives them before it drops comments and spaces."""

_BEFORE_VALUE = re.compile(r""" *(?:(?:- +)+|(?:- +)*(?:[\w./-]+|"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'): +)""")
_AFTER_VALUE = re.compile(r" *(?: #.*)?")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_SIGNS = ("+", "-")

_OPENING = frozenset({"block_begin", "comment_begin", "raw_begin", "raw_end"})
_CLOSING = frozenset({"block_end", "comment_end", "raw_begin", "raw_end"})
_TAGS = _OPENING | _CLOSING | {"variable_begin", "variable_end"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fault:
    """One way to break the layout, and where on its line a message points."""

    rule: str
    message: str
    fix: str
    word: str = ""


_NO_VALUE = _Fault(
    rule="AICR-T005",
    message="an output expression is not the whole value of a key or list item",
    fix="write it after `key: ` or `- `, once a line, to the end of the line",
    word="{{",
)
_SHARED = _Fault(
    rule="AICR-T007",
    message="a statement, comment or raw tag shares its line",
    fix="give it lines of its own",
)
_SIGN = _Fault(
    rule="AICR-T007",
    message="a tag controls whitespace with - or +",
    fix="leave the sign out: a tag on a line of its own leaves nothing behind",
)
_CHARACTER = _Fault(rule="AICR-T007", message="the template holds a control character", fix="remove it")
_NO_NEWLINE = _Fault(rule="AICR-T007", message="the template does not end with a newline", fix="end its last line")


def check_layout(tokens: Iterable[Token], source: TemplateSource) -> Iterator[Finding]:
    """Every tag that stands where it may not.

    Args:
        tokens: the whole template.
        source: the template, for locations.
    """
    line = _Line()
    for number, kind, text in tokens:
        if fault := line.fault(kind, text):
            yield _finding(fault, number, source)
        if kind in _TAGS and _has_sign(text):
            yield _finding(_SIGN, number, source)
        if kind == "data" and (control := _CONTROL.search(text)):
            yield _finding(_CHARACTER, number + text.count("\n", 0, control.start()), source)
        line.take(kind, text)
    if not source.text.endswith("\n"):
        yield _finding(_NO_NEWLINE, source.text.count("\n") + 1, source)


class _Line:
    """The current line up to the next token: the template's own text, and the kind of the last tag that ended on it."""

    __slots__ = ("closed", "text")

    def __init__(self) -> None:
        self.text = ""
        self.closed = ""

    def fault(self, kind: str, text: str) -> _Fault | None:
        """What is wrong with a token here."""
        if kind == "data" and self.closed:
            rest = text.partition("\n")[0]
            if self.closed == "variable_end":
                return None if _AFTER_VALUE.fullmatch(rest) else _NO_VALUE
            return _SHARED if rest else None
        if kind == "variable_begin" and (self.closed or not _BEFORE_VALUE.fullmatch(self.text)):
            return _NO_VALUE
        if kind in _OPENING and (self.closed or self.text.strip()):
            return _SHARED
        return None

    def take(self, kind: str, text: str) -> None:
        """Move past a token."""
        if kind == "data":
            if "\n" in text:
                self.closed = ""
            self.text = text.rpartition("\n")[2] if "\n" in text else self.text + text
        elif kind == "variable_end":
            self.closed = kind
        elif kind in _CLOSING:
            self.text, self.closed = "", "" if text.endswith("\n") else kind


def _has_sign(tag: str) -> bool:
    tag = tag.rstrip()
    return tag[2:3] in _SIGNS or tag[-3:-2] in _SIGNS


def _finding(fault: _Fault, number: int, source: TemplateSource) -> Finding:
    return Finding(rule=fault.rule, message=fault.message, location=place(source, number, fault.word), fix=fault.fix)
