"""File names that mean one file on every file system a bundle may be checked out on.

Names are kept to ASCII letters, digits, `.`, `_` and `-`. Two names that differ only in Unicode normalisation can therefore not
arise, and two that differ only in case are found by `key`. Names that Windows reserves are refused: git checks out there too.
"""

from __future__ import annotations

import re

__all__ = ["key", "problem"]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\Z")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?\Z", re.IGNORECASE)
_LONGEST = 255


def problem(path: str) -> str | None:
    """What is wrong with a relative POSIX path, or None.

    Returns:
        The rest of a sentence that begins with the path, such as `holds the reserved name 'con'`.
    """
    for name in path.split("/"):
        if name in {"", ".", ".."}:
            return f"holds the name {name!r}, which is no file name"
        if not _NAME.match(name) or name.endswith("."):
            return f"holds the name {_shown(name)}, which is not made of ASCII letters, digits, '.', '_' and '-' alone"
        if len(name) > _LONGEST:
            return f"holds a name of {len(name)} bytes, more than the {_LONGEST} a file system takes"
        if _RESERVED.match(name):
            return f"holds the name {name!r}, which Windows reserves"
    return None


def key(path: str) -> str:
    """What a file system that ignores case takes `path` for."""
    return path.casefold()


def _shown(name: str) -> str:
    """The name in ASCII: two forms of one letter must not look alike in the message that tells them apart."""
    return ascii(name) if len(name) <= _LONGEST // 4 else f"{name[: _LONGEST // 4]!a}…"
