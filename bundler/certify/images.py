"""Images as the controller's catalogue writes them: by tag. A digest that is known is added where a bundle is closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.catalog.store import nearest
from bundler.errors import InvalidInput
from bundler.render.functions import reference

if TYPE_CHECKING:
    from bundler.catalog.catalog import Catalog
    from bundler.model.location import Location

__all__ = ["tagged"]


def tagged(catalog: Catalog, name: str, *, location: Location | None = None) -> str:
    """The reference of a named image, without its digest.

    Raises:
        InvalidInput: `bom/images.yaml` does not name it.
    """
    if name not in catalog.images:
        message = f"no image is named {name!r} in bom/images.yaml"
        raise InvalidInput("AICR-S031", message, location=location, fix=nearest(name, catalog.images))
    return reference({key: value for key, value in catalog.images[name].items() if key != "digest"})
