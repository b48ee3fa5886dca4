"""Remove a tree that is no longer the bundle, without losing a file that is not ours.

Such a tree is the bundle that was just replaced, or what a killed run left: a new tree half built, or an old one half removed.
"""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING

from bundler.errors import InvalidInput, Unavailable
from bundler.model.location import Location
from bundler.publish.inventory import NAME, parse_inventory

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from bundler.publish.stage import Step
    from bundler.publish.target import Target

__all__ = ["dissolve", "heal"]


def heal(target: Target, *, step: Step) -> None:
    """End what a killed run began. The lock must be held.

    Raises:
        Unavailable: what it left holds files that have no free place in the output directory.
        OSError: the disk refuses.
    """
    if target.retired.is_dir() and not os.path.lexists(target.path):
        target.retired.rename(target.path)
    for leftover in (target.staged, target.retired):
        dissolve(leftover, target.path, step=step)


def dissolve(tree: Path, kept: Path, *, step: Step) -> None:
    """Remove `tree`: files that its inventory lists and second links to files in `kept` go, all others move to `kept`.

    The inventory goes last, so that a crash half-way leaves enough to go on from.

    Raises:
        Unavailable: a file is neither ours nor has a free place in `kept`; it stays in `tree`.
        OSError: the disk refuses.
    """
    if not os.path.lexists(tree):
        return
    if _is_directory(tree):
        _empty(tree, kept, listed=_listed(tree), prefix="", step=step)
        if all(place.name == NAME for place in tree.iterdir()):
            (tree / NAME).unlink(missing_ok=True)
            step("emptied")
            tree.rmdir()
            return
    message = f"files that belong to no bundle are left in {str(tree)!r}"
    raise Unavailable("AICR-O018", message, location=Location(file=str(tree)), fix="move them away, remove it, and run again")


def _empty(directory: Path, kept: Path | None, *, listed: Collection[str], prefix: str, step: Step) -> None:
    mode = directory.stat().st_mode
    if not mode & stat.S_IWUSR:
        directory.chmod(stat.S_IMODE(mode) | stat.S_IRWXU)
    for place in sorted(directory.iterdir()):
        path = f"{prefix}{place.name}"
        # Nothing is moved through a link: it may lead out of the output directory.
        counterpart = None if kept is None or kept.is_symlink() else kept / place.name
        if path == NAME:
            continue
        if _is_directory(place):
            _empty(place, counterpart, listed=listed, prefix=f"{path}/", step=step)
            _remove_if_empty(place)
        elif path in listed or _is_kept(place, counterpart):
            place.unlink()
        elif counterpart is not None and not os.path.lexists(counterpart):
            counterpart.parent.mkdir(parents=True, exist_ok=True)
            place.rename(counterpart)
        step(f"removed {path}")


def _listed(tree: Path) -> Collection[str]:
    """What the tree's inventory lists. One that was cut off while it was written lists nothing, and nothing else is in the tree."""
    try:
        return parse_inventory((tree / NAME).read_bytes())
    except (FileNotFoundError, InvalidInput):
        return ()


def _is_kept(place: Path, counterpart: Path | None) -> bool:
    """Whether the file is safe elsewhere: the same inode or a regular file with the same bytes."""
    if counterpart is None or not os.path.lexists(counterpart):
        return False
    here, there = place.lstat(), counterpart.lstat()
    if os.path.samestat(here, there):
        return True
    regular = stat.S_ISREG(here.st_mode) and stat.S_ISREG(there.st_mode)
    return regular and here.st_size == there.st_size and place.read_bytes() == counterpart.read_bytes()


def _is_directory(place: Path) -> bool:
    return place.is_dir() and not place.is_symlink()


def _remove_if_empty(directory: Path) -> None:
    try:
        directory.rmdir()
    except OSError as error:
        if error.errno not in {errno.ENOTEMPTY, errno.EEXIST}:
            raise
