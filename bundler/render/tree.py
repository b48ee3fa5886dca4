"""Walks a template's tree, level by level: no depth of nesting can exhaust the interpreter's stack here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jinja2.nodes import Node

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["DEEPEST", "walk"]

DEEPEST = 100
"""Levels of nodes that a template may have: the same on every machine, whatever stack the interpreter has left."""


def walk(root: Node) -> list[Node]:
    """`root` and every node below it, level by level.

    Raises:
        RecursionError: there are more than `DEEPEST` levels.
    """
    found: list[Node] = []
    level = [root]
    for _ in range(DEEPEST):
        found.extend(level)
        level = [child for node in level for child in _children(node)]
        if not level:
            return found
    raise RecursionError


def _children(node: Node) -> Iterator[Node]:
    for field in node.fields:
        value = getattr(node, field, None)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, list):
            yield from (item for item in value if isinstance(item, Node))
