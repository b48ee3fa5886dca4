"""The GPU architecture of a target: that of the most nodes.

A tie goes to the architecture whose earliest node sorts first by name. A node that does not say what it has does not vote, so it
never outvotes one that does. Source: NVIDIA/cluster-readiness-engine, documentation of platform detection.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bundler.detect.gpus import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bundler.detect.nodes import Node

__all__ = ["detect_architecture", "nodes_with"]


def detect_architecture(nodes: Sequence[Node]) -> str:
    """The architecture, `unknown` only when no node says what it has.

    Args:
        nodes: by name.
    """
    votes = [node.architecture for node in nodes if node.product]
    counts = Counter(votes)
    # `max` keeps the first of equals, and the votes are in the order of the nodes' names.
    return max(dict.fromkeys(votes), key=lambda name: counts[name], default=UNKNOWN)


def nodes_with(nodes: Sequence[Node], architecture: str) -> tuple[Node, ...]:
    """The nodes of an architecture, on which its tests run; all of them when none is known."""
    return tuple(node for node in nodes if architecture in {UNKNOWN, node.architecture})
