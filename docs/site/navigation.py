"""The navigation of the site: the four kinds of documentation, then the decisions. A page is in it because it is there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

__all__ = ["on_config"]

_DOCS = Path(__file__).parent.parent
_SECTIONS = {
    "Tutorial": "tutorial/*.md",
    "How-to": "how-to/[!f]*.md",
    "Fabrics": "how-to/f*.md",
    "Reference": "reference/*.md",
    "Explanation": "explanation/*.md",
    "Decisions": "adr/*.md",
}
"""Section → its pages; their titles are their own first headings."""


def on_config(config: Any) -> Any:
    """Fill the navigation before anything is read."""
    sections = [
        {title: [path.relative_to(_DOCS).as_posix() for path in sorted(_DOCS.glob(found))]} for title, found in _SECTIONS.items()
    ]
    config.nav = [{"Start": "README.md"}, *sections]
    return config
