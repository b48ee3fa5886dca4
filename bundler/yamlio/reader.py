"""Read authored YAML strictly: plain data, the place of every value, and no text that two tools would read differently.

Accepted is the part of YAML in which all readers agree: UTF-8, block and flow collections, strings, unambiguous scalars, and
aliases within a budget. Refused are tags, directives, merge keys, duplicate keys, keys that are not strings, aliases into
themselves, and characters that YAML 1.1 and 1.2 treat differently.
"""

from __future__ import annotations

import hashlib
import re
from typing import NoReturn

from bundler.errors import InvalidInput
from bundler.model.document import Document
from bundler.model.finding import Finding, Severity
from bundler.model.location import Location
from bundler.yamlio.composer import compose

__all__ = ["MAX_BYTES", "read", "read_stream"]

MAX_BYTES = 1024 * 1024
"""Size of one file."""

_BOM = b"\xef\xbb\xbf"
_CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")
_DISPUTED = re.compile(rb"\xc2[\x80-\x9f]|\xe2\x80[\xa8\xa9]|\xef\xbb\xbf|\xef\xbf[\xbe\xbf]")
"""C1 controls, line and paragraph separators, an inner byte order mark, noncharacters: line breaks to YAML 1.1, or refused."""


def read(text: bytes, file: str) -> Document:
    """Read a file of exactly one document. Its root may be any value; what it must be is for its schema to say.

    Args:
        text: the file's bytes.
        file: the path that messages show.

    Raises:
        InvalidInput: with every finding up to the first that ends the reading.
    """
    documents = _read(text, file, single=True)
    if not documents:
        _refuse("AICR-Y005", "the file holds no document", file, fix="write the document, or {} where nothing is meant")
    return documents[0]


def read_stream(text: bytes, file: str) -> tuple[Document, ...]:
    """Read a file of any number of documents, leaving out those in which nothing is written, as kubectl does.

    Notes about the file are those of the first document.

    Raises:
        InvalidInput: as `read`.
    """
    return _read(text, file, single=False)


def _read(text: bytes, file: str, *, single: bool) -> tuple[Document, ...]:
    normalised, notes = _normalise(text, file)
    digest = f"sha256:{hashlib.sha256(text).hexdigest()}"
    return tuple(
        Document(file=file, data=data, positions=positions, digest=digest, notes=() if number else notes)
        for number, (data, positions) in enumerate(compose(normalised, file, single=single))
    )


def _normalise(text: bytes, file: str) -> tuple[str, tuple[Finding, ...]]:
    """The file's characters with plain line ends and no byte order mark, and a warning for each of the two that was there."""
    notes: list[Finding] = []
    if len(text) > MAX_BYTES:
        _refuse("AICR-Y003", f"the file has {len(text)} bytes, more than {MAX_BYTES}", file, fix="split the file")
    if text.startswith(_BOM):
        text = text.removeprefix(_BOM)
        notes.append(_note("AICR-Y016", "the file starts with a byte order mark", file, fix="save it as UTF-8 without one"))
    if b"\r\n" in text:
        text = text.replace(b"\r\n", b"\n")
        notes.append(_note("AICR-Y017", "the file has Windows line ends (CR LF)", file, fix="save it with LF line ends"))
    try:
        decoded = text.decode()
    except UnicodeDecodeError as error:
        message = f"the file is not UTF-8: byte 0x{text[error.start]:02x} cannot stand here"
        _refuse("AICR-Y001", message, file, before=text[: error.start], fix="save it as UTF-8")
    found = _CONTROL.search(text) or (None if text.isascii() else _DISPUTED.search(text))
    if found:
        message = f"character U+{ord(found[0].decode()):04X} cannot stand in a YAML file"
        _refuse("AICR-Y002", message, file, before=text[: found.start()], fix="remove it, or write an escape between double quotes")
    return decoded, tuple(notes)


def _refuse(rule: str, message: str, file: str, *, fix: str, before: bytes = b"") -> NoReturn:
    """Raise the finding at the character that follows the (valid) bytes `before`."""
    line, column = before.count(b"\n") + 1, len(before[before.rfind(b"\n") + 1 :].decode()) + 1
    raise InvalidInput(rule, message, location=Location(file=file, line=line, column=column), fix=fix)


def _note(rule: str, message: str, file: str, *, fix: str) -> Finding:
    return Finding(rule=rule, message=message, severity=Severity.WARNING, location=Location(file=file, line=1, column=1), fix=fix)
