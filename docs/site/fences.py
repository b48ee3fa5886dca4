"""Code fences as the site's Markdown takes them: what follows the language tells the tests of the examples what a fence is."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["on_page_markdown"]

_FILE = re.compile(r"^```(\w+) file=(\S+)$", re.MULTILINE)
_REST = re.compile(r"^```(\w+) (?!title=).+$", re.MULTILINE)


def on_page_markdown(markdown: str, **_page: Any) -> str:
    """A file's name becomes the title of its fence; anything else after a language is dropped."""
    return _REST.sub(r"```\1", _FILE.sub(r'```\1 title="\2"', markdown))
