"""Text from a command line as a value of the type that a schema states.

The rule, in one place for `--set` and `--param`: a string stays exactly the text given; `true` and `false` are the only booleans;
integers are plain decimals; numbers follow JSON. Where the schema names no type, booleans and plain integers are recognised and
everything else is text, so `0123`, `1e6` and `1.20` keep their spelling.
"""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

__all__ = ["scalar", "words"]

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})\Z")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,17})?(?:[eE][+-]?[0-9]{1,3})?\Z")
_UNTYPED = frozenset({"boolean", "integer", "string"})
_WORDS = {
    "boolean": "a boolean (true or false)",
    "integer": "an integer",
    "number": "a number",
    "string": "a string",
    "array": "a list",
    "object": "a map",
    "null": "null",
}


def scalar(text: str, types: AbstractSet[str]) -> str | int | float | bool:
    """The value that `text` stands for.

    Args:
        text: as given.
        types: JSON types that the schema allows; empty when it names none.

    Raises:
        ValueError: the text has none of these types.
    """
    allowed = types or _UNTYPED
    if "boolean" in allowed and text in {"true", "false"}:
        return text == "true"
    if allowed & {"integer", "number"} and _INTEGER.match(text):
        return int(text)
    if "number" in allowed and _NUMBER.match(text) and math.isfinite(number := float(json.loads(text))):
        return number
    if "string" in allowed:
        return text
    raise ValueError(text)


def words(types: AbstractSet[str]) -> str:
    """The types in words, for a message."""
    return " or ".join(_WORDS.get(name, name) for name in sorted(types))
