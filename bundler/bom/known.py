"""What is known of an image beyond how a manifest writes it: a published digest, a tag that is completed, a node that brings it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.bom.chart_images import declaration
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.kube.image import Image

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bundler.catalog.catalog import Catalog
    from bundler.model.composition import Component
    from bundler.model.document import JsonObject

__all__ = ["PRELOADED", "TAG_ONLY", "Known"]

TAG_ONLY = "tag only"
"""Instead of a digest: none is published, so what the reference names may change."""

PRELOADED = "preloaded"
"""Instead of a digest: the node brings the image, and no registry has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Facts by image.

    Attributes:
        tagged: name and tag → an entry of the image table or of a chart's declarations.
    """

    tagged: Mapping[tuple[str, str | None], JsonObject]

    @classmethod
    def of(cls, catalog: Catalog, components: Iterable[Component]) -> Known:
        """The image table, and what the charts of these components are declared to bring or to be told."""
        entries = [*catalog.images.values()]
        for component in components:
            declared = declaration(catalog, component)
            if declared is not None:
                entries += [*declared["images"], *declared.get("operands", ())]
        return cls(tagged={(Image.parse(entry["repository"]).name, entry.get("tag")): entry for entry in entries})

    def entry(self, text: str) -> JsonObject:
        """The entry of a reference by its name and tag; empty when there is none."""
        try:
            image = Image.parse(text)
        except InvalidInput:  # conformance judges the form
            return {}
        return self.tagged.get((image.name, image.tag), {})

    def digest(self, text: str) -> str:
        """The digest of a reference: its own, else the published one, else why there is none."""
        try:
            own = Image.parse(text).digest
        except InvalidInput:  # what is no reference pins nothing
            return TAG_ONLY
        entry = self.entry(text)
        if own is None and entry.get("preloaded"):
            return PRELOADED
        return own or str(entry.get("digest", TAG_ONLY))
