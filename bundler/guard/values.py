"""Single values: when two are the same, and when one that is filled in later may become the other."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bundler.errors import InvalidInput
from bundler.guard.projection import Shape
from bundler.guard.side import PLACEHOLDER
from bundler.kube.quantity import Quantity
from bundler.yamlio.writer import to_json

if TYPE_CHECKING:
    from bundler.guard.projection import Node

__all__ = ["cut", "may_be", "plain", "same", "same_amount", "typed"]

_SHOWN = 160
_KINDS = {bool: "the boolean", int: "the number", float: "the number", str: "the text"}


def plain(node: Node) -> Any:
    """What a node holds, as data."""
    match node.shape:
        case Shape.MAP | Shape.NAMED:
            return {key: plain(inner) for key, inner in node.children.items()}
        case Shape.LIST:
            return list(node.value)
        case Shape.SCALAR:
            return node.value


def same(ours: Any, theirs: Any) -> bool:
    """Whether two pieces of data are the same, neither a number nor a boolean being the other or a text."""
    if isinstance(ours, str):
        return isinstance(theirs, str) and ours == theirs
    return ours == theirs and to_json(ours) == to_json(theirs)


def same_amount(ours: Any, theirs: Any) -> bool:
    """Whether two quantities are one value, however they are spelt."""
    if isinstance(ours, bool) or isinstance(theirs, bool):
        return False
    try:
        return Quantity.parse(ours).value == Quantity.parse(theirs).value
    except InvalidInput:
        return False


def may_be(ours: Any, theirs: Any) -> bool:
    """Whether a text of the fixture that is filled in later may become ours; a placeholder alone may become anything."""
    if not isinstance(theirs, str) or not PLACEHOLDER.search(theirs):
        return False
    if PLACEHOLDER.fullmatch(theirs.strip()):
        return True
    pattern = ".*".join(map(re.escape, PLACEHOLDER.split(theirs)))
    return isinstance(ours, str) and re.fullmatch(pattern, ours, re.DOTALL) is not None


def typed(value: Any) -> str:
    """A value with its type, for a message."""
    return f"{_KINDS.get(type(value), 'the data')} {cut(to_json(value))}"


def cut(text: str) -> str:
    """A text of bounded length, for a message."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
