"""How much one side may hold."""

from __future__ import annotations

from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.model.location import Location

__all__ = ["Budget"]

_MOST_FILES = 20_000
_MOST_BYTES = 256 * 1024 * 1024


@dataclass(slots=True, kw_only=True)
class Budget:
    """What is left for one side.

    Attributes:
        label: what the side is called.
    """

    label: str
    files: int = _MOST_FILES
    size: int = _MOST_BYTES

    def take(self, size: int) -> None:
        """Count one more file.

        Raises:
            InvalidInput: the side is too large.
        """
        self.files -= 1
        self.size -= size
        if self.files < 0 or self.size < 0:
            what = f"{_MOST_FILES:,} files" if self.files < 0 else f"{_MOST_BYTES:,} bytes"
            message = f"{self.label!r} holds more than {what}"
            raise InvalidInput("AICR-D005", message, location=Location(file=self.label), fix="compare a directory in it")
