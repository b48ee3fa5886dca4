"""Durations as Go reads and prints them: `1h` is `1h0m0s`."""

from __future__ import annotations

import re

__all__ = ["go_duration", "seconds"]

_PART = re.compile(r"([0-9]+)(ms|h|m|s)")
_MILLISECONDS = {"h": 3_600_000, "m": 60_000, "s": 1_000, "ms": 1}


def go_duration(text: str) -> str:
    """The text that Go prints for a duration such as `90m`, `1h30m` or `1500ms`."""
    total = _milliseconds(text)
    if total == 0:
        return "0s"
    if total < _MILLISECONDS["s"]:
        return f"{total}ms"
    whole, fraction = divmod(total, 1_000)
    hours, rest = divmod(whole, 3_600)
    minutes, plain = divmod(rest, 60)
    second = f"{plain}.{fraction:03}".rstrip("0") if fraction else str(plain)
    if hours:
        return f"{hours}h{minutes}m{second}s"
    return f"{minutes}m{second}s" if minutes else f"{second}s"


def seconds(text: str) -> float:
    """How many seconds a duration lasts."""
    return _milliseconds(text) / 1_000


def _milliseconds(text: str) -> int:
    return sum(int(count) * _MILLISECONDS[unit] for count, unit in _PART.findall(text))
