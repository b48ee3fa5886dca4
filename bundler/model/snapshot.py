"""What was read from a cluster: the objects that detection and validation look at, and what could not be read."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING

from bundler.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bundler.model.document import JsonObject

__all__ = ["Gap", "GapReason", "Snapshot"]


class GapReason(StrEnum):
    """Why a kind of object is not in a snapshot."""

    FORBIDDEN = "forbidden"
    ABSENT = "absent"
    UNAVAILABLE = "unavailable"
    TIMEOUT = "timeout"
    NOT_ASKED = "not-asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A kind of object that could not be read. An empty list proves that there is none; a gap proves nothing.

    Attributes:
        resource: plural name and API group as `kubectl` writes them, such as `resourceslices.resource.k8s.io`.
        message: what the API server or the file said, in one line.
    """

    resource: str
    reason: GapReason
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """Objects of one cluster, trimmed to the fields that are read.

    Attributes:
        sources: where it was read from, for people: file names, or the name of a kubeconfig context.
        version: the API server's version, such as `v1.34.1`, or None when it is not known.
        objects: plural name and API group (`nodes`, `pods`, `networks.networking.gke.io`) → the objects, by namespace and name.
            A resource that was read and has no objects is present with an empty tuple; one that was not read is absent.
        gaps: what could not be read, by resource.
    """

    sources: tuple[str, ...]
    version: str | None = None
    objects: Mapping[str, tuple[JsonObject, ...]] = field(default_factory=dict, repr=False)
    gaps: tuple[Gap, ...] = ()

    def of(self, resource: str) -> tuple[JsonObject, ...]:
        """The objects of a resource, empty when there are none or when they were not read: ask `gap` to tell the two apart."""
        return self.objects.get(resource, ())

    def gap(self, resource: str) -> Gap | None:
        """Why a resource is not known, or None when it was read."""
        if resource in self.objects:
            return None
        stated = next((gap for gap in self.gaps if gap.resource == resource), None)
        return stated or Gap(resource=resource, reason=GapReason.NOT_ASKED)
