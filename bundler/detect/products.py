"""GPU products of nodes without the product label, from the ResourceSlices of the GPU's DRA driver.

Where no device plugin and no GPU Feature Discovery run, nobody labels nodes. The driver publishes the NVML name with spaces, so it
is cleaned as GPU Feature Discovery cleans it, and one fleet that mixes both reports one product.
Source: NVIDIA/cluster-readiness-engine, documentation of platform detection (ResourceSlice fallback).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from bundler.detect.gpus import PRODUCT
from bundler.detect.unread import unread

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bundler.detect.nodes import Node
    from bundler.model.document import JsonObject
    from bundler.model.finding import Finding
    from bundler.model.snapshot import Snapshot

__all__ = ["SLICES", "cleaned", "slice_products", "with_products"]

SLICES = "resourceslices.resource.k8s.io"
"""The resource, as a snapshot names it."""

_API_VERSION = "resource.k8s.io/v1"
_DRIVER = "gpu.nvidia.com"
_PASSTHROUGH = "vfio"
_DROPPED = re.compile(r"[^A-Za-z0-9\-_. ]")
_SPACE = re.compile(r" +")


def with_products(nodes: Sequence[Node], snapshot: Snapshot) -> tuple[tuple[Node, ...], tuple[Finding, ...]]:
    """The nodes, those without the product label named by their ResourceSlices where these say it.

    Returns:
        The nodes, and what could not be read: nodes stay without a product then.
    """
    if all(node.has_label for node in nodes):
        return tuple(nodes), ()
    if (gap := snapshot.gap(SLICES)) is not None:
        return tuple(nodes), (unread(gap, f"nodes without the label {PRODUCT} stay without a GPU product"),)
    found = slice_products(snapshot.of(SLICES))
    return tuple(node if node.has_label else replace(node, product=found.get(node.name, "")) for node in nodes), ()


def slice_products(slices: Iterable[JsonObject]) -> dict[str, str]:
    """Node → the product of its first device that has one."""
    products: dict[str, str] = {}
    for each in slices:
        spec = each.get("spec") or {}
        name = spec.get("nodeName")
        if each.get("apiVersion", _API_VERSION) == _API_VERSION and spec.get("driver") == _DRIVER and name and name not in products:
            product = next(filter(None, map(_product, spec.get("devices") or ())), None)
            if product is not None:
                products[name] = product
    return products


def cleaned(name: str) -> str:
    """A device's name as GPU Feature Discovery writes it into a label: `NVIDIA GB300` becomes `NVIDIA-GB300`."""
    return _SPACE.sub("-", _DROPPED.sub("", name))


def _product(device: JsonObject) -> str | None:
    """The product of a device. One passed through to virtual machines has a name of the PCI ID list, which is no product."""
    attributes = device.get("attributes") or {}
    if _text(attributes, "type") == _PASSTHROUGH:
        return None
    name = _text(attributes, "productName")
    return cleaned(name) if name else None


def _text(attributes: JsonObject, name: str) -> str | None:
    value = (attributes.get(name) or {}).get("string")
    return value if isinstance(value, str) else None
