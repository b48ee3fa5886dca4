"""What rendering refuses, before it is known which template line asked for it."""

from __future__ import annotations

__all__ = ["Refusal"]


class Refusal(Exception):
    """A rule that an expression broke. The renderer adds the template line and raises it as a finding.

    Attributes:
        rule: id of the rule.
        message: the finding's sentence.
        fix: what to do.
        word: the word of the template line at fault, where there is one; it gives the column.
    """

    def __init__(self, rule: str, message: str, *, fix: str = "", word: str = "") -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.fix = fix
        self.word = word
