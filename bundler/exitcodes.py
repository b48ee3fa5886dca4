"""Exit codes of every command (docs/reference/exit-codes.md)."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["ExitCode"]


class ExitCode(IntEnum):
    """What the process tells its caller. A difference, bad input and a failure never share a code."""

    OK = 0
    FOUND = 1
    INVALID = 2
    NOT_FOUND = 3
    TIMEOUT = 5
    UNAVAILABLE = 6
    INTERNAL = 8
