"""Amounts that a pod requests, held against their limits: a server refuses a request above its limit.

Source: the rules of CategoryResources in nvcre.nvidia.com/v1alpha1, and the validation of pods.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.errors import InvalidInput
from bundler.kube.quantity import Quantity
from bundler.model.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.model.document import Document, JsonObject

__all__ = ["check_amounts", "exceeding"]


def check_amounts(resources: JsonObject, document: Document, pointer: str) -> Iterator[Finding]:
    """Every request above the limit that is stated beside it.

    Args:
        resources: limits and requests, as a document states them.
        document: where they stand.
        pointer: of `resources` in it.
    """
    for name, request, limit in exceeding(resources):
        at = f"{pointer}/requests/{name}"
        yield Finding(
            rule="AICR-R028",
            message=f"requests.{name} is {request}, above limits.{name}, which is {limit}",
            location=document.locate(at),
            pointer=at,
            fix="request at most the limit",
        )


def exceeding(resources: JsonObject) -> Iterator[tuple[str, str, str]]:
    """Resource, request and limit of each request above its limit. What is no quantity is another rule's to find."""
    limits, requests = resources.get("limits") or {}, resources.get("requests") or {}
    for name in sorted({*limits} & {*requests}):
        try:
            above = Quantity.parse(requests[name]) > Quantity.parse(limits[name])
        except InvalidInput:
            continue
        if above:
            yield name, str(requests[name]), str(limits[name])
