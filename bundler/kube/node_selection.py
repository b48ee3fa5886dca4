"""Which nodes a pod's own spec lets it run on: its node selector, and the required terms of its node affinity.

Source: k8s.io/component-helpers/scheduling/corev1/nodeaffinity. Terms are alternatives, the requirements in one of them all hold,
and a term without requirements matches no node.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bundler.model.document import JsonObject

__all__ = ["selects"]

_NUMBER = re.compile(r"[+-]?[0-9]+\Z")


def selects(spec: JsonObject, node: JsonObject) -> bool:
    """Whether a pod of this spec may run on the node, as far as labels and the node's name decide.

    Args:
        spec: of the pod.
        node: a Node.
    """
    labels: Mapping[str, str] = node["metadata"].get("labels") or {}
    if any(labels.get(key) != value for key, value in (spec.get("nodeSelector") or {}).items()):
        return False
    affinity = (spec.get("affinity") or {}).get("nodeAffinity") or {}
    required = affinity.get("requiredDuringSchedulingIgnoredDuringExecution")
    if required is None:
        return True
    return any(_matches(term, labels, node["metadata"]["name"]) for term in required.get("nodeSelectorTerms") or ())


def _matches(term: JsonObject, labels: Mapping[str, str], name: str) -> bool:
    expressions, fields = term.get("matchExpressions") or (), term.get("matchFields") or ()
    return bool(expressions or fields) and _all_hold(expressions, labels) and _all_hold(fields, {"metadata.name": name})


def _all_hold(requirements: Sequence[JsonObject], stated: Mapping[str, str]) -> bool:
    return all(_holds(one["operator"], stated.get(one["key"]), one.get("values") or ()) for one in requirements)


def _holds(operator: str, value: str | None, values: Sequence[str]) -> bool:
    match operator:
        case "In":
            return value in values
        case "NotIn":
            return value not in values
        case "Exists":
            return value is not None
        case "DoesNotExist":
            return value is None
        case "Gt" | "Lt" if value is not None and _NUMBER.match(value) and len(values) == 1 and _NUMBER.match(values[0]):
            return int(value) > int(values[0]) if operator == "Gt" else int(value) < int(values[0])
        case _:
            return False
