"""A diff as JSON, in the form that schemas/changes.json states."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bundler.diff.change import How

if TYPE_CHECKING:
    from bundler.diff.change import Change, Changes, Edit
    from bundler.diff.side import Item
    from bundler.model.document import JsonObject

__all__ = ["changes_data", "changes_json"]


def changes_json(changes: Changes, *, edits: bool = True) -> str:
    """A document of kind Changes; all but ASCII is escaped, so that no value acts on a terminal."""
    return json.dumps(changes_data(changes, edits=edits), indent=2) + "\n"


def changes_data(changes: Changes, *, edits: bool = True) -> JsonObject:
    """The changes as plain data.

    Args:
        changes: as `told` gives them.
        edits: whether every change is listed, or only counted.
    """
    return {
        "apiVersion": "aicr.run/v2",
        "kind": "Changes",
        "before": changes.before,
        "after": changes.after,
        "summary": {
            "items": len(changes.changes),
            "changes": sum(len(change.edits) for change in changes.changes),
            "ignored": changes.ignored,
            "risk": str(changes.risk),
            "byRisk": {str(risk): number for risk, number in changes.by_risk.items()},
            "byClass": dict(changes.by_class),
        },
        **({"items": [_change(change) for change in changes.changes]} if edits else {}),
        "notes": list(changes.notes),
    }


def _change(change: Change) -> JsonObject:
    return {
        "how": str(change.how),
        "risk": str(change.risk),
        **({"before": _item(change.before)} if change.before is not None else {}),
        **({"after": _item(change.after)} if change.after is not None else {}),
        "changes": [_edit(edit) for edit in change.edits],
    }


def _item(item: Item) -> JsonObject:
    return {"name": item.title, "file": item.file}


def _edit(edit: Edit) -> JsonObject:
    """An edit; what it does not have is left out, and a null is a value."""
    return {
        "how": str(edit.how),
        "path": edit.path,
        **({"before": edit.before} if edit.how is not How.ADDED else {}),
        **({"after": edit.after} if edit.how is not How.REMOVED else {}),
        "class": edit.category,
        "risk": str(edit.risk),
        **({"note": edit.note} if edit.note else {}),
        **({"why": edit.why} if edit.why else {}),
        "pointers": {"before": edit.at[0], "after": edit.at[1]},
    }
