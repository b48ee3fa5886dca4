"""The platforms that overrides know: one list, from which choices, documentation, errors and detection are made."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bundler.catalog.store import nearest
from bundler.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bundler.catalog.catalog import Catalog
    from bundler.detect.nodes import Node
    from bundler.model.document import JsonObject
    from bundler.model.location import Location

__all__ = ["FALLBACK", "detect_platform", "is_recognised", "platform_of", "platform_of_node", "platforms", "require_platform"]

FALLBACK = "onprem"
"""What a node without a provider ID is on, and so what is rendered where no platform is stated."""


def platforms(catalog: Catalog) -> Mapping[str, JsonObject]:
    """Platforms by name, in the order in which messages list them."""
    return catalog.derived(_read)


def platform_of(catalog: Catalog, service: str) -> str:
    """The platform of a service's nodes: the one that names it, else the fallback of detection."""
    return next((name for name, row in platforms(catalog).items() if service in row.get("services", ())), FALLBACK)


def require_platform(catalog: Catalog, name: str, *, location: Location | None = None) -> str:
    """The name of a platform.

    Raises:
        InvalidInput: there is no such platform.
    """
    known = platforms(catalog)
    if name not in known:
        message = f"invalid platform {name!r}: must be one of {', '.join(known)}"
        raise InvalidInput("AICR-R004", message, location=location, fix=nearest(name, known))
    return name


def detect_platform(catalog: Catalog, nodes: Iterable[Node], *, location: Location | None = None, pointer: str = "") -> str:
    """The platform that all nodes are on; that of a node without a provider ID where there are none.

    Raises:
        InvalidInput: they are on several. The first node is not asked for the others.
    """
    counts = Counter(platform_of_node(catalog, node) for node in nodes)
    if len(counts) > 1:
        message = f"heterogeneous platforms detected: {', '.join(f'{name} ({counts[name]})' for name in sorted(counts))}"
        fix = "narrow the target to the nodes of one platform, or state the platform"
        raise InvalidInput("AICR-N003", message, location=location, pointer=pointer, fix=fix)
    return next(iter(counts), FALLBACK)


def platform_of_node(catalog: Catalog, node: Node) -> str:
    """The platform of one node, by its provider ID and labels."""
    for name, platform in platforms(catalog).items():
        if any(is_recognised(node, way) for way in platform.get("nodes", ())):
            return name
    return FALLBACK


def is_recognised(node: Node, way: Mapping[str, str]) -> bool:
    """Whether a node fits one way of recognising it: all that the way states of provider ID and label."""
    prefix = way.get("providerID")
    if prefix is not None and not (node.provider_id.startswith(prefix) if prefix else not node.provider_id):
        return False
    label = way.get("label")
    return label is None or (label in node.labels and way.get("contains", "") in node.labels[label])


def _read(catalog: Catalog) -> dict[str, JsonObject]:
    document = catalog.document("recipes/certification/platforms.yaml", kind="PlatformTable")
    return {platform["name"]: platform for platform in document.data["platforms"]}
