"""A tar archive as a side. Nothing is unpacked: members are read where they stand, and a link is what it says."""

from __future__ import annotations

import tarfile
from typing import TYPE_CHECKING

from bundler.diff.side import Tree
from bundler.errors import InvalidInput
from bundler.model.location import Location
from bundler.sides.budget import Budget

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["is_archive", "read_archive"]

_SUFFIXES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")


def is_archive(path: Path) -> bool:
    """Whether a file is an archive by its name."""
    return path.name.lower().endswith(_SUFFIXES)


def read_archive(path: Path, label: str) -> Tree:
    """The regular files of an archive, below the one directory that holds them all where there is such.

    Raises:
        InvalidInput: it is no archive, or holds too much.
    """
    files: dict[str, bytes] = {}
    notes: dict[str, str] = {}
    budget = Budget(label=label)
    try:
        with tarfile.open(path) as archive:
            for member in archive:
                name = member.name.removeprefix("./")
                if member.isdir():
                    continue
                budget.take(member.size)
                stream = archive.extractfile(member) if member.isreg() else None
                files[name] = stream.read() if stream is not None else f"-> {member.linkname}\n".encode()
                if stream is None:
                    notes[name] = "a link" if member.issym() or member.islnk() else "a special file"
                elif member.mode & 0o100:
                    notes[name] = "executable"
    except (tarfile.TarError, EOFError, OSError, ValueError, ArithmeticError) as error:
        message = f"cannot read {label!r} as an archive: {error}"
        raise InvalidInput("AICR-D004", message, location=Location(file=label), fix="give a tar archive that is whole") from None
    return _below_top(label, files, notes)


def _below_top(label: str, files: dict[str, bytes], notes: dict[str, str]) -> Tree:
    tops = {name.partition("/")[0] for name in files if "/" in name}
    if len(tops) != 1 or not all("/" in name for name in files):
        return Tree(label=label, files=files, notes=notes)
    cut = len(tops.pop()) + 1
    return Tree(
        label=label, files={name[cut:]: content for name, content in files.items()}, notes={k[cut:]: v for k, v in notes.items()}
    )
