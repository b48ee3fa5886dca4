"""One writer at a time: an advisory lock on a file, held by the process and released by the kernel when it dies."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bundler.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bundler.model.location import Location

__all__ = ["exclusive"]

_PID_DIGITS = 20


@contextmanager
def exclusive(path: Path, *, busy: str, location: Location) -> Iterator[None]:
    """Hold the lock at `path` and remove the file afterwards.

    Args:
        path: the lock file; its directory exists.
        busy: what is locked, for the message.
        location: for the message.

    Raises:
        Unavailable: another process holds it; the message names its pid.
        OSError: the file cannot be made.
    """
    descriptor = _acquire(path, busy, location)
    try:
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        yield
    finally:
        # The name goes while the lock is held: whoever opened the file before finds that the name is gone and starts again.
        path.unlink(missing_ok=True)
        os.close(descriptor)


def _acquire(path: Path, busy: str, location: Location) -> int:
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_named(descriptor, path):
                return descriptor
        except BlockingIOError:
            owner = os.read(descriptor, _PID_DIGITS).decode("ascii", "replace").strip() or "unknown"
            os.close(descriptor)
            message = f"another aicr run (process {owner}) is writing {busy!r}"
            raise Unavailable("AICR-O016", message, location=location, fix="wait until it has ended") from None
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _is_named(descriptor: int, path: Path) -> bool:
    """Whether the locked file is still the one at `path`, not one that its owner removed between our open and our lock."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.lstat())
    except FileNotFoundError:
        return False
