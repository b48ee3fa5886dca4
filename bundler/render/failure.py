"""Turns what stops a rendering into findings at the template line that was running."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from jinja2.debug import get_template_locals
from jinja2.exceptions import SecurityError, TemplateError

from bundler.dataclass import dataclass
from bundler.errors import AicrError, InvalidInput
from bundler.model.finding import Finding
from bundler.render.budget import BUDGET
from bundler.render.kinds import kind_of
from bundler.render.names import suggestion
from bundler.render.place import place
from bundler.render.refusal import Refusal
from bundler.render.undefined import Absent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from jinja2.environment import Template

    from bundler.catalog.catalog import TemplateSource
    from bundler.model.location import Location

__all__ = ["explained"]

_RAISED = (
    Refusal,
    TemplateError,
    # What Python raises for values that an operator, a filter or a function is not made for.
    *(ArithmeticError, AttributeError, LookupError, TypeError, ValueError),
    *(RecursionError, MemoryError),
)


@contextmanager
def explained(fetch: Callable[[str], TemplateSource], name: str) -> Iterator[None]:
    """Raise what goes wrong inside with the line of the template that was running.

    Args:
        fetch: gives a template's text, to find columns in.
        name: the template that is rendered, for what goes wrong before its first line.

    Raises:
        AicrError: of the kind that was raised, or `InvalidInput`.
    """
    try:
        yield
    except AicrError as error:
        line = _innermost(error)
        located = [
            finding if finding.location or not line else replace(finding, location=line.place(fetch)) for finding in error.findings
        ]
        raise type(error).of(located) from None
    except _RAISED as error:
        line = _innermost(error)
        finding, word = _finding(error, line)
        location = line.place(fetch, word) if line else place(fetch(name), 1)
        raise InvalidInput.of([replace(finding, location=location)]) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A line of a template, as it was running."""

    template: str
    number: int
    frame: FrameType
    chain: tuple[str, ...]

    def place(self, fetch: Callable[[str], TemplateSource], word: str = "") -> Location:
        return place(fetch(self.template), self.number, word)


def _innermost(error: BaseException) -> _Line | None:
    """The template line deepest in the traceback, and the templates that included one another to get there."""
    found: _Line | None = None
    chain: list[str] = []
    step = error.__traceback__
    while step is not None:
        template: Template | None = step.tb_frame.f_globals.get("__jinja_template__")
        if template is not None and template.name is not None:
            if step.tb_frame.f_code.co_name == "root":
                chain.append(template.name)
            number = template.get_corresponding_lineno(step.tb_lineno)
            found = _Line(template=template.name, number=number, frame=step.tb_frame, chain=tuple(chain))
        step = step.tb_next
    return found


def _finding(error: Exception, line: _Line | None) -> tuple[Finding, str]:
    """What went wrong, and the word of the template line that it concerns."""
    match error:
        case Refusal():
            return Finding(rule=error.rule, message=error.message, fix=error.fix), error.word
        case Absent():
            return _absent(error, line), str(error.name)
        case SecurityError():
            return Finding(rule="AICR-T003", message=str(error), fix="use members of the data only"), ""
        case RecursionError() if line and len(set(line.chain)) < len(line.chain):
            start = line.chain.index(line.template)
            cycle = line.chain[start : line.chain.index(line.template, start + 1) + 1]
            return Finding(
                rule="AICR-T008", message=f"a template includes itself: {' → '.join(cycle)}", fix="break the cycle"
            ), "include"
        case RecursionError() | MemoryError():
            return Finding(rule="AICR-T009", message="the template's data is nested too deeply", fix="write it flatter"), ""
        case _:
            # Python names the function of a filter that was given the wrong arguments.
            problem = str(error).removeprefix("_")
            return Finding(rule="AICR-T010", message=f"an expression has no value: {problem}", fix="correct the expression"), ""


def _absent(error: Absent, line: _Line | None) -> Finding:
    if error.hint:
        return Finding(rule="AICR-T002", message=error.hint, fix="test the value before using it")
    match error.owner:
        case None:
            known = [name for name in get_template_locals(line.frame.f_locals) if name != BUDGET] if line else []
            return Finding(rule="AICR-T002", message=f"nothing is named {error.name!r}", fix=suggestion(error.name, known))
        case dict() as owner:
            message = f"a map has no member {error.name!r}"
            return Finding(
                rule="AICR-T002", message=message, fix=suggestion(str(error.name), map(str, owner)) or "the map is empty"
            )
        case owner:
            message = f"{kind_of(owner)} of {len(owner)} has no item {error.name}"
            return Finding(rule="AICR-T002", message=message, fix="use an item that exists")
