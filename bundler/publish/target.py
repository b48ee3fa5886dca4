"""Where a bundle may be written, and the names used beside it while it is."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from bundler.catalog.root import FOLDERS
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.model.location import Location

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bundler.catalog.catalog import Catalog

__all__ = ["Target", "locate", "protected_by"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """An output directory.

    Attributes:
        shown: the path as the user gave it.
        path: absolute, with every link above it resolved; nothing stands there, or a real directory does.
    """

    shown: str
    path: Path

    @property
    def lock(self) -> Path:
        """The file whose lock keeps other runs away."""
        return self._beside("lock")

    @property
    def staged(self) -> Path:
        """The new tree while it grows; after the exchange, the tree that was replaced."""
        return self._beside("new")

    @property
    def retired(self) -> Path:
        """The tree that was replaced, where the platform cannot exchange two directories."""
        return self._beside("old")

    @property
    def location(self) -> Location:
        """For findings."""
        return Location(file=self.shown)

    def leftovers(self) -> tuple[Path, ...]:
        """What a run that was killed has left beside the directory."""
        return tuple(path for path in (self.lock, self.staged, self.retired) if os.path.lexists(path))

    def _beside(self, role: str) -> Path:
        return self.path.with_name(f".{self.path.name}.aicr-{role}")


def locate(out: Path, protected: Iterable[Path] = ()) -> Target:
    """Check that a bundle may be written to `out`.

    Args:
        out: as the user gave it.
        protected: directories of authored data.

    Raises:
        InvalidInput: `out` is a link or no directory, is or holds the current directory or the home directory, or overlaps
            authored data.
    """
    shown = str(out)
    if "\0" in shown:
        raise InvalidInput("AICR-O010", f"not a path: {shown!r}", fix="name a directory")
    # The last name is not resolved, so that a link there is seen as one; a path that ends in `..` has no last name.
    named = out.name not in {"", ".."}
    path = Path(os.path.realpath(out.parent), out.name) if named else Path(os.path.realpath(out))
    target = Target(shown=shown, path=path)
    mode = _mode(path)
    if stat.S_ISLNK(mode):
        message = f"output is a symbolic link: {shown!r}"
        raise InvalidInput("AICR-O011", message, location=target.location, fix="name the directory it points to")
    if mode and not stat.S_ISDIR(mode):
        message = f"output is not a directory: {shown!r}"
        raise InvalidInput("AICR-O010", message, location=target.location, fix="name a directory, or remove the file")
    for place, what in ((Path.cwd(), "the current directory"), (_home(), "the home directory")):
        if place is not None and place.is_relative_to(path):
            relation = "is" if place == path else "holds"
            message = f"output {relation} {what}: {shown!r}"
            raise InvalidInput("AICR-O012", message, location=target.location, fix="name a new directory below it")
    for place in map(Path, map(os.path.realpath, protected)):
        if path.is_relative_to(place) or place.is_relative_to(path):
            message = f"output overlaps the authored data in {str(place)!r}: {shown!r}"
            raise InvalidInput("AICR-O012", message, location=target.location, fix="name a directory outside the authored data")
    return target


def protected_by(catalog: Catalog) -> tuple[Path, ...]:
    """The directories of authored data: the folders of the packaged data, and the whole of a `--data` directory."""
    packaged = tuple(catalog.sources[0].root / folder for folder in FOLDERS)
    return packaged if catalog.data is None else (*packaged, catalog.data)


def _mode(path: Path) -> int:
    """File type and permissions; 0 when nothing is there or it cannot be seen, which the write itself will report."""
    try:
        return path.lstat().st_mode
    except OSError:
        return 0


def _home() -> Path | None:
    try:
        return Path(os.path.realpath(Path.home()))
    except RuntimeError:  # a user without a home directory
        return None
