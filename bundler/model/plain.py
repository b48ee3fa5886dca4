"""Plain data: maps, lists and scalars, as JSON knows them."""

from __future__ import annotations

import marshal
from typing import Any

__all__ = ["copied", "identifying"]


def copied(value: Any) -> Any:
    """A copy that shares no map and no list, in less than half the time of `copy.deepcopy`, which remembers all that it met."""
    if isinstance(value, dict):
        return {key: copied(below) for key, below in value.items()}
    if isinstance(value, list):
        return [copied(below) for below in value]
    return value


def identifying(value: Any) -> bytes:
    """Bytes that a value has and no other, to find what was made of it by: types and the order of keys count.

    They are no notation: another version of Python may give others. In less than half the time of JSON.
    """
    return marshal.dumps(value, _BY_VALUE)


_BY_VALUE = 2
"""The last version of the format in which it makes no difference whether two equal parts are one object."""
