"""The class and the risk of an edit: of a runtime's fabric the contract tells, of the rest a table (`manifests/changes.yaml`)."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING

from bundler.compose.wording import nearest
from bundler.conform.pods import RUNTIME_KINDS
from bundler.dataclass import dataclass
from bundler.diff.change import How, Risk
from bundler.diff.compare import paths
from bundler.diff.meaning import meaning
from bundler.diff.patterns import Pattern
from bundler.errors import InvalidInput
from bundler.guard.contract import Contract, Owner
from bundler.guard.side import NODE
from bundler.model.pointer import child, join, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bundler.catalog.catalog import Catalog
    from bundler.diff.change import Edit
    from bundler.diff.side import Item
    from bundler.guard.contract import Line
    from bundler.model.document import Document

__all__ = ["PATH", "Classes"]

PATH = "manifests/changes.yaml"

_FABRIC = "fabric"
_RECORD = "record"
_POD = ("spec", "template", "spec", "replicatedJobs", NODE, "template", "spec", "template")
"""Where the pods that train stand in a runtime, with the list of jobs by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Class:
    name: str
    title: str
    risk: Risk


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    pattern: Pattern
    category: str
    risk: Risk


@dataclass(frozen=True, kw_only=True)
class Classes:
    """What is known of paths.

    Attributes:
        known: the classes, gravest first.
    """

    known: Mapping[str, _Class]
    lines: tuple[_Line, ...]
    contract: Contract = field(repr=False)

    @classmethod
    def of(cls, catalog: Catalog) -> Classes:
        """The classes of a catalogue; a line of `--data` is added, or replaces the packaged one of the same path.

        Raises:
            InvalidInput: a line names a class that the table does not have, or its path is none.
        """
        table = catalog.store.united(PATH, kind="ChangeTable")
        known = {
            item["name"]: _Class(name=item["name"], title=item["title"], risk=Risk(item["risk"])) for item in table.data["classes"]
        }
        # Sorting keeps the order of equals, of which the last holds.
        lines = sorted(_lines(table, known), key=lambda line: line.pattern.rank)
        return cls(known=known, lines=tuple(reversed(lines)), contract=catalog.derived(Contract.of))

    @property
    def titles(self) -> Mapping[str, str]:
        """Name → title, gravest first."""
        return {name: one.title for name, one in self.known.items()}

    def classified(self, edit: Edit, before: Item | None, after: Item | None) -> Edit:
        """The edit with its class, its risk, and what its values do not show."""
        item = after or before
        assert item is not None
        line = self._fabric(edit, item)
        if edit.how is How.MOVED:
            # The same object in another file is the same to a cluster.
            category, risk = _RECORD, Risk.NONE
        elif line is not None or self._attaches(edit, item):
            category, risk = _FABRIC, self.known[_FABRIC].risk
        else:
            category, risk = self._tabled(child("", item.kind) + edit.path)
        if edit.how is How.REMOVED and not edit.path and item.is_object:
            risk = risk.graver
        meant = meaning(edit, after, line)
        return replace(
            edit,
            category=category,
            risk=risk if meant.risk is None else meant.risk,
            note=meant.note,
            why=line.reason if line is not None else "",
        )

    def _attaches(self, edit: Edit, item: Item) -> bool:
        """Whether a whole object that is new or gone has a field of the fabric."""
        if edit.path or not item.is_object or edit.how not in {How.ADDED, How.REMOVED}:
            return False
        fabric = [line.pattern for line in self.lines if line.category == _FABRIC]
        root = child("", item.kind)
        return any(pattern.covers(root + path) for path in paths(item.data) for pattern in fabric)

    def _tabled(self, path: str) -> tuple[str, Risk]:
        found = next(line for line in self.lines if line.pattern.covers(path))
        return found.category, found.risk

    def _fabric(self, edit: Edit, item: Item) -> Line | None:
        """The line by which a field is the fabric's, if it is; of a whole pod the first of them."""
        if not item.is_object or item.kind not in RUNTIME_KINDS or not edit.path:
            return None
        steps = tokens(edit.path)
        if steps == _POD[: len(steps)] and edit.how in {How.ADDED, How.REMOVED}:
            steps = (*_POD, "spec")
        in_pod = steps[: len(_POD)] == _POD
        cursor = self.contract.start.child("pod" if in_pod else "object")
        for step in steps[len(_POD) :] if in_pod else steps:
            cursor = cursor.child(step)
        if cursor.line is not None:
            return cursor.line if cursor.line.owner is Owner.FABRIC else None
        return next(cursor.fabric, None) if in_pod else None


def _lines(table: Document, known: Mapping[str, _Class]) -> Iterator[_Line]:
    for index, item in enumerate(table.data["lines"]):
        pointer = join(("lines", index))
        name = item["class"]
        if name not in known:
            message = f"no class of changes {name!r}"
            place = table.locate(f"{pointer}/class")
            fix = nearest(name, known, label="classes")
            raise InvalidInput("AICR-D001", message, location=place, pointer=f"{pointer}/class", fix=fix)
        try:
            pattern = Pattern.of(item["path"])
        except ValueError as error:
            message = f"{item['path']!r} {error}"
            place = table.locate(f"{pointer}/path")
            raise InvalidInput("AICR-D002", message, location=place, pointer=f"{pointer}/path", fix="write /KIND/field") from None
        yield _Line(pattern=pattern, category=name, risk=Risk(item["risk"]) if "risk" in item else known[name].risk)
