"""What drifted, as two sides: the files that differ, as they are committed and as they render."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.diff.side import Tree
from bundler.publish.drift import ChangeKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bundler.publish.drift import Change

__all__ = ["drifted"]


def drifted(changes: Iterable[Change], label: str) -> tuple[Tree, Tree]:
    """The committed and the rendered side of a drift.

    Args:
        changes: what drifted; of a file that no recipe makes only the name is known.
        label: the directory.
    """
    every = [change for change in changes if change.kind is not ChangeKind.MODE]
    committed = {change.path: change.committed or b"" for change in every if change.kind is not ChangeKind.MISSING}
    rendered = {change.path: change.rendered for change in every if change.rendered is not None}
    return Tree(label=f"{label} (committed)", files=committed), Tree(label=f"{label} (rendered)", files=rendered)
