"""Reading files below one root, and nothing else: the only place where authored data is taken from disk."""

from __future__ import annotations

import os
import stat
from dataclasses import field
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from bundler.catalog.root import FOLDERS
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput, NotFound
from bundler.model.finding import Finding, Severity
from bundler.model.location import Location

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["MAX_BYTES", "MAX_FILES", "DataFiles", "read_file"]

MAX_FILES = 10_000
MAX_BYTES = 1 << 20
_SUFFIXES = (".yaml", ".yml", ".json", ".j2")


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFiles:
    """The index of one data directory.

    Attributes:
        root: the directory.
        label: what messages put before a relative path; empty for the packaged data.
        paths: POSIX path relative to the root → path on disk, sorted.
        notes: entries at the top that look like misspelt folders.
    """

    root: Path
    label: str
    paths: Mapping[str, Path] = field(repr=False)
    notes: tuple[Finding, ...] = ()

    @classmethod
    def index(cls, root: Path, *, label: str) -> DataFiles:
        """List the data files below `root`.

        Raises:
            NotFound: `root` does not exist.
            InvalidInput: it is no directory, holds too many files, or a file that is not a regular file inside it.
        """
        if not root.exists():
            raise NotFound("AICR-S010", f"data directory does not exist: {str(root)!r}", fix="give an existing directory to --data")
        if not root.is_dir():
            raise InvalidInput("AICR-S010", f"data directory is not a directory: {str(root)!r}", fix="give a directory to --data")
        real = root.resolve()
        paths: dict[str, Path] = {}
        try:
            for folder in FOLDERS:
                top = root / folder
                above = len(str(top)) - len(folder)
                if top.is_symlink() or top.exists():
                    for path in _walk(top, real, label):
                        paths[path.as_posix()[above:]] = path
                        if len(paths) > MAX_FILES:
                            message = f"data directory holds more than {MAX_FILES:,} files: {str(root)!r}"
                            raise InvalidInput("AICR-S011", message, fix="give a directory that holds only authored data")
            notes = _misspelt(root)
        except OSError as error:
            message = f"cannot read the data directory {str(root)!r}: {error.strerror}"
            raise InvalidInput("AICR-S012", message, location=Location(file=str(root)), fix="make it readable") from None
        return cls(root=root, label=label, paths=dict(sorted(paths.items())), notes=notes)

    def shown(self, relative: str) -> str:
        """The path that messages show for a file of this index."""
        return f"{self.label}/{relative}" if self.label else relative

    def location(self, relative: str) -> Location:
        """The file as a place."""
        return Location(file=self.shown(relative))

    def below(self, folder: str, suffix: str) -> Iterator[str]:
        """Relative paths in `folder` and its sub-folders that end in `suffix`, sorted."""
        prefix = f"{folder}/"
        return (path for path in self.paths if path.startswith(prefix) and path.endswith(suffix))

    def read(self, relative: str) -> bytes:
        """The bytes of one indexed file.

        Raises:
            InvalidInput: it cannot be read or is too large.
        """
        return read_file(self.paths[relative], shown=self.shown(relative))


def read_file(path: Path, *, shown: str, most: int = MAX_BYTES) -> bytes:
    """The bytes of a regular file of bounded size.

    Args:
        path: the file.
        shown: the path that messages show.
        most: bytes that it may have.

    Raises:
        NotFound: nothing is there.
        InvalidInput: it is no regular file, is larger than it may be, or cannot be read.
    """
    location = Location(file=shown)
    try:
        # Opening a FIFO would block: the kind is checked first, without following what was opened.
        mode = path.stat()
        if not stat.S_ISREG(mode.st_mode):
            raise InvalidInput("AICR-S012", f"not a regular file: {shown!r}", location=location, fix="give a regular file")
        if mode.st_size > most:
            message = f"file is {mode.st_size:,} bytes, more than the limit of {most:,}: {shown!r}"
            raise InvalidInput("AICR-S013", message, location=location, fix="split the file")
        return path.read_bytes()
    except FileNotFoundError:
        raise NotFound("AICR-S014", f"file does not exist: {shown!r}", location=location, fix="check the path") from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InvalidInput(
            "AICR-S012", f"cannot read {shown!r}: {reason}", location=location, fix="make the file readable"
        ) from None


def _walk(path: Path, real_root: Path, label: str) -> Iterator[Path]:
    """The data files at and below `path`. Only what is a link, or no regular file, is looked at more than once."""
    shown = f"{label}/{path.name}" if label else path.name
    if path.is_symlink():
        _refuse_astray(path, real_root, shown)
    if path.is_dir():
        try:
            with os.scandir(path) as found:
                entries = sorted((entry for entry in found if not entry.name.startswith(".")), key=lambda entry: entry.name)
        except OSError as error:
            message = f"cannot list {str(path)!r}: {error.strerror}"
            raise InvalidInput("AICR-S012", message, location=Location(file=shown), fix="make the directory readable") from None
        for entry in entries:
            below = path / entry.name
            if not entry.is_file(follow_symlinks=False):
                yield from _walk(below, real_root, shown)
            elif entry.name.endswith(_SUFFIXES):
                yield below
    elif path.name.endswith(_SUFFIXES) or not path.exists():
        if not path.is_file():
            raise InvalidInput("AICR-S012", f"not a regular file: {shown!r}", location=Location(file=shown), fix="remove it")
        yield path


def _refuse_astray(path: Path, real_root: Path, shown: str) -> None:
    """Refuse a link that leads out of the data directory, or to a directory."""
    # `Path.resolve` raises on a link to itself; a link that leads nowhere is found later to be no regular file.
    if not Path(os.path.realpath(path)).is_relative_to(real_root):
        message = f"symbolic link leads out of the data directory: {str(path)!r}"
        raise InvalidInput("AICR-S015", message, location=Location(file=shown), fix="copy the file into the directory")
    if path.is_dir():
        message = f"symbolic link to a directory: {str(path)!r}"
        raise InvalidInput("AICR-S015", message, location=Location(file=shown), fix="copy the directory")


def _misspelt(root: Path) -> tuple[Finding, ...]:
    notes = []
    for entry in sorted(root.iterdir()):
        near = get_close_matches(entry.name, FOLDERS, n=1, cutoff=0.75)
        if near and entry.name not in FOLDERS and entry.is_dir():
            notes.append(
                Finding(
                    rule="AICR-S016",
                    message=f"directory {entry.name!r} is not read; the data folders are {', '.join(FOLDERS)}",
                    severity=Severity.WARNING,
                    location=Location(file=str(entry)),
                    fix=f"rename it to {near[0]!r} if it holds authored data",
                )
            )
    return tuple(notes)
