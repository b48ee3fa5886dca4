"""The bill of materials: every image and every chart that bundles pull, merged from their locks."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from bundler.bom.known import PRELOADED, TAG_ONLY
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.kube.image import Image

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bundler.model.document import JsonObject

__all__ = ["Bill", "BilledChart", "BilledImage", "Pinning", "bill_of"]


class Pinning(StrEnum):
    """How firmly a reference names its image."""

    PINNED = "pinned"
    """The reference holds the digest."""
    BY_TAG = "by tag"
    """The reference holds a tag, whose digest is published."""
    TAG_ONLY = TAG_ONLY
    """The reference holds a tag, and no digest is published."""
    PRELOADED = PRELOADED
    """The node brings the image; it is in no registry."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BilledImage:
    """One image.

    Attributes:
        image: the reference as published, with its registry.
        digest: the digest, or the empty string.
        completed: what is added to the tag when it is pulled.
        at: where it is pulled from instead, in a relocated bundle.
        owners: the objects and charts that name it, sorted.
    """

    image: str
    pinning: Pinning
    digest: str = ""
    completed: str = ""
    at: str = ""
    owners: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class BilledChart:
    """One chart in one version.

    Attributes:
        complete: whether all of its images are declared.
    """

    component: str
    version: str
    repository: str
    chart: str
    complete: bool = True

    @property
    def owner(self) -> str:
        """How an image that the chart brings names it."""
        return f"chart {self.component} {self.version}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bill:
    """What a bundle, or a whole catalogue, pulls.

    Attributes:
        name: of what it is.
        images: sorted by reference.
        charts: sorted by component.
    """

    name: str
    images: tuple[BilledImage, ...]
    charts: tuple[BilledChart, ...]


def bill_of(name: str, locks: Iterable[JsonObject]) -> Bill:
    """The bill of one or several bundles.

    Args:
        name: of what it is.
        locks: documents of kind BundleLock, or others with the same `images` and `components`.
    """
    images: dict[str, BilledImage] = {}
    charts: set[BilledChart] = set()
    for lock in locks:
        versions = {component["name"]: component.get("version", "") for component in lock["components"]}
        for entry in lock["images"]:
            image = _image(entry, versions)
            known = images.get(image.image)
            if known is not None:
                image = _merged(known, image)
            images[image.image] = image
        charts.update(_chart(component) for component in lock["components"] if "chart" in component)
    return Bill(name=name, images=tuple(images[text] for text in sorted(images)), charts=tuple(sorted(charts)))


def _image(entry: JsonObject, versions: Mapping[str, str]) -> BilledImage:
    text, digest = entry["image"], entry["digest"]
    owners = tuple(sorted({_owner(owner, versions) for owner in entry["owners"]}))
    try:
        image = Image.parse(text)
    except InvalidInput:  # a lock that no bundle has; what is written is shown
        return BilledImage(image=text, pinning=Pinning.TAG_ONLY, owners=owners)
    if digest == PRELOADED:
        return BilledImage(image=text, pinning=Pinning.PRELOADED, owners=owners)
    if digest == TAG_ONLY:
        pinning, digest = Pinning.TAG_ONLY, ""
    else:
        pinning = Pinning.PINNED if image.digest else Pinning.BY_TAG
    completed, at = entry.get("completed", ""), entry.get("at", "")
    return BilledImage(image=str(image), pinning=pinning, digest=digest, completed=completed, at=at, owners=owners)


def _owner(owner: JsonObject, versions: Mapping[str, str]) -> str:
    if "component" not in owner:
        return str(owner["object"])
    component = owner["component"]
    return f"chart {component} {owner.get('version', versions.get(component, ''))}"


def _merged(one: BilledImage, other: BilledImage) -> BilledImage:
    """One image, which two bundles pull for several owners."""
    owners = tuple(sorted({*one.owners, *other.owners}))
    return BilledImage(
        image=one.image,
        pinning=one.pinning,
        digest=one.digest or other.digest,
        completed=one.completed or other.completed,
        at=one.at or other.at,
        owners=owners,
    )


def _chart(component: JsonObject) -> BilledChart:
    return BilledChart(
        component=component["name"],
        version=component["version"],
        repository=component["repository"],
        chart=component["chart"],
        complete="images" not in component,
    )
