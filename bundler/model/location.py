"""Where something was written."""

from __future__ import annotations

from bundler.dataclass import dataclass

__all__ = ["Location"]


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Location:
    """A place in a file, or a command-line flag (`line` 0).

    Attributes:
        file: path as the user gave it, relative to the data root for packaged files, or a flag such as `--set`.
        line: 1-based line; 0 when the place has no lines.
        column: 1-based column; 0 when unknown.
    """

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        parts = [self.file]
        if self.line:
            parts.append(str(self.line))
            if self.column:
                parts.append(str(self.column))
        return ":".join(parts)
