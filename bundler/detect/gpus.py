"""GPU architectures and the shape of their nodes: how many GPUs and NICs, by architecture and platform.

A product name is read as the controller reads it: without the vendor, up to the first hyphen, in lower case. RTX PRO 6000 is one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from bundler.catalog.store import nearest
from bundler.dataclass import dataclass
from bundler.detect.event import Reason, event
from bundler.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bundler.catalog.catalog import Catalog
    from bundler.model.document import JsonObject
    from bundler.model.finding import Finding
    from bundler.model.location import Location

__all__ = ["PRODUCT", "UNKNOWN", "Gpus", "Shape", "architecture_of"]

PRODUCT = "nvidia.com/gpu.product"
"""The node label that names a node's GPU."""

UNKNOWN = "unknown"
"""The architecture of nodes that do not say what they have."""

_VENDOR = "NVIDIA-"
_RTX_PRO = "RTX-PRO-6000"


@lru_cache(maxsize=1024)
def architecture_of(product: str) -> str:
    """The architecture of a product, such as `h100` of `NVIDIA-H100-80GB-HBM3`; empty for an empty text."""
    name = product.strip().replace(" ", "-").removeprefix(_VENDOR)
    if name.upper().startswith(_RTX_PRO):
        return "rtxpro6000"
    return name.partition("-")[0].lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What one node has."""

    gpus: int
    nics: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Gpus:
    """The table of architectures."""

    architectures: Mapping[str, JsonObject]
    overrides: Mapping[tuple[str, str], JsonObject]
    fallback: JsonObject

    @classmethod
    def of(cls, catalog: Catalog) -> Gpus:
        """The catalogue's table."""
        data = catalog.document("recipes/certification/gpu-defaults.yaml", kind="GpuDefaults").data
        return cls(
            architectures={row["name"]: row for row in sorted(data["architectures"], key=lambda row: row["name"])},
            overrides={(row["platform"], row["architecture"]): row for row in data["platformOverrides"]},
            fallback=data["fallback"],
        )

    def shape(self, platform: str, architecture: str) -> Shape:
        """What a node of an architecture has on a platform. What a row states counts, 0 too."""
        row = {**self.architectures.get(architecture, self.fallback), **self.overrides.get((platform, architecture), {})}
        return Shape(gpus=row["gpusPerNode"], nics=row["mlnxPerNode"])

    def joined_by_nvlink(self, architecture: str) -> bool:
        """Whether NVLink joins nodes of an architecture."""
        return bool(self.architectures.get(architecture, {}).get("multiNodeNVLink"))

    def require(self, text: str, *, location: Location | None = None) -> str:
        """The architecture that a user names, as a product or by itself.

        Raises:
            InvalidInput: the table does not have it.
        """
        name = architecture_of(text)
        if name not in self.architectures:
            message = f"invalid GPU architecture {text!r}: must be one of {', '.join(self.architectures)}"
            raise InvalidInput("AICR-R003", message, location=location, fix=nearest(name, self.architectures))
        return name

    def unlisted(self, architecture: str, used: Shape, *, location: Location | None = None) -> Finding | None:
        """What to say of an architecture that the table does not have, or None.

        Args:
            architecture: as detected.
            used: the counts that the run is sized at.
            location: where the nodes are chosen.
        """
        if architecture in {"", UNKNOWN} or architecture in self.architectures:
            return None
        message = (
            f"GPU architecture {architecture!r} has no entry in the catalogue's GPU defaults; "
            f"the job is sized as gpusPerNode={used.gpus} mlnxPerNode={used.nics}"
        )
        fix = "set gpusPerNode and mlnxPerNode, in spec or in a category's options, and file an issue so that it is added"
        return event(Reason.DEFAULTS, message, fix=fix, location=location)
