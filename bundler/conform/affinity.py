"""Terms that select nodes or pods: what a term compares with fits its operator.

Source: ValidateNodeSelectorRequirement and ValidateLabelSelectorRequirement of Kubernetes. A custom resource's admission looks at
neither, so a term that says nothing would surface when the pod is made.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bundler.conform.context import found
from bundler.conform.paths import Paths
from bundler.conform.pods import pod_templates, select
from bundler.kube import names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.kube.resource import Resource
    from bundler.model.document import JsonObject
    from bundler.model.finding import Finding

__all__ = ["LABEL_OPERATORS", "LABEL_TERMS", "NODE_OPERATORS", "NODE_TERMS", "terms"]

NODE_OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")
LABEL_OPERATORS = NODE_OPERATORS[:4]
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution/*"
_NODES = f"affinity/nodeAffinity/{_REQUIRED}/nodeSelectorTerms"
NODE_TERMS = (f"{_NODES}/*/matchExpressions/*", f"affinity/nodeAffinity/{_PREFERRED}/preference/matchExpressions/*")
"""Where the labels of nodes are compared, below a pod's spec."""
LABEL_TERMS = (
    *(
        f"affinity/{kind}/{term}/labelSelector/matchExpressions/*"
        for kind in ("podAffinity", "podAntiAffinity")
        for term in (f"{_REQUIRED}/*", f"{_PREFERRED}/podAffinityTerm")
    ),
    "topologySpreadConstraints/*/labelSelector/matchExpressions/*",
)
"""Where those of pods are."""
_TERMS = Paths.of((path, None) for path in (*NODE_TERMS, *LABEL_TERMS))
_SOME = ("In", "NotIn")
_ONE = ("Gt", "Lt")
_NONE = ("Exists", "DoesNotExist")
_WHOLE = re.compile(r"-?[0-9]+\Z")


def terms(resource: Resource) -> Iterator[Finding]:
    """A term has a proper label, and as many values as its operator takes."""
    for pod in pod_templates(resource):
        at = f"{pod.pointer}/spec"
        for pointer, stated in select(pod.spec, _NODES, at):
            if not stated:
                yield found(resource, "AICR-K061", pointer, "a required node affinity has no terms", "add a term, or remove it")
        for _, pointer, term in _TERMS.select(pod.spec, at):
            if reason := _fault(term):
                message = f"term {term.get('key', '')!r} {term.get('operator', '')} {reason}"
                yield found(resource, "AICR-K061", pointer, message, "correct the term")


def _fault(term: JsonObject) -> str | None:
    operator, values = term.get("operator", ""), term.get("values") or []
    if reason := names.qualified_name(term.get("key", "")):
        return f"has a key that {reason}"
    if operator in _SOME:
        return _not_labels(values) if values else "needs values"
    if operator in _ONE:
        return None if len(values) == 1 and _WHOLE.match(values[0]) else "needs exactly one whole number"
    return f"takes no values, and has {len(values)}" if operator in _NONE and values else None


def _not_labels(values: list[str]) -> str | None:
    reasons = (f"has the value {value!r}, which {reason}" for value in values if (reason := names.label_value(value)))
    return next(reasons, None)
