"""Where the user stated a part of the request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.model.location import Location
from bundler.model.pointer import parent

if TYPE_CHECKING:
    from bundler.model.request import Request

__all__ = ["stated"]


def stated(request: Request, pointer: str, flag: str) -> Location:
    """The origin of `pointer` or of what is above it; the flag itself when the caller recorded none."""
    while pointer:
        if pointer in request.origins:
            return request.origins[pointer]
        pointer = parent(pointer)
    return Location(file=flag)
