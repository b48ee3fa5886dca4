"""The platforms that overrides know: one list, from which choices, documentation and errors are made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.catalog.store import nearest
from bundler.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bundler.catalog.catalog import Catalog
    from bundler.model.document import JsonObject
    from bundler.model.location import Location

__all__ = ["FALLBACK", "platform_of", "platforms", "require_platform"]

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


def _read(catalog: Catalog) -> dict[str, JsonObject]:
    document = catalog.document("recipes/certification/platforms.yaml", kind="PlatformTable")
    return {platform["name"]: platform for platform in document.data["platforms"]}
