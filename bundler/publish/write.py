"""Write a bundle: staged beside the output directory, brought to disk, put in place in one step.

Whatever happens on the way, the directory holds the previous bundle or the new one, never a mixture; the next run removes what a
killed one left. Only files that the previous bundle's inventory lists are replaced or removed.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from bundler.errors import InvalidInput, Unavailable
from bundler.publish.drift import ChangeKind, differences
from bundler.publish.heal import dissolve, heal
from bundler.publish.inventory import NAME, format_inventory
from bundler.publish.lockfile import exclusive
from bundler.publish.names import problem
from bundler.publish.plan import Plan, WriteReport, plan
from bundler.publish.stage import carry, stage, sync, sync_tree
from bundler.publish.swap import exchange as exchange_directories
from bundler.publish.swap import put_in_place
from bundler.publish.target import Target, locate
from bundler.publish.tree import VERSION_CONTROL, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from bundler.model.bundle import Bundle
    from bundler.publish.stage import Step
    from bundler.publish.swap import Exchange

__all__ = ["preview", "write"]


def write(
    bundle: Bundle,
    out: Path,
    *,
    force: bool = False,
    protected: Iterable[Path] = (),
    step: Step = lambda _name: None,
    exchange: Exchange = exchange_directories,
) -> WriteReport:
    """Make `out` hold exactly the bundle, and keep what is there and belongs to no bundle.

    Nothing at all is written when `out` holds the bundle already.

    Args:
        bundle: from `bundler.publish.layout`.
        out: the output directory; it and those above it are made when they do not exist.
        force: write although `out` is no bundle, or files of the bundle in it were edited.
        protected: directories that `out` must not overlap (`bundler.publish.target.protected_by`).
        step: called after each step with its name.
        exchange: how two directories change places.

    Raises:
        InvalidInput: `out` may not be written to.
        Unavailable: another run is writing it, or the disk refuses; the previous bundle is intact.
    """
    target = locate(out, protected)
    _refuse_open(bundle.files)
    try:
        if not target.leftovers() and (report := _current(bundle.files, target)) is not None:
            return report
        with _parents(target.path.parent), exclusive(target.lock, busy=target.shown, location=target.location):
            step("locked")
            heal(target, step=step)
            planned = plan(bundle.files, target, force=force)
            if planned.report.written:
                _build(bundle.files, planned, target, step=step)
                _put_in_place(target, exchange, step=step)
            return planned.report
    except OSError as error:
        raise _refused(error, target) from None


def preview(bundle: Bundle, out: Path, *, force: bool = False, protected: Iterable[Path] = ()) -> WriteReport:
    """What `write` would do. Reads, never writes.

    Raises:
        InvalidInput: `out` may not be written to.
        Unavailable: it cannot be read.
    """
    target = locate(out, protected)
    try:
        return plan(bundle.files, target, force=force).report
    except OSError as error:
        raise _refused(error, target) from None


def _current(files: Mapping[str, bytes], target: Target) -> WriteReport | None:
    """The report of a write that has nothing to do, or None when it has."""
    if not target.path.is_dir():
        return None
    try:
        changes = differences(files, walk(target.path, skip=VERSION_CONTROL))
    except FileNotFoundError:  # another run put its tree in place meanwhile; the lock will tell
        return None
    if any(change.kind is not ChangeKind.EXTRA for change in changes):
        return None
    return WriteReport(directory=target.shown, kept=tuple(change.path for change in changes))


def _build(files: Mapping[str, bytes], planned: Plan, target: Target, *, step: Step) -> None:
    try:
        stage(files, target.staged, step=step)
        carry(planned.found, planned.ours, target.staged)
        step("carried")
        sync_tree(files, target.staged)
        step("synced")
    except BaseException:
        _abandon(target)
        raise


def _put_in_place(target: Target, exchange: Exchange, *, step: Step) -> None:
    try:
        put_in_place(target, exchange=exchange, step=step)
    except BaseException:
        _abandon(target)
        raise
    step("in place")
    for previous in (target.staged, target.retired):
        dissolve(previous, target.path, step=step)
    sync(target.path.parent)


def _abandon(target: Target) -> None:
    """Remove the staged tree after a failure, whose own message must not be hidden by a second one."""
    with suppress(OSError, Unavailable):
        dissolve(target.staged, target.path, step=lambda _name: None)


@contextmanager
def _parents(directory: Path) -> Iterator[None]:
    """Make `directory` and those above it; remove again, after a failure, those that were made and are empty."""
    missing = [place for place in (directory, *directory.parents) if not os.path.lexists(place)]
    made: list[Path] = []
    try:
        for place in reversed(missing):
            place.mkdir(exist_ok=True)
            made.append(place)
        yield
    except BaseException:
        for place in reversed(made):
            with suppress(OSError):
                place.rmdir()
        raise


def _refuse_open(files: Mapping[str, bytes]) -> None:
    """A bundle is closed: its inventory is that of its files, and no path leads out."""
    for path in files:
        if fault := problem(path):
            raise InvalidInput("AICR-O001", f"{path!r} {fault}", fix="rename what the file is named after")
    if files.get(NAME) != format_inventory(files):
        raise InvalidInput("AICR-O006", f"the bundle's {NAME} is not the list of its files", fix="build it with bundler.bundle")


def _refused(error: OSError, target: Target) -> Unavailable:
    place = error.filename if isinstance(error.filename, str) else target.shown
    message = f"cannot write {target.shown!r}: {error.strerror or error} ({place})"
    fix = "make room, or make the directory that holds it writable"
    return Unavailable("AICR-O017", message, location=target.location, fix=fix)
