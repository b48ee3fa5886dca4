"""A diff where a forge shows it beside the lines: annotations of a GitHub workflow, and GitLab's code quality report."""

from __future__ import annotations

import json
from hashlib import sha256
from posixpath import normpath
from typing import TYPE_CHECKING

from bundler.diff.change import How, Risk
from bundler.report.changes import SIGNS, lines_of
from bundler.report.changes_text import heading, where
from bundler.report.github import DATA, PROPERTY
from bundler.report.printable import shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.diff.change import Change, Changes, Edit

__all__ = ["code_quality", "workflow_commands"]

_MOST = 2000
_SEVERITY = {Risk.HIGH: "major", Risk.MEDIUM: "minor", Risk.LOW: "info"}


def workflow_commands(changes: Changes) -> str:
    """A line for each change that a reviewer should mind, gravest first: the runner shows only the first ten of a kind."""
    return "".join(f"{_annotation(changes, change, edit)}\n" for change, edit in _minded(changes))


def code_quality(changes: Changes) -> str:
    """The report that GitLab shows in a merge request (its subset of the Code Climate form)."""
    entries = [
        {
            "description": shortened(" ".join(_said(change, edit)), _MOST),
            "check_name": f"aicr diff: {edit.category}",
            "fingerprint": sha256("\0".join((change.item.title, change.item.file, edit.path, str(edit.how))).encode()).hexdigest(),
            "severity": _SEVERITY[edit.risk],
            "location": {"path": _file(changes, change) or change.item.file, "lines": {"begin": _line(change, edit) or 1}},
        }
        for change, edit in _minded(changes)
    ]
    return json.dumps(entries, indent=2) + "\n"


def _minded(changes: Changes) -> Iterator[tuple[Change, Edit]]:
    return ((change, edit) for change in changes.changes for edit in change.edits if edit.risk is not Risk.NONE)


def _annotation(changes: Changes, change: Change, edit: Edit) -> str:
    stated = {"title": f"{changes.classes[edit.category]}: {heading(change)}"}
    file, line = _file(changes, change), _line(change, edit)
    if file is not None:
        stated |= {"file": file} | ({"line": str(line)} if line else {})
    properties = ",".join(f"{name}={value.translate(PROPERTY)}" for name, value in stated.items())
    data = shortened("\n".join(_said(change, edit)), _MOST).translate(DATA)
    return f"::{'warning' if edit.risk is Risk.HIGH else 'notice'} {properties}::{data}"


def _said(change: Change, edit: Edit) -> Iterator[str]:
    yield f"{SIGNS[edit.how]} {where(edit)} of {change.item.title} ({edit.category}, {edit.risk} risk)"
    yield from (f"{line.sign} {line.text}" for line in lines_of(edit))
    yield from filter(None, (edit.note, edit.why))


def _file(changes: Changes, change: Change) -> str | None:
    """The file as the repository knows it; None where the second side stands in none, or has the item no more."""
    if change.after is None or changes.root is None:
        return None
    return normpath(f"{changes.root}/{change.after.file}")


def _line(change: Change, edit: Edit) -> int:
    if change.after is None or edit.how is How.RENAMED:
        return 0
    place = change.after.locate(edit.at[1])
    return place.line if place is not None else 0
