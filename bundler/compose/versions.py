"""The order of versions as clusters, drivers and charts write them: `1.34.1-gke.1829001`, `v24.6.0`, `580.173.02`, `1.35.0-rc.1`.

A suffix that semantic versioning calls a pre-release (`alpha`, `beta`, `rc`, `pre`, `dev`, or the `-0` of Helm's ranges) comes
before the release. Any other suffix is a vendor's build of it and comes after: GKE's `1.34.1-gke.1` satisfies `>= 1.34.1`.
Trailing zeros do not count: 1.30 and 1.30.0 are one version.
"""

from __future__ import annotations

import re

__all__ = ["VersionKey", "version_key"]

VersionKey = tuple[tuple[int, ...], int, tuple[tuple[int, int, str], ...]]
"""Sorts as the versions do."""

_VERSION = re.compile(r"v?([0-9]{1,18}(?:\.[0-9]{1,18}){0,7})(?:[-+]([0-9A-Za-z](?:[0-9A-Za-z.+_-]{0,62}[0-9A-Za-z])?))?\Z")
_BEFORE = re.compile(r"(?:alpha|beta|rc|pre|dev)(?:[0-9.]|\Z)|0\Z", re.IGNORECASE)
_PART = re.compile(r"[0-9]+|[A-Za-z]+")


def version_key(text: str) -> VersionKey | None:
    """What a version sorts by, or None when the text is no version."""
    match = _VERSION.match(text)
    if match is None:
        return None
    numbers = [int(number) for number in match[1].split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    suffix = match[2]
    if suffix is None:
        return tuple(numbers), 0, ()
    rank = -1 if _BEFORE.match(suffix) else 1
    return tuple(numbers), rank, tuple(_part(part) for part in _PART.findall(suffix))


def _part(part: str) -> tuple[int, int, str]:
    return (0, int(part), "") if part.isdigit() else (1, 0, part.lower())
