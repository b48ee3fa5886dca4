"""Any A against any B: their items paired, compared, classified. Pure: a side is files that somebody has read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.dataclass import dataclass
from bundler.diff.change import Change, Changes, Edit, How
from bundler.diff.compare import compare
from bundler.diff.pairing import pairs
from bundler.diff.patterns import Pattern
from bundler.diff.side import Item, read_sides

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bundler.diff.classes import Classes
    from bundler.diff.side import Tree

__all__ = ["Ignore", "diff"]

_IDENTITY = frozenset({"/metadata/name", "/metadata/namespace"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignore:
    """What is left out.

    Attributes:
        path: where in an item; everything below is left out too.
        items: titles or files of the items meant, with stars; every item when None.
    """

    path: Pattern
    items: Pattern | None = None

    @classmethod
    def of(cls, text: str) -> Ignore:
        """`POINTER`, or `ITEM:POINTER` where ITEM is `Kind/name` or a file.

        Raises:
            ValueError: it is neither, with the rest of a sentence that says why.
        """
        items, colon, pointer = text.rpartition(":/")
        if colon and items:
            return cls(path=Pattern.of(f"/{pointer}"), items=Pattern.of(f"/{items}"))
        if text.endswith(":"):
            return cls(path=Pattern.of("/**"), items=Pattern.of(f"/{text[:-1]}"))
        return cls(path=Pattern.of(text))

    def covers(self, change: Change, edit: Edit) -> bool:
        """Whether an edit is left out."""
        names = {f"/{name}" for item in (change.before, change.after) if item is not None for name in (item.title, item.file)}
        return (self.items is None or any(map(self.items.covers, names))) and self.path.covers(edit.path)


def diff(before: Tree, after: Tree, classes: Classes, *, ignore: Sequence[Ignore] = ()) -> Changes:
    """Compare two sides.

    Args:
        before: the files of the first.
        after: the files of the second.
        classes: what changes are told apart by.
        ignore: what is left out.
    """
    ours, theirs = read_sides(before, after)
    every = [change for pair in pairs(ours.items, theirs.items) if (change := _change(*pair, classes))]
    every += _noted(before, after, classes)
    kept, ignored = [], 0
    for change in every:
        edits = tuple(edit for edit in change.edits if not any(one.covers(change, edit) for one in ignore))
        ignored += len(change.edits) - len(edits)
        if edits:
            kept.append(Change(how=change.how, before=change.before, after=change.after, edits=edits))
    order = list(classes.known)
    return Changes(
        before=before.label,
        after=after.label,
        changes=tuple(sorted(kept, key=lambda change: (change.risk.weight, order.index(change.gravest.category), change.item.key))),
        classes=classes.titles,
        root=after.root,
        ignored=ignored,
        notes=tuple(f"{path} is compared as text: {reason}" for path, reason in ours.unread.items()),
    )


def _change(before: Item | None, after: Item | None, classes: Classes) -> Change | None:
    how, edits = _edits(before, after)
    classified = [classes.classified(edit, before, after) for edit in edits]
    if not classified:
        return None
    order = list(classes.known)
    ordered = sorted(classified, key=lambda edit: (edit.risk.weight, order.index(edit.category)))
    return Change(how=how, before=before, after=after, edits=tuple(ordered))


def _edits(before: Item | None, after: Item | None) -> tuple[How, list[Edit]]:
    if before is None or after is None:
        how = How.ADDED if before is None else How.REMOVED
        whole = Edit(how=how, path="", at=("", ""), before=before.data if before else None, after=after.data if after else None)
        return how, [whole]
    edits = [*_contents(before, after)]
    if before.key != after.key:
        how = How.RENAMED if before.is_object else How.MOVED
        renamed = Edit(how=how, path="", at=("", ""), before=before.title, after=after.title)
        return how, [renamed, *(edit for edit in edits if edit.path not in _IDENTITY)]
    if before.file != after.file:
        moved_file = Edit(how=How.MOVED, path="", at=("", ""), before=before.file, after=after.file)
        return How.MOVED, [moved_file, *edits]
    return How.CHANGED, edits


def _contents(before: Item, after: Item) -> Iterator[Edit]:
    if before.digest or after.digest:
        if before.digest != after.digest:
            yield Edit(how=How.CHANGED, path="", at=("", ""), before=_said(before), after=_said(after), note="not text")
        return
    yield from compare(before.data, after.data)


def _said(item: Item) -> str:
    return f"{item.size:,} bytes, {item.digest}" if item.digest else f"{item.size:,} bytes of text"


def _noted(before: Tree, after: Tree, classes: Classes) -> Iterator[Change]:
    """What differs besides bytes, such as a link in the place of a file."""
    for path in sorted(before.notes.keys() | after.notes.keys()):
        if path not in before.files or path not in after.files or before.notes.get(path) == after.notes.get(path):
            continue
        items = [Item(key=("file", path), title=path, kind=path.rpartition("/")[2], file=path, data=None) for _ in range(2)]
        was, is_now = (tree.notes.get(path, "a regular file") for tree in (before, after))
        edit = Edit(how=How.CHANGED, path="", at=("", ""), before=was, after=is_now)
        yield Change(how=How.CHANGED, before=items[0], after=items[1], edits=(classes.classified(edit, *items),))
