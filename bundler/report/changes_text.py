"""A diff for a person at a terminal: every change with its values, or one line for each item."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.diff.change import How, Risk
from bundler.report.changes import SIGNS, edits_word, lines_of, summary
from bundler.report.table import table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.diff.change import Change, Changes, Edit

__all__ = ["brief", "heading", "human", "quiet", "summary_table", "where"]

_COLOUR = {
    "-": "\x1b[31m",
    "+": "\x1b[32m",
    Risk.HIGH: "\x1b[1;31m",
    Risk.MEDIUM: "\x1b[1;33m",
    Risk.LOW: "\x1b[1;36m",
    "bold": "\x1b[1m",
}
_RESET = "\x1b[0m"


def human(changes: Changes, *, colour: bool = False) -> str:
    """Every change, gravest first, as `told` gives them; what only follows from others is counted, not shown."""
    blocks = [_block(change, colour=colour) for change in changes.changes]
    notes = "".join(f"note: {note}\n" for note in changes.notes)
    return "\n".join([*blocks, f"{notes}{summary(changes)}\n"]) if changes.changes else f"{notes}{summary(changes)}\n"


def brief(changes: Changes) -> str:
    """One line for each item: its risk and classes, how it differs, and what it is."""
    rows = [
        (
            str(change.risk) if change.risk is not Risk.NONE else "",
            str(change.how),
            heading(change),
            ", ".join(dict.fromkeys(edit.category for edit in change.edits)),
            str(len(change.edits)),
        )
        for change in changes.changes
    ]
    return table(("risk", "how", "what", "classes", "changes"), rows) if rows else ""


def summary_table(changes: Changes) -> str:
    """How many changes there are of each class and risk."""
    rows = []
    for name, number in changes.by_class.items():
        risks = [edit.risk for change in changes.changes for edit in change.edits if edit.category == name]
        rows.append((changes.classes[name], *(str(risks.count(risk)) if risk in risks else "" for risk in Risk), str(number)))
    return table(("class", *(str(risk) for risk in Risk), "changes"), rows) if rows else ""


def heading(change: Change) -> str:
    """What an item is, and was where it was renamed."""
    if change.how is How.RENAMED and change.before is not None:
        return f"{change.before.title} → {change.item.title}"
    return change.item.title


def quiet(change: Change) -> bool:
    """Whether it is enough to say that an item differs: how it does follows from others, or matters to no program."""
    return change.risk is Risk.NONE and change.how in {How.CHANGED, How.ADDED, How.REMOVED}


def where(edit: Edit) -> str:
    """Where in its item an edit is."""
    return edit.path or {How.MOVED: "(file)", How.RENAMED: "(name)"}.get(edit.how, "(whole)")


def _block(change: Change, *, colour: bool) -> str:
    def painted(text: str, name: str) -> str:
        return f"{_COLOUR[name]}{text}{_RESET}" if colour and name in _COLOUR else text

    file = "" if change.item.title == change.item.file else f"  {change.item.file}"
    lines = [f"{painted(heading(change), 'bold')}{file}  {change.how}"]
    if quiet(change):
        lines.append(f"  {edits_word(len(change.edits))}: {', '.join(dict.fromkeys(edit.category for edit in change.edits))}")
    else:
        for edit in change.edits:
            lines += _edit(edit, painted)
    return "\n".join(lines) + "\n"


def _edit(edit: Edit, painted: object) -> Iterator[str]:
    assert callable(painted)
    said = "; ".join(filter(None, (edit.note, edit.why)))
    risk = painted(str(edit.risk), edit.risk) if edit.risk is not Risk.NONE else ""
    yield f"  {SIGNS[edit.how]} {where(edit)}  [{', '.join(filter(None, (edit.category, risk)))}]"
    if said:
        yield f"      {said}"
    for line in lines_of(edit):
        yield painted(f"    {line.sign} {line.text}".rstrip(), line.sign)
