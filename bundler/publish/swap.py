"""Put a finished tree in the place of another in one step.

Linux: renameat2(2) with RENAME_EXCHANGE. macOS: renamex_np(2) with RENAME_SWAP. Elsewhere, and on file systems that know neither,
two renames, between which the place is empty for an instant; the next run ends what a crash in that instant began (`heal`).
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from bundler.publish.stage import sync

if TYPE_CHECKING:
    from bundler.publish.stage import Step
    from bundler.publish.target import Target

__all__ = ["Exchange", "exchange", "put_in_place"]

Exchange: TypeAlias = Callable[[Path, Path], bool]
"""Exchanges two directories atomically; returns False when the system cannot."""

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_RENAME_SWAP = 2
_NOT_SUPPORTED = frozenset({errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP})


def exchange(first: Path, second: Path) -> bool:
    """Exchange two directories atomically.

    Returns:
        False when the system or the file system cannot; nothing has changed then.

    Raises:
        OSError: it can, but refuses.
    """
    here, there = os.fsencode(first), os.fsencode(second)
    try:
        library = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "darwin":
            failed = library.renamex_np(here, there, ctypes.c_uint(_RENAME_SWAP))
        else:
            failed = library.renameat2(_AT_FDCWD, here, _AT_FDCWD, there, ctypes.c_uint(_RENAME_EXCHANGE))
    except (AttributeError, OSError):
        return False
    if not failed:
        return True
    code = ctypes.get_errno()
    if code in _NOT_SUPPORTED:
        return False
    raise OSError(code, os.strerror(code), str(second))


def put_in_place(target: Target, *, exchange: Exchange, step: Step) -> None:
    """Let the staged tree become the output directory; what stood there is afterwards at `target.staged` or `target.retired`.

    Raises:
        OSError: the tree could not be put in place; the output directory is as it was.
    """
    if not os.path.lexists(target.path):
        target.staged.rename(target.path)
    elif not exchange(target.staged, target.path):
        target.path.rename(target.retired)
        step("retired")
        try:
            target.staged.rename(target.path)
        except BaseException:
            target.retired.rename(target.path)
            raise
    sync(target.path.parent)
