"""Which nodes a target means. All parts of a target hold together; cordoned nodes and nodes without GPUs are left out.

A taint selector for `node.kubernetes.io/unschedulable` asks for cordoned nodes, so then they are kept.
Source: NVIDIA/cluster-readiness-engine TargetSpec and its documentation of platform detection.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from bundler.compose.wording import plural
from bundler.dataclass import dataclass
from bundler.detect.nodes import PRESENT, Node
from bundler.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from bundler.model.document import JsonObject
    from bundler.model.location import Location

__all__ = ["Target", "Targeted", "targeted"]

_CORDONED = "node.kubernetes.io/unschedulable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A target as a Certification or a WorkloadRun states it."""

    node_selector: Mapping[str, str] = field(default_factory=dict)
    match_expressions: tuple[JsonObject, ...] = ()
    node_names: tuple[str, ...] = ()
    taint_selectors: tuple[JsonObject, ...] = ()

    @classmethod
    def of(cls, data: JsonObject) -> Target:
        """The target that a schema-valid mapping states."""
        return cls(
            node_selector=data.get("nodeSelector") or {},
            match_expressions=tuple(data.get("matchExpressions") or ()),
            node_names=tuple(data.get("nodeNames") or ()),
            taint_selectors=tuple(data.get("taintSelectors") or ()),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Targeted:
    """What a target comes to.

    Attributes:
        nodes: by name.
        read: how many nodes there were.
        steps: how many nodes were left after each part of the target that is stated, in the order in which they were applied.
    """

    nodes: tuple[Node, ...]
    read: int
    steps: tuple[tuple[str, int], ...]

    def require(self, location: Location | None = None, pointer: str = "") -> tuple[Node, ...]:
        """The nodes.

        Raises:
            InvalidInput: there are none.
        """
        if self.nodes:
            return self.nodes
        steps = ", ".join(f"{count} left {what}" for what, count in self.steps)
        message = f"the target selects no GPU node: {plural(self.read, 'node')} read, {steps}"
        fix = f"correct the target; nodes with GPUs are labelled {PRESENT}=true, by the GPU Operator or by hand"
        raise InvalidInput("AICR-N001", message, location=location, pointer=pointer, fix=fix)


def targeted(nodes: Iterable[Node], target: Target) -> Targeted:
    """The GPU nodes that a target means.

    Args:
        nodes: of the cluster, by name.
        target: all of whose parts must hold.
    """
    left = every = tuple(nodes)
    steps = []
    wants_cordoned = any(selector["key"] == _CORDONED for selector in target.taint_selectors)
    names = frozenset(target.node_names)
    parts: tuple[tuple[bool, str, Callable[[Node], bool]], ...] = (
        (bool(target.node_selector), "by nodeSelector", lambda node: _has_labels(node, target.node_selector)),
        (
            bool(target.match_expressions),
            "by matchExpressions",
            lambda node: all(_satisfies(node, expression) for expression in target.match_expressions),
        ),
        (bool(names), "by nodeNames", lambda node: node.name in names),
        (
            bool(target.taint_selectors),
            "by taintSelectors",
            lambda node: all(_tainted(node, selector) for selector in target.taint_selectors),
        ),
        (not wants_cordoned, "without cordoned ones", lambda node: not node.cordoned),
        (True, f"by the label {PRESENT}=true", lambda node: node.present),
    )
    for is_stated, what, holds in parts:
        if is_stated:
            left = tuple(node for node in left if holds(node))
            steps.append((what, len(left)))
    return Targeted(nodes=left, read=len(every), steps=tuple(steps))


def _has_labels(node: Node, labels: Mapping[str, str]) -> bool:
    return all(node.labels.get(key) == value for key, value in labels.items())


def _satisfies(node: Node, expression: JsonObject) -> bool:
    """A label requirement as Kubernetes reads one: `NotIn` holds for a node without the label, too."""
    key, values = expression["key"], expression.get("values") or ()
    match expression["operator"]:
        case "In":
            return node.labels.get(key) in values
        case "NotIn":
            return key not in node.labels or node.labels[key] not in values
        case "Exists":
            return key in node.labels
        case _:
            return key not in node.labels


def _tainted(node: Node, selector: JsonObject) -> bool:
    """Whether a taint has everything that a selector states."""
    return any(all(taint.get(part) == wanted for part, wanted in selector.items()) for taint in node.taints)
