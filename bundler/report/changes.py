"""What a diff found, as every writer takes it: without secrets, and without a character that acts on a reader's terminal."""

from __future__ import annotations

import difflib
from bisect import bisect_left
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bundler.compose.wording import plural
from bundler.dataclass import dataclass
from bundler.diff.change import How, Risk
from bundler.model.pointer import tokens
from bundler.report.printable import printable, shortened
from bundler.report.redaction import HIDDEN, redacted, telling
from bundler.yamlio.writer import dump, to_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.diff.change import Change, Changes, Edit

__all__ = ["SIGNS", "Told", "lines_of", "masked", "summary", "told"]

SIGNS = {How.ADDED: "+", How.REMOVED: "-", How.CHANGED: "±", How.REORDERED: "⇆", How.MOVED: "→", How.RENAMED: "→"}
"""How an edit is marked, as dyff does."""

_LONGEST = 2_000
_MOST_LINES = 400
_MOST_COMPARED = 5_000
_HIDING = "Secret"
_HIDDEN_FIELDS = ("data", "stringData")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One line of what differs.

    Attributes:
        sign: `-`, `+` or a blank, as in a unified diff.
    """

    sign: str
    text: str


def told(changes: Changes) -> Changes:
    """The changes with every secret hidden; what is written is made of nothing else."""
    return replace(
        changes,
        before=_line(changes.before),
        after=_line(changes.after),
        changes=tuple(_hidden(change) for change in changes.changes),
        notes=tuple(_line(note) for note in changes.notes),
    )


def masked(value: Any, path: str, kind: str) -> Any:
    """A value without what looks like a secret, or is one by where it stands."""
    steps = tokens(path)
    if kind == _HIDING and (not steps or steps[0] in _HIDDEN_FIELDS):
        return _blanked(value, whole=not steps)
    # An environment variable tells by its name what its `value` is.
    named = path.rpartition("/")[0] if steps and steps[-1] == "value" else path
    return _masked(value, named)


def lines_of(edit: Edit) -> Iterator[Told]:
    """What an edit changes, in lines: whole values with their signs, and of long texts what differs."""
    before, after = edit.before, edit.after
    if edit.how is How.REORDERED and (moved := _moved(before, after)):
        yield from _cut(Told(sign=SIGNS[How.REORDERED], text=_line(text)) for text in moved)
    elif edit.how in {How.MOVED, How.RENAMED, How.REORDERED} or not (isinstance(before, str) and isinstance(after, str)):
        yield from _cut(_sided(edit))
    elif "\n" not in before and "\n" not in after:
        yield Told(sign="-", text=_line(before) if edit.path else before)
        yield Told(sign="+", text=_line(after) if edit.path else after)
    else:
        yield from _cut(_unified(before, after))


def summary(changes: Changes) -> str:
    """One line, such as `5 changes in 2 objects (1 high, 4 low): 1 fabric, 4 metadata`."""
    edits = sum(len(change.edits) for change in changes.changes)
    left = f"; {edits_word(changes.ignored)} ignored" if changes.ignored else ""
    if not edits:
        return f"no difference{left}"
    risks = ", ".join(f"{number:,} {risk}" for risk, number in changes.by_risk.items() if number and risk is not Risk.NONE)
    classes = ", ".join(f"{number:,} {name}" for name, number in changes.by_class.items())
    items = len(changes.changes)
    return f"{edits_word(edits)} in {plural(items, 'place')}{f' ({risks} risk)' if risks else ''}: {classes}{left}"


def edits_word(number: int) -> str:
    """The number of edits with its noun."""
    return plural(number, "change")


def _sided(edit: Edit) -> Iterator[Told]:
    if edit.how is not How.ADDED:
        yield from (Told(sign="-", text=line) for line in _written(edit.before))
    if edit.how is not How.REMOVED:
        yield from (Told(sign="+", text=line) for line in _written(edit.after))


def _moved(before: Any, after: Any) -> list[str]:
    """What changed its place in a list of names: as few of them as account for the new order."""
    if not all(
        isinstance(one, list) and all(isinstance(name, str) for name in one) and len({*one}) == len(one) for one in (before, after)
    ):
        return []
    places = {name: number for number, name in enumerate(before)}
    common = [name for name in after if name in places]
    kept = {common[index] for index in _rising([places[name] for name in common])}
    where = {name: number for number, name in enumerate(after)}
    return [f"{name}: {places[name] + 1} → {where[name] + 1}" for name in common if name not in kept]


def _rising(numbers: list[int]) -> list[int]:
    """The indices of a longest rising part of numbers that are all different."""
    tails: list[int] = []
    ends: list[int] = []
    previous: list[int] = []
    for index, number in enumerate(numbers):
        at = bisect_left(tails, number)
        tails[at:] = [number] if at == len(tails) else [number, *tails[at + 1 :]]
        ends[at:] = [index] if at == len(ends) else [index, *ends[at + 1 :]]
        previous.append(ends[at - 1] if at else -1)
    found = []
    index = ends[-1] if ends else -1
    while index >= 0:
        found.append(index)
        index = previous[index]
    return found


def _written(value: Any) -> list[str]:
    """A value as lines of YAML; a list of plain values as one line."""
    match value:
        case str() if "\n" not in value:
            return [_line(value)]
        case str():
            return [_line(line) for line in value.removesuffix("\n").split("\n")]
        case list() if not any(isinstance(entry, dict | list) for entry in value):
            return [_line(to_json(value))]
        case dict() | list() if value:
            return [_line(line) for line in dump(value).removeprefix("---\n").removesuffix("\n").split("\n")]
        case _:
            return [_line(to_json(value))]


def _unified(before: str, after: str) -> Iterator[Told]:
    ours, theirs = before.split("\n"), after.split("\n")
    if len(ours) + len(theirs) > _MOST_COMPARED:
        yield Told(sign=" ", text=f"{plural(len(ours), 'line')} became {len(theirs):,}, too many to show")
        return
    for number, line in enumerate(difflib.unified_diff(ours, theirs, n=2, lineterm="")):
        if number < 2:  # noqa: PLR2004  (the two lines that name files)
            continue
        if line.startswith("@@"):
            if number > 2:  # noqa: PLR2004  (between two parts)
                yield Told(sign=" ", text="…")
        else:
            yield Told(sign=line[0], text=_line(line[1:]))


def _cut(lines: Iterator[Told]) -> Iterator[Told]:
    left = 0
    for number, line in enumerate(lines):
        if number < _MOST_LINES:
            yield line
        else:
            left += 1
    if left:
        yield Told(sign=" ", text=f"… {plural(left, 'more line')}")


def _hidden(change: Change) -> Change:
    return replace(
        change,
        before=change.before and replace(change.before, title=_line(change.before.title), file=_line(change.before.file)),
        after=change.after and replace(change.after, title=_line(change.after.title), file=_line(change.after.file)),
        edits=tuple(_hidden_edit(edit, change.item.kind) for edit in change.edits),
    )


def _hidden_edit(edit: Edit, kind: str) -> Edit:
    before, after = masked(edit.before, edit.path, kind), masked(edit.after, edit.path, kind)
    note = edit.note
    if edit.how is How.CHANGED and before == after:
        note = "; ".join(filter(None, (note, "the values differ, and are not shown")))
    return replace(edit, path=_line(edit.path), before=before, after=after, note=_line(note), why=_line(edit.why))


def _blanked(value: Any, *, whole: bool) -> Any:
    """A Secret, or what one of its fields holds: that is never shown, nor how long it is."""
    if whole and isinstance(value, dict):
        return {key: _blanked(inner, whole=False) if key in _HIDDEN_FIELDS else _masked(inner, "") for key, inner in value.items()}
    if isinstance(value, dict):
        return dict.fromkeys(value, HIDDEN)
    return value if value is None else HIDDEN


def _masked(value: Any, path: str) -> Any:
    match value:
        case dict():
            named = value.get("name") if "value" in value else None
            return {
                key: _masked(inner, f"{path}/{named}" if key == "value" and isinstance(named, str) else f"{path}/{key}")
                for key, inner in value.items()
            }
        case list():
            return [_masked(inner, path) for inner in value]
        case str():
            if telling(path) and value:
                return HIDDEN
            return "\n".join(redacted(line) for line in value.split("\n")) if "PRIVATE KEY" not in value else redacted(value)
        case _:
            return HIDDEN if telling(path) and value is not None and not isinstance(value, bool) else value


def _line(text: str) -> str:
    return printable(shortened(text, _LONGEST))
