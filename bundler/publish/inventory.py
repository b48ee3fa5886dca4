"""`checksums.txt`: the list of all other files of a bundle with their SHA-256, in the format that `sha256sum --check` reads.

Only files listed here are ever replaced or removed by a later run, so the list is read strictly: one form, sorted, no path that
leads out of the bundle.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from bundler.errors import InvalidInput
from bundler.model.location import Location
from bundler.publish.names import problem

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["NAME", "digest_of", "format_inventory", "parse_inventory"]

NAME = "checksums.txt"

_LINE = re.compile(r"(?P<digest>[0-9a-f]{64})  (?P<path>.+)\Z")
_FIX = "restore the file from version control, or write the bundle into an empty directory"


def digest_of(content: bytes) -> str:
    """The SHA-256 of `content` in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def format_inventory(files: Mapping[str, bytes]) -> bytes:
    """The inventory of `files`, sorted by path; `checksums.txt` itself is left out."""
    return "".join(f"{digest_of(files[path])}  {path}\n" for path in sorted(files) if path != NAME).encode()


def parse_inventory(raw: bytes, *, file: str = NAME) -> dict[str, str]:
    """The listed paths with their digests.

    Args:
        raw: the file's bytes.
        file: the path that messages show.

    Raises:
        InvalidInput: the text is not exactly what `format_inventory` writes; the message names the first line at fault.
    """
    try:
        text = raw.decode("ascii")
    except UnicodeDecodeError:
        raise _malformed("the inventory is not ASCII text", file, 1) from None
    if not text.endswith("\n"):
        raise _malformed("the inventory is empty" if not text else "the last line is cut off", file, text.count("\n") + 1)
    listed: dict[str, str] = {}
    last = ""
    for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1):
        match = _LINE.match(line)
        if line.endswith("\r"):
            raise _malformed("the line ends in CR LF", file, number)
        if match is None:
            raise _malformed("the line is not '<64 hex digits>  <path>'", file, number)
        path = match["path"]
        if fault := problem(path):
            raise InvalidInput("AICR-O005", f"{path!r} {fault}", location=Location(file=file, line=number), fix=_FIX)
        if path <= last:
            reason = "is listed twice" if path == last else f"stands after {last!r}: the list is not sorted"
            raise _malformed(f"{path!r} {reason}", file, number)
        if path == NAME:
            raise _malformed("the inventory lists itself", file, number)
        listed[path] = match["digest"]
        last = path
    return listed


def _malformed(message: str, file: str, line: int) -> InvalidInput:
    return InvalidInput("AICR-O004", message, location=Location(file=file, line=line), fix=_FIX)
