"""A value that was read from a cluster instead of stated."""

from __future__ import annotations

from bundler.dataclass import dataclass

__all__ = ["Observation"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """Where a value of a request comes from, so that later renders need no snapshot and a reader can ask the cluster again.

    Attributes:
        source: which objects say it, and where, such as `nodes: label node.kubernetes.io/instance-type`.
        nodes: how many nodes agree on it.
    """

    source: str
    nodes: int
