"""One cluster of a fleet: what its bundle is made from, and where that is written."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from bundler.dataclass import dataclass

if TYPE_CHECKING:
    from pathlib import Path

    from bundler.model.location import Location
    from bundler.model.request import Request

__all__ = ["Cluster"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """A cluster, small enough to be handed to another process.

    Attributes:
        name: once in the fleet.
        request: what its bundle is made from, without what stands in files, which are read when their turn comes.
        recipe_file: a recipe that is not in the catalogue.
        certification_file: a Certification.
        snapshots: what was read from the cluster; it fills in what the request leaves open.
        output: POSIX path of its bundle relative to the fleet's root.
        location: where the cluster is written.
    """

    name: str
    request: Request = field(repr=False)
    recipe_file: Path | None = None
    certification_file: Path | None = None
    snapshots: tuple[Path, ...] = ()
    output: str
    location: Location
