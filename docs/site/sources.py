"""Files of the repository that pages link to: the site has them below `source/`, so that their links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

__all__ = ["on_files", "on_page_markdown"]

_ROOT = Path(__file__).resolve().parents[2]
_OUTSIDE = re.compile(r"(?<=\]\()\.\./\.\./((?!\.\./)[^)#\s]+)(?=[)#])")
"""A link out of the folder of documentation, from a page in one of its sections."""


def on_files(files: Any, config: Any) -> Any:
    """Add each file that a page links to; one that is not there is left for the strict build to name."""
    found = {name for page in files.documentation_pages() for name in _OUTSIDE.findall(page.content_string)}
    for name in sorted(found):
        if (_ROOT / name).is_file():
            files.append(File.generated(config, f"source/{name}", abs_src_path=str(_ROOT / name)))
    return files


def on_page_markdown(markdown: str, **_page: Any) -> str:
    """Point those links to the copies."""
    return _OUTSIDE.sub(r"../source/\1", markdown)
