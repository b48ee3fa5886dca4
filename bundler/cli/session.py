"""One run of `aicr`: its words, what it has said, and where that is to be reported."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bundler.model.finding import Finding

__all__ = ["Session"]


class Session:
    """The object of click's context. It grows while the command runs, and is read when the command has ended.

    Attributes:
        words: what was given after `aicr`.
        command: the command that runs, as its help names it.
        findings: everything said so far.
        wanted: the reports that were asked for, as format and file; stdout where there is no file.
    """

    __slots__ = ("command", "findings", "wanted", "words")

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        self.command = "aicr"
        self.findings: list[Finding] = []
        self.wanted: list[tuple[str, Path | None]] = []
