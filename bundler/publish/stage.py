"""The new tree, built beside the output directory and on disk before it takes its place."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from bundler.publish.inventory import NAME
from bundler.publish.tree import ancestors

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from bundler.publish.tree import Entry

__all__ = ["Step", "carry", "stage", "sync", "sync_tree"]

Step: TypeAlias = Callable[[str], None]
"""Called after each step of a write with its name: where tests stop the process."""

_FILE = 0o644
_DIRECTORY = 0o755
# A link that cannot be made is no failure: the file is moved over once the new tree is in place.
_NO_LINK = frozenset({errno.EPERM, errno.EACCES, errno.EMLINK, errno.ENOTSUP, errno.EOPNOTSUPP})


def stage(files: Mapping[str, bytes], root: Path, *, step: Step) -> None:
    """Write all files below `root`, which must not exist. Modes are 0644 and 0755 whatever the umask.

    The inventory is written first: with it, a tree that a crash left half built can be told from a user's files and removed.

    Raises:
        OSError: something could not be written.
    """
    _make_directory(root)
    made: set[str] = set()
    for path in (NAME, *(path for path in files if path != NAME)):
        for directory in ancestors(path):
            if directory not in made:
                _make_directory(root / directory)
                made.add(directory)
        _write(root / path, files[path])
        step(f"staged {path}")


def carry(found: Mapping[str, Entry], ours: Collection[str], root: Path) -> None:
    """Link what the bundle does not own into the new tree, so that it is there from the instant the tree takes its place.

    Args:
        found: what stands in the output directory, directories before what they hold.
        ours: paths of files that the bundle owns or owned.
        root: the new tree.

    Raises:
        OSError: a directory could not be made.
    """
    owned = {directory for path in ours for directory in ancestors(path)}
    directories = []
    for path, entry in found.items():
        place = root / path
        if entry.is_directory and path not in owned:
            place.mkdir(parents=True, exist_ok=True)
            directories.append((place, entry))
        elif not entry.is_directory and path not in ours:
            place.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(entry.place, place, follow_symlinks=False)
            except OSError as error:
                if error.errno not in _NO_LINK:
                    raise
    for place, entry in reversed(directories):
        place.chmod(stat.S_IMODE(entry.status.st_mode))


def sync_tree(files: Mapping[str, bytes], root: Path) -> None:
    """Bring the directories of a staged bundle to disk, the deepest first; its files are there already.

    Raises:
        OSError: the disk reports a failure.
    """
    for directory in sorted({directory for path in files for directory in ancestors(path)}, reverse=True):
        sync(root / directory)
    sync(root)


def sync(directory: Path) -> None:
    """Bring the entries of one directory to disk, where its file system has such a notion.

    Raises:
        OSError: the disk reports a failure.
    """
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
    finally:
        os.close(descriptor)


def _make_directory(place: Path) -> None:
    place.mkdir()
    place.chmod(_DIRECTORY)


def _write(place: Path, content: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(place, flags, _FILE), "wb") as file:
        os.fchmod(file.fileno(), _FILE)
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
