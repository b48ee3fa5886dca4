"""Logs from disk, line by line. A line of any length takes bounded memory, and bytes that are no text do not stop the reading."""

from __future__ import annotations

import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bundler.errors import InvalidInput, NotFound
from bundler.model.location import Location

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

__all__ = ["open_log", "text_lines"]

_PIECE = 1 << 16


@contextmanager
def open_log(path: Path) -> Iterator[Iterator[str]]:
    """The lines of a log file.

    Raises:
        NotFound: there is no such file.
        InvalidInput: it is no regular file, or cannot be read.
    """
    place = Location(file=str(path))
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise InvalidInput(
                "AICR-E003", f"not a log file: {str(path)!r}", location=place, fix="give a regular file, or - for stdin"
            )
        stream = path.open("rb")
    except FileNotFoundError:
        raise NotFound("AICR-E004", f"no log {str(path)!r}", location=place, fix="check the path") from None
    except OSError as error:
        message = f"cannot read the log {str(path)!r}: {error.strerror or type(error).__name__}"
        raise InvalidInput("AICR-E003", message, location=place, fix="make the file readable") from None
    with stream:
        yield text_lines(stream)


def text_lines(stream: BinaryIO) -> Iterator[str]:
    """The lines of a stream; of a line that is longer than 64 KiB only the beginning."""
    rest = False
    while piece := stream.readline(_PIECE):
        if not rest:
            yield piece.decode("utf-8", "replace")
        rest = not piece.endswith(b"\n")
