"""The bundles that stand in a directory, such as all those of a repository."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from bundler.errors import NotFound
from bundler.model.location import Location
from bundler.publish import bundle_lock, inventory

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["bundles_in", "is_bundle"]

_RECIPE = "recipe.yaml"


def is_bundle(directory: Path) -> bool:
    """Whether a directory is a bundle, or was one: a file that is missing is for a check to say."""
    names = (bundle_lock.NAME, inventory.NAME, _RECIPE)
    return sum((directory / name).is_file() for name in names) > 1


def bundles_in(directory: Path) -> tuple[Path, ...]:
    """The directory if it is a bundle, else every bundle below it, by path.

    Links are not followed, and what begins with a dot is left out, such as `.git`.

    Raises:
        NotFound: there is none.
    """
    found = tuple(sorted(_below(directory)))
    if not found:
        message = (
            f"no bundle in {str(directory)!r}" if directory.is_dir() else f"bundle directory does not exist: {str(directory)!r}"
        )
        fix = "check the path, or write the bundle first"
        raise NotFound("AICR-O021", message, location=Location(file=str(directory)), fix=fix)
    return found


def _below(directory: Path) -> Iterator[Path]:
    for place, folders, _ in os.walk(directory):
        path = Path(place)
        if is_bundle(path):
            folders.clear()
            yield path
        folders[:] = [name for name in folders if not name.startswith(".")]
