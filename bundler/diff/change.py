"""What a diff finds: items that were added, removed, changed, moved or renamed, each with its edits."""

from __future__ import annotations

from collections import Counter
from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from bundler.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bundler.diff.side import Item

__all__ = ["Change", "Changes", "Edit", "How", "Risk"]


class How(StrEnum):
    """In what way something differs."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    REORDERED = "reordered"
    MOVED = "moved"
    RENAMED = "renamed"


class Risk(StrEnum):
    """How much a reviewer should mind, gravest first."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    NONE = "none"

    @property
    def weight(self) -> int:
        """0 for the gravest."""
        return list(Risk).index(self)

    @property
    def graver(self) -> Risk:
        """One step up; what nobody minds stays so."""
        return Risk.NONE if self is Risk.NONE else list(Risk)[max(0, self.weight - 1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One difference inside an item.

    Attributes:
        path: JSON pointer in which an entry of a list is named by its key; empty for the whole item.
        at: JSON pointers into both sides: of the value, or of what would hold it.
        before: the value, the names in their order, or the file that it stood in; None where there is none.
        after: as `before`.
        category: the class of the change.
        note: what the values do not show, as a phrase.
        why: the reason of the contract's line, where that decided the class.
    """

    how: How
    path: str
    at: tuple[str, str]
    before: Any = None
    after: Any = None
    category: str = ""
    risk: Risk = Risk.MEDIUM
    note: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One item that differs.

    Attributes:
        how: a moved or renamed item may have been changed as well.
        before: the item as it was; None when it is new.
        after: the item as it is; None when it is gone.
        edits: at least one.
    """

    how: How
    before: Item | None
    after: Item | None
    edits: tuple[Edit, ...]

    @property
    def item(self) -> Item:
        """The item as it is, or else as it was."""
        item = self.after or self.before
        assert item is not None
        return item

    @property
    def gravest(self) -> Edit:
        """The edit that a reviewer should mind most."""
        return min(self.edits, key=lambda edit: edit.risk.weight)

    @property
    def risk(self) -> Risk:
        """That of its gravest edit."""
        return self.gravest.risk


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What came of comparing two sides.

    Attributes:
        before: what the first side is called.
        after: what the second side is called.
        changes: gravest first, then by class, kind and name.
        classes: name → title of every class, gravest first.
        root: the directory that the files of the second side stand in, relative to the current one; None where they stand in none.
        ignored: how many edits were left out because that was asked for.
        notes: what could not be compared as data, and why.
    """

    before: str
    after: str
    changes: tuple[Change, ...]
    classes: Mapping[str, str] = field(default_factory=dict)
    root: str | None = None
    ignored: int = 0
    notes: tuple[str, ...] = ()

    @property
    def by_class(self) -> Mapping[str, int]:
        """Edits of each class that has any, in the order of the classes."""
        numbers = Counter(edit.category for change in self.changes for edit in change.edits)
        return {name: numbers[name] for name in self.classes if numbers[name]}

    @property
    def by_risk(self) -> Mapping[Risk, int]:
        """Edits of each risk."""
        numbers = Counter(edit.risk for change in self.changes for edit in change.edits)
        return {risk: numbers[risk] for risk in Risk}

    @property
    def risk(self) -> Risk:
        """The gravest risk; none when nothing differs."""
        return min((change.risk for change in self.changes), key=lambda risk: risk.weight, default=Risk.NONE)
