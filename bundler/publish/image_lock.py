"""The images of a bundle: each reference as written, what it resolves to, and the objects that hold it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.conform.images import image_fields
from bundler.errors import InvalidInput
from bundler.kube.image import Image
from bundler.model.pointer import parent, resolve
from bundler.render.functions import reference
from bundler.yamlio.writer import to_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bundler.kube.resource import Resource
    from bundler.model.document import JsonObject

__all__ = ["PRELOADED", "UNPINNED", "locked_images"]

UNPINNED = "unpinned"
"""Instead of a digest: the reference has none, so what it names may change."""

PRELOADED = "preloaded"
"""Instead of a digest: the node brings the image, and no registry has it."""


def locked_images(objects: Iterable[tuple[str, Resource]], images: Mapping[str, JsonObject]) -> list[JsonObject]:
    """The `images` of a lock, sorted by reference.

    Args:
        objects: path of each object's file, and the object.
        images: the image table by name.
    """
    preloaded = {reference(entry) for entry in images.values() if entry.get("preloaded")}
    owners: dict[str, list[JsonObject]] = {}
    for path, resource in objects:
        for pointer, value in image_fields(resource.data):
            image = _written(resource, pointer, value)
            owners.setdefault(image, []).append({"object": resource.subject, "file": path, "pointer": pointer})
    return [
        {
            "image": image,
            "digest": PRELOADED if image in preloaded else _digest(image),
            "owners": sorted(owners[image], key=lambda owner: (owner["file"], owner["pointer"])),
        }
        for image in sorted(owners)
    ]


def _digest(image: str) -> str:
    try:
        return Image.parse(image).digest or UNPINNED
    except InvalidInput:  # conformance judges the form; what is no reference pins nothing
        return UNPINNED


def _written(resource: Resource, pointer: str, value: Any) -> str:
    """The reference; where an operator composes it from fields beside each other (NicClusterPolicy), these in the usual form."""
    parts = value if isinstance(value, dict) else resolve(resource.data, parent(pointer))
    if not isinstance(parts, dict) or not isinstance(parts.get("repository"), str):
        return value if isinstance(value, str) else to_json(value)
    name = [str(parts[key]) for key in ("repository", "image") if isinstance(parts.get(key), str)]
    version = str(parts.get("digest") or parts.get("version") or parts.get("tag") or "")
    separator = "@" if version.startswith("sha256:") else ":" if version else ""
    return f"{'/'.join(name)}{separator}{version}"
