"""Names that a controller shortens: cut, and told apart by a hash of the whole.

Source: pkg/naming of NVIDIA/cluster-readiness-engine. The hash is FNV-1a of 32 bits, of which the first five hex digits stand.
"""

from __future__ import annotations

__all__ = ["LIMIT", "shortened"]

LIMIT = 31
"""The longest name of a Workflow, which leaves room for what its jobs and pods append."""

_HASH_DIGITS = 5
_OFFSET = 0x811C9DC5
_PRIME = 0x01000193


def shortened(name: str, limit: int = LIMIT) -> str:
    """A name of at most `limit` characters; one that fits stays as it is."""
    if len(name) <= limit:
        return name
    kept = name[: limit - _HASH_DIGITS - 1].rstrip("-")
    return f"{kept}-{f'{_fnv(name):05x}'[:_HASH_DIGITS]}"


def _fnv(text: str) -> int:
    value = _OFFSET
    for byte in text.encode():
        value = ((value ^ byte) * _PRIME) & 0xFFFFFFFF
    return value
