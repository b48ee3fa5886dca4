"""How a pod says what it is attached to, as `marks.yaml` has it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from bundler.yamlio.reader import read

if TYPE_CHECKING:
    from bundler.model.document import JsonObject

__all__ = ["marks"]

_FILE = "marks.yaml"


@cache
def marks() -> JsonObject:
    """The table: `networks`, `devices` and `gpus`."""
    data: JsonObject = read((Path(__file__).parent / _FILE).read_bytes(), _FILE).data
    return data
