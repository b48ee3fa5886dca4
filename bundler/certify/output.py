"""Workflows as text: a YAML stream, or a JSON array as Go writes it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bundler.yamlio.writer import dump_all

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bundler.model.document import JsonObject

__all__ = ["FORMS", "workflows_text"]

FORMS = ("yaml", "json")

_ESCAPED = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def workflows_text(workflows: Sequence[JsonObject], form: str) -> str:
    """The text of Workflows in order.

    Args:
        workflows: at least one.
        form: one of `FORMS`; JSON has sorted keys and the escapes of Go's encoder.
    """
    if form == "yaml":
        return dump_all(workflows)
    return json.dumps(list(workflows), indent=2, sort_keys=True, ensure_ascii=False).translate(_ESCAPED) + "\n"
