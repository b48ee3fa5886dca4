"""One file that is replaced in one step: the old content or the new, never a part of it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from bundler.errors import InvalidInput, Unavailable
from bundler.model.location import Location

__all__ = ["write_file"]


def write_file(path: Path, content: bytes) -> bool:
    """Let a file hold `content`. Nothing is written when it does already.

    Args:
        path: a file, or where one will be; its directory exists.
        content: what it will hold.

    Returns:
        Whether the file was written.

    Raises:
        InvalidInput: the path is a symbolic link or no file.
        Unavailable: it cannot be written.
    """
    location = Location(file=str(path))
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise InvalidInput("AICR-O024", f"not a regular file: {str(path)!r}", location=location, fix="name another file")
    try:
        if path.is_file() and path.read_bytes() == content:
            return False
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        staged = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            staged.chmod(0o644)
            staged.replace(path)
        except BaseException:
            staged.unlink(missing_ok=True)
            raise
    except OSError as error:
        message = f"cannot write {str(path)!r}: {error.strerror}"
        raise Unavailable("AICR-O025", message, location=location, fix="make room, or make its directory writable") from None
    return True
