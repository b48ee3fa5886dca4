"""What stands in a directory, without following a link or opening what is not a regular file."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from bundler.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["VERSION_CONTROL", "Entry", "ancestors", "walk"]

VERSION_CONTROL = frozenset({".git"})
"""What may stand at the top of an output directory that is a repository of its own; it is no content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One directory entry.

    Attributes:
        path: POSIX path relative to the directory that was walked.
        place: where it is on disk.
        status: of the entry itself, never of what a link points to.
    """

    path: str
    place: Path
    status: os.stat_result

    @property
    def is_directory(self) -> bool:
        """Whether it is a real directory."""
        return stat.S_ISDIR(self.status.st_mode)

    @property
    def is_file(self) -> bool:
        """Whether it is a regular file."""
        return stat.S_ISREG(self.status.st_mode)

    @property
    def is_link(self) -> bool:
        """Whether it is a symbolic link."""
        return stat.S_ISLNK(self.status.st_mode)

    @property
    def is_executable(self) -> bool:
        """Whether its owner may execute it: the one permission that git keeps."""
        return bool(self.status.st_mode & stat.S_IXUSR)

    @property
    def word(self) -> str:
        """What it is, for messages."""
        if self.is_link:
            return "a symbolic link"
        if self.is_directory:
            return "a directory"
        return "a regular file" if self.is_file else "a special file"

    def read(self, limit: int | None = None) -> bytes:
        """The bytes of a regular file, at most `limit`.

        Raises:
            OSError: it cannot be read, or became a link since it was listed.
        """
        # Without O_NONBLOCK the open would hang if the entry had become a FIFO in the meantime.
        descriptor = os.open(self.place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            return file.read(-1 if limit is None else limit)


def walk(root: Path, *, skip: frozenset[str] = frozenset()) -> dict[str, Entry]:
    """Everything below `root`, directories before what they hold, sorted by path within each.

    Args:
        root: an existing directory.
        skip: relative paths that are left out, with all below them.

    Raises:
        OSError: a directory cannot be listed.
    """
    return {entry.path: entry for entry in _below(root, "", skip)}


def ancestors(path: str) -> tuple[str, ...]:
    """The directories above a relative path, the nearest last: `a`, `a/b` for `a/b/c`."""
    names = path.split("/")
    return tuple("/".join(names[:depth]) for depth in range(1, len(names)))


def _below(directory: Path, prefix: str, skip: frozenset[str]) -> Iterator[Entry]:
    with os.scandir(directory) as found:
        names = sorted(entry.name for entry in found)
    for name in names:
        path = f"{prefix}{name}"
        if path in skip:
            continue
        place = directory / name
        entry = Entry(path=path, place=place, status=place.lstat())
        yield entry
        if entry.is_directory:
            yield from _below(place, f"{path}/", skip)
