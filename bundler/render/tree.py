"""Walks a template's tree."""

from __future__ import annotations

from jinja2.nodes import Node

__all__ = ["walk"]


def walk(root: Node) -> list[Node]:
    """`root` and every node below it, level by level."""
    found = [root]
    for node in found:  # The list grows ahead of the loop.
        for field in node.fields:
            value = getattr(node, field, None)
            if isinstance(value, Node):
                found.append(value)
            elif isinstance(value, list):
                found.extend(item for item in value if isinstance(item, Node))
    return found
