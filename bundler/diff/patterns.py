"""Paths with stars: `*` for any characters of one step, `**` for any number of steps; a path covers all that is below it."""

from __future__ import annotations

import re
from dataclasses import field

from bundler.dataclass import dataclass

__all__ = ["Pattern"]

_MOST_STARS = 6
"""Time to match grows with a power of this number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """A path with stars.

    Attributes:
        text: as it was written.
        rank: how many of its steps are literal: the higher, the more it knows.
    """

    text: str
    rank: int
    _regex: re.Pattern[str] = field(repr=False, compare=False)

    @classmethod
    def of(cls, text: str) -> Pattern:
        """The pattern that a text writes.

        Raises:
            ValueError: the text is no path, with the rest of a sentence that says why.
        """
        if not text.startswith("/"):
            raise ValueError("does not begin with '/'")
        if text.count("*") - text.count("**") > _MOST_STARS:
            raise ValueError(f"has more than {_MOST_STARS} stars")
        steps = text[1:].split("/")
        written = "".join("(?:/[^/]*)*?" if step == "**" else "/" + _step(step) for step in steps)
        return cls(text=text, rank=sum("*" not in step for step in steps), _regex=re.compile(rf"{written}(?:/.*)?\Z", re.DOTALL))

    def covers(self, path: str) -> bool:
        """Whether a JSON pointer is the path, or below it."""
        return self._regex.match(path) is not None


def _step(step: str) -> str:
    return "[^/]*".join(map(re.escape, re.split(r"\*+", step)))
