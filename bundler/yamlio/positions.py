"""Where each value of a document was written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bundler.model.location import Location
from bundler.model.pointer import child

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yaml._yaml import Mark

    Marks = dict[str, Mark] | list[Mark]

__all__ = ["Positions"]


class Positions(Mapping[str, Location]):
    """JSON pointer → Location, built only when asked: most documents are read without error and never asked.

    What stands below an alias was written elsewhere and has no position of its own; `Document.locate` answers with the alias.
    """

    __slots__ = ("_file", "_marks", "_root")

    def __init__(self, file: str, root: Mark, marks: Mapping[str, Marks]) -> None:
        """Keep what the parser saw.

        Args:
            file: the path that messages show.
            root: where the document's value starts.
            marks: pointer of each map and list → the mark of each key or item.
        """
        self._file = file
        self._root = root
        self._marks = marks

    def __getitem__(self, pointer: str) -> Location:
        mark = self._mark(pointer)
        return Location(file=self._file, line=mark.line + 1, column=mark.column + 1)

    def __iter__(self) -> Iterator[str]:
        yield ""
        for pointer, marks in self._marks.items():
            for step in marks if isinstance(marks, dict) else range(len(marks)):
                yield child(pointer, step)

    def __len__(self) -> int:
        return 1 + sum(len(marks) for marks in self._marks.values())

    def _mark(self, pointer: str) -> Mark:
        if not pointer:
            return self._root
        above, slash, step = pointer.rpartition("/")
        marks = self._marks[above] if slash else {}
        if isinstance(marks, dict):
            return marks[step.replace("~1", "/").replace("~0", "~")]
        if step.isascii() and step.isdigit() and str(int(step)) == step and int(step) < len(marks):
            return marks[int(step)]
        raise KeyError(pointer)
