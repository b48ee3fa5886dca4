"""What a template reads of its variables: as much of each as it names, so that whatever else changes cannot change its text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jinja2 import nodes

from bundler.model.plain import identifying

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["Path", "reads", "value_read"]

Path = tuple[str, ...]
"""A variable and the members that lead below it, such as `profiles`, `gpuStack`, `value`."""


def reads(every: Sequence[nodes.Node]) -> frozenset[Path]:
    """The longest constant paths in a template. What is passed on whole, or taken by a computed name, is read whole.

    Args:
        every: the nodes of the template's tree.
    """
    paths = {id(node): path for node in every if (path := _path(node))}
    inner = {id(node.node) for node in every if isinstance(node, nodes.Getattr | nodes.Getitem) and id(node) in paths}
    return frozenset(path for node, path in paths.items() if node not in inner)


def value_read(variables: Mapping[str, Any], path: Iterable[str]) -> bytes:
    """What stands at a path, as bytes that no other value has; where the path ends early, what it ends at."""
    value: Any = variables
    for step in path:
        if not isinstance(value, dict):
            break
        if step not in value:
            return b""
        value = value[step]
    return identifying(value)


def _path(node: nodes.Node) -> Path:
    steps: list[str] = []
    while not isinstance(node, nodes.Name):
        match node:
            case nodes.Getattr(node=below, attr=step) | nodes.Getitem(node=below, arg=nodes.Const(value=str() as step)):
                steps.append(step)
                node = below
            case _:
                return ()
    return (node.name, *reversed(steps)) if node.ctx == "load" else ()
