"""Where in a template something stands. Jinja knows lines; the column is found by looking for the word at fault."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bundler.model.location import Location

if TYPE_CHECKING:
    from bundler.catalog.catalog import TemplateSource

__all__ = ["place"]

_NEWLINE = re.compile(r"\r\n|\r|\n")
"""What Jinja takes as the end of a line."""

_TAG = re.compile(r"\{[{%#]")


def place(source: TemplateSource, line: int, word: str = "") -> Location:
    """The location of `word` in a line of the template, or of the line's first tag when the word is not there."""
    lines = _NEWLINE.split(source.text)
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    tag = _TAG.search(text)
    start = tag.start() if tag else 0
    if word and (found := _whole(word).search(text, start)):
        return Location(file=source.file, line=line, column=found.start() + 1)
    return Location(file=source.file, line=line, column=start + 1 if tag else 0)


def _whole(word: str) -> re.Pattern[str]:
    before, after = (r"\b" if char.isalnum() or char == "_" else "" for char in (word[0], word[-1]))
    return re.compile(before + re.escape(word) + after)
