"""Images of Workflows by digest, where one is known: from the image table, and from the releases that were selected.

The controller's catalogue names images by tag. A Workflow in a bundle says the bytes, as everything else there does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.certify.runtimes import trainer_of
from bundler.errors import InvalidInput
from bundler.kube.image import Image

if TYPE_CHECKING:
    from bundler.catalog.catalog import Catalog
    from bundler.model.composition import Composition
    from bundler.model.document import JsonObject

__all__ = ["Pins", "pinned", "pins_of", "primary_image", "with_pins"]

Pins = dict[tuple[str, str | None], str]
"""Name and tag → digest."""


def pins_of(catalog: Catalog, composition: Composition) -> Pins:
    """The digests that are known."""
    parts = [part for selection in composition.selections for record in selection.releases.values() for part in record.values()]
    entries = [*catalog.images.values(), *(part for part in parts if isinstance(part, dict) and "repository" in part)]
    return {(Image.parse(entry["repository"]).name, entry.get("tag")): entry["digest"] for entry in entries if "digest" in entry}


def pinned(text: str, pins: Pins) -> str:
    """A reference with its digest; as it is when it has one, or none is known."""
    try:
        image = Image.parse(text)
    except InvalidInput:  # conformance judges the form
        return text
    digest = pins.get((image.name, image.tag))
    return f"{text}@{digest}" if digest and image.digest is None else text


def primary_image(workflow: JsonObject, pins: Pins) -> str:
    """The image of a Workflow's trainer by digest; empty when none is known."""
    text = str(trainer_of(workflow["spec"]).get("image", ""))
    found = pinned(text, pins)
    return found if "@" in found else ""


def with_pins(data: Any, pins: Pins) -> Any:
    """A copy in which every `image` that is a text has its digest."""
    if isinstance(data, dict):
        return {
            key: pinned(value, pins) if key == "image" and isinstance(value, str) else with_pins(value, pins)
            for key, value in data.items()
        }
    return [with_pins(item, pins) for item in data] if isinstance(data, list) else data
