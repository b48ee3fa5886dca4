"""Drift: how a directory differs from the bundle it should hold. Reads, never writes."""

from __future__ import annotations

import difflib
from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING

from bundler.dataclass import dataclass
from bundler.errors import InvalidInput, NotFound, Unavailable
from bundler.model.location import Location
from bundler.publish.tree import VERSION_CONTROL, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from bundler.model.bundle import Bundle
    from bundler.publish.tree import Entry

__all__ = ["Change", "ChangeKind", "differences", "drift", "unified"]

_LARGE = 1 << 20


class ChangeKind(StrEnum):
    """In what way one path is not what the bundle says."""

    CHANGED = "changed"
    MISSING = "missing"
    EXTRA = "extra"
    MODE = "mode"
    SYMLINK = "symlink"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One path that differs.

    Attributes:
        path: POSIX path relative to the directory.
        committed: bytes in the directory; None when there is no regular file, or one too large to show.
        rendered: bytes of the bundle; None for an extra file.
        note: what the bytes do not show, as a phrase.
    """

    path: str
    kind: ChangeKind
    committed: bytes | None = field(default=None, repr=False)
    rendered: bytes | None = field(default=None, repr=False)
    note: str = ""

    def __str__(self) -> str:
        return f"{self.kind}: {self.path}" + (f" ({self.note})" if self.note else "")


def drift(bundle: Bundle, directory: Path) -> tuple[Change, ...]:
    """Compare a directory with a bundle, closed world: a file that the bundle does not have is drift too.

    Of the permissions only the executable bit counts, since git keeps no other. Empty directories do not count, and neither does
    `.git` at the top.

    Returns:
        Changes by path; empty when the directory is the bundle.

    Raises:
        NotFound: `directory` does not exist.
        InvalidInput: it is no directory.
        Unavailable: something in it cannot be read.
    """
    location = Location(file=str(directory))
    try:
        found = walk(directory, skip=VERSION_CONTROL)
        return differences(bundle.files, found)
    except FileNotFoundError:
        message = f"bundle directory does not exist: {str(directory)!r}"
        raise NotFound("AICR-O021", message, location=location, fix="check the path, or write the bundle first") from None
    except NotADirectoryError:
        message = f"not a directory: {str(directory)!r}"
        raise InvalidInput("AICR-O022", message, location=location, fix="name the directory that holds the bundle") from None
    except OSError as error:
        place = str(error.filename or directory)
        message = f"cannot read {place!r}: {error.strerror}"
        raise Unavailable("AICR-O023", message, location=Location(file=place), fix="make it readable") from None


def differences(files: Mapping[str, bytes], found: Mapping[str, Entry]) -> tuple[Change, ...]:
    """Every difference between the files of a bundle and the entries of a directory, by path.

    Raises:
        OSError: a file cannot be read.
    """
    changes = [change for path, content in files.items() if (change := _compare(path, content, found.get(path)))]
    changes += [
        Change(path=path, kind=ChangeKind.EXTRA, note="" if entry.is_file else entry.word)
        for path, entry in found.items()
        if path not in files and not entry.is_directory
    ]
    return tuple(sorted(changes, key=lambda change: change.path))


def unified(changes: Iterable[Change]) -> str:
    """A unified diff from what the directory holds (`-`) to what the recipe renders to (`+`).

    Control characters in the files are not escaped here: what prints the text does that.
    """
    return "".join(line for change in changes for line in _lines(change))


def _compare(path: str, content: bytes, entry: Entry | None) -> Change | None:
    if entry is None:
        return Change(path=path, kind=ChangeKind.MISSING, rendered=content)
    if not entry.is_file:
        kind = ChangeKind.SYMLINK if entry.is_link else ChangeKind.CHANGED
        return Change(path=path, kind=kind, rendered=content, note=f"{entry.word}, not a regular file")
    committed = entry.read(len(content) + _LARGE)
    if len(committed) == len(content) + _LARGE:
        return Change(path=path, kind=ChangeKind.CHANGED, rendered=content, note="too large to show")
    if committed != content:
        note = "line endings are CR LF" if committed.replace(b"\r\n", b"\n") == content else ""
        return Change(path=path, kind=ChangeKind.CHANGED, committed=committed, rendered=content, note=note)
    if entry.is_executable:
        return Change(path=path, kind=ChangeKind.MODE, committed=content, rendered=content, note="executable")
    return None


def _lines(change: Change) -> Iterator[str]:
    if change.kind is ChangeKind.EXTRA:
        yield f"only in the directory: {change.path}" + (f" ({change.note})\n" if change.note else "\n")
        return
    if change.note:
        yield f"{change.path}: {change.note}\n"
    if change.kind is ChangeKind.MISSING or change.committed is not None:
        before, after = _text(change.committed), _text(change.rendered)
        if before is None or after is None:
            yield f"binary files differ: {change.path}\n"
            return
        origin = "/dev/null" if change.kind is ChangeKind.MISSING else f"{change.path} (committed)"
        for line in difflib.unified_diff(before, after, origin, f"{change.path} (rendered)", lineterm="\n"):
            yield line if line.endswith("\n") else f"{line}\n\\ no newline at end of file\n"


def _text(content: bytes | None) -> list[str] | None:
    """Lines with their ends, split at LF alone; None when the bytes are not UTF-8 text."""
    try:
        text = (content or b"").decode("utf-8")
    except UnicodeDecodeError:
        return None
    # `str.splitlines` would also split at form feeds and Unicode separators and so show a line number no editor agrees with.
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop().removesuffix("\n")
    return [*lines, last] if last else lines
