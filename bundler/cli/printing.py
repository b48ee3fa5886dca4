"""A product in the form that `--format` names."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bundler.cli.terminal import emit

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["emit_form"]


def emit_form(form: str, data: Any, text: Callable[[], str]) -> None:
    """Write data to stdout as JSON or YAML, or what `text` makes of it.

    JSON escapes all but ASCII, so that no value acts on a terminal; the YAML writer quotes and escapes on its own.
    """
    match form:
        case "json":
            emit(json.dumps(data, indent=2) + "\n")
        case "yaml":
            from bundler.yamlio.writer import dump

            emit(dump(data))
        case _:
            emit(text())
