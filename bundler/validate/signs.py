"""What nodes and device classes show of a row of `recipes/detection/capabilities.yaml`."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from bundler.compose.wording import each, listed
from bundler.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bundler.detect.nodes import Node
    from bundler.model.document import JsonObject

__all__ = ["Sign", "sign"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """What a cluster shows of one fabric.

    Attributes:
        needs: what would show it, in words.
        has: what does, in words; empty when the cluster has too little of it.
        is_seen: whether everything was read that could show it.
    """

    needs: str
    has: str = ""
    is_seen: bool = True


def sign(row: JsonObject, nodes: Sequence[Node], classes: frozenset[str] | None) -> Sign:
    """What is seen of a row. Resources have to be on every node; of label and device class, which show one thing, either does.

    Args:
        row: of the table.
        nodes: with GPUs, at least one.
        classes: names of device classes, or None when they were not read.
    """
    parts = [_resources(row["resources"], row.get("least", 1), nodes)] if "resources" in row else []
    if "deviceClass" in row:
        parts.append(_claimed(row["deviceClass"], row.get("label"), nodes, classes))
    return Sign(
        needs=" with ".join(part.needs for part in parts),
        has=" and ".join(part.has for part in parts) if all(part.has for part in parts) else "",
        # Where one part is missing for certain, the others do not matter.
        is_seen=any(part.is_seen and not part.has for part in parts) or all(part.is_seen for part in parts),
    )


def _resources(patterns: Sequence[str], least: int, nodes: Sequence[Node]) -> Sign:
    found = [frozenset(_matching(node, patterns)) for node in nodes]
    needs = f"{least} of {' or '.join(patterns)}" if least > 1 else " or ".join(patterns)
    if min(map(len, found)) < least:
        return Sign(needs=needs)
    names = listed(sorted(found[0].intersection(*found[1:])))
    return Sign(needs=needs, has=f"{names} on {each(len(nodes), 'node')} with GPUs")


def _claimed(device_class: str, label: str | None, nodes: Sequence[Node], classes: frozenset[str] | None) -> Sign:
    needs = f"DeviceClass {device_class}"
    if device_class in (classes or ()):
        return Sign(needs=needs, has=needs)
    if label is not None and all(_labelled(node, label) for node in nodes):
        return Sign(needs=needs, has=f"the label {label} on {each(len(nodes), 'node')} with GPUs")
    return Sign(needs=needs, is_seen=classes is not None)


def _labelled(node: Node, label: str) -> bool:
    key, _, value = label.partition("=")
    return key in node.labels and value in ("", node.labels[key])


def _matching(node: Node, patterns: Sequence[str]) -> Iterator[str]:
    """Names of resources that count: `.IP` companions and the network that every node is attached to are none of a fabric."""
    for name in node.allocatable:
        counts = node.amount(name) and not name.endswith((".IP", "/default"))
        if counts and any(fnmatchcase(name, pattern) for pattern in patterns):
            yield name
