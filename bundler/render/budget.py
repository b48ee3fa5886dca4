"""What one rendering may spend: a count of steps, so that the same template always ends at the same place on every machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.render.kinds import kind_of
from bundler.render.refusal import Refusal
from bundler.render.undefined import require

if TYPE_CHECKING:
    from jinja2.runtime import Context

__all__ = ["BUDGET", "DEEPEST", "LARGEST_OUTPUT", "LARGEST_RANGE", "LARGEST_SOURCE", "LARGEST_TEXT", "STEPS", "Budget", "budget_of"]

BUDGET = "#budget"
"""Where the budget stands in the context of a rendering: no template can write such a name."""

STEPS = 1_000_000
LARGEST_SOURCE = 128 * 1024
LARGEST_TEXT = 1024 * 1024
LARGEST_OUTPUT = 1024 * 1024
LARGEST_RANGE = 10_000
DEEPEST = 64
"""Levels of data that a template may write: what the YAML reader takes."""

_CHARACTERS_A_STEP = 8
_FIX = "shorten the loop, or move the data into a fragment"


class Budget:
    """The steps that are left to one rendering of one template and what it includes."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = STEPS

    def pay(self, steps: int) -> None:
        """Spend steps.

        Raises:
            Refusal: none are left.
        """
        self._left -= steps
        if self._left < 0:
            raise Refusal("AICR-T009", f"the template takes more than {STEPS} steps", fix=_FIX)

    def pay_text(self, length: int) -> None:
        """Spend what a text of that length costs.

        Raises:
            Refusal: the text is too long, or no steps are left.
        """
        if length > LARGEST_TEXT:
            raise Refusal("AICR-T009", f"a text of {length} characters is longer than {LARGEST_TEXT}", fix=_FIX)
        self.pay(1 + length // _CHARACTERS_A_STEP)

    def weigh(self, value: object) -> None:
        """Spend what walking through plain data costs.

        Data that names one list many times is walked as often as it is named: what a serialiser would write is what is paid for.

        Raises:
            Refusal: the value holds anything but plain data, is nested too deeply, or no steps are left.
            UndefinedError: the value holds an undefined one.
        """
        pending = [(value, DEEPEST)]
        while pending:
            each, levels = pending.pop()
            if not levels:
                raise Refusal("AICR-T009", "the template's data is nested too deeply", fix="write it flatter")
            match each:
                case str() as text:
                    self.pay_text(len(text))
                case dict() as mapping:
                    self.pay(2 * len(mapping) + 1)
                    pending.extend((item, levels - 1) for item in mapping.values())
                case list() | tuple() as items:
                    self.pay(len(items) + 1)
                    pending.extend((item, levels - 1) for item in items)
                case None | bool() | int() | float():
                    self.pay(1)
                case other:
                    require(other)
                    raise Refusal("AICR-T006", f"{kind_of(other)} is no data that a manifest can hold", fix="output plain data")


def budget_of(context: Context) -> Budget:
    """The budget of the rendering that `context` belongs to."""
    budget: Budget = context[BUDGET]
    return budget
