"""A diff as Markdown for a comment, which is never longer than a comment may be: whole, or without values, or names alone.

Whatever comes from a file stands in a code fence, or escaped in `<code>` on a line that begins a block of HTML, in which nothing is
read as Markdown: no value is a heading, a mention, a link, a table or HTML.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from bundler.diff.change import Risk
from bundler.report.changes import SIGNS, edits_word, lines_of, summary
from bundler.report.changes_text import brief, heading, quiet, where
from bundler.report.markdown import LIMIT, fenced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.diff.change import Change, Changes, Edit

__all__ = ["LEVELS", "markdown"]

LEVELS = ("full", "outline", "names", "summary")
"""How much is said, the most first."""

_SHORTENED = "Values are left out: with them this would be longer than a comment may be."
_NAMES = "Only names are left: more would be longer than a comment may be."
_ROOM = 200
_CALLERS = 536
"""What is left to whoever puts a line of its own above, such as a mark by which a comment is found again."""


def markdown(changes: Changes, *, most: str = "full", limit: int = LIMIT - _CALLERS) -> str:
    """The first of the levels, from `most` on, that keeps the limit.

    Args:
        changes: as `told` gives them.
        most: what is said at most; see `LEVELS`.
        limit: in bytes, which are never fewer than the characters that a forge counts.
    """
    head = "\n".join(_head(changes))
    for level in LEVELS[LEVELS.index(most) :]:
        match level:
            case "full":
                parts = [_item(change, values=True) for change in changes.changes]
            case "outline":
                parts = [_item(change, values=False) for change in changes.changes] + [_SHORTENED]
            case "names":
                parts = [_names(changes, limit - len(head.encode()) - _ROOM), _NAMES]
            case _:
                parts = []
        text = "\n\n".join([head, *parts]).rstrip("\n") + "\n"
        if len(text.encode()) <= limit:
            return text
    return f"{head.encode()[: limit - 1].decode(errors='ignore')}\n"


def _head(changes: Changes) -> Iterator[str]:
    """What is compared, how it came out, and how many changes of each class there are."""
    yield f"### {summary(changes)}"
    yield ""
    yield f"<p><code>{escape(changes.before)}</code> → <code>{escape(changes.after)}</code></p>"
    if changes.changes:
        yield ""
        yield "| class | high | medium | low | no risk |"
        yield "| --- | --- | --- | --- | --- |"
        for name in changes.by_class:
            risks = [edit.risk for change in changes.changes for edit in change.edits if edit.category == name]
            cells = (str(risks.count(risk)) if risk in risks else "" for risk in Risk)
            yield f"| {name} | {' | '.join(cells)} |"
    for note in changes.notes:
        yield ""
        yield f"<p><code>{escape(note)}</code></p>"


def _item(change: Change, *, values: bool) -> str:
    opened = " open" if change.risk is Risk.HIGH and values else ""
    risk = f" · {change.risk} risk" if change.risk is not Risk.NONE else ""
    classes = ", ".join(dict.fromkeys(edit.category for edit in change.edits))
    title = f"<code>{escape(heading(change))}</code> {change.how}: {edits_word(len(change.edits))} · {classes}{risk}"
    if quiet(change):
        return f"<ul><li>{title}</li></ul>"
    body = "\n".join(line for edit in change.edits for line in _edit(edit, values=values))
    return f"<details{opened}><summary>{title}</summary>\n\n{fenced(body, 'diff')}\n\n</details>"


def _edit(edit: Edit, *, values: bool) -> Iterator[str]:
    """The edit in lines; its place begins with what a diff shows as a part's head."""
    said = "; ".join(filter(None, (edit.note, edit.why)))
    yield f"@@ {SIGNS[edit.how]} {where(edit)} [{edit.category}, {edit.risk}]{f' {said}' if said else ''} @@"
    if values:
        for line in lines_of(edit):
            yield f"{line.sign} {line.text}"


def _names(changes: Changes, room: int) -> str:
    lines = brief(changes).splitlines()
    kept: list[str] = []
    for line in lines:
        room -= len(line.encode()) + 1
        if room < 0:
            break
        kept.append(line)
    left = len(lines) - len(kept)
    return fenced("\n".join([*kept, *([f"… {left:,} more"] if left else [])]))
