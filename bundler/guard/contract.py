"""The contract: which fields of a runtime are the fabric's, and the same in its fixture, and which are the benchmark's own.

It is data, `manifests/validators/contract.yaml`, one line a path with a reason. A path is that of a projection: `/pod` is the pod
template that trains, `/object` is everything around it, and an entry of a list is named by its key instead of its number.
"""

from __future__ import annotations

import re
from dataclasses import field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

from bundler.dataclass import dataclass
from bundler.model.pointer import join, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.catalog.catalog import Catalog
    from bundler.model.document import Document, JsonObject
    from bundler.model.location import Location

__all__ = ["PATH", "Contract", "Cursor", "Line", "Order", "Owner", "Reads", "read_lines"]

PATH = "manifests/validators/contract.yaml"


class Owner(StrEnum):
    """Whose a field is."""

    FABRIC = "fabric"
    BENCHMARK = "benchmark"


class Reads(StrEnum):
    """What the text of a field means; fields that mean the same are the same, however they are written."""

    TEXT = "text"
    IMAGE = "image"
    JSON = "json"
    QUANTITY = "quantity"
    YAML = "yaml"


class Order(StrEnum):
    """Whether the order of a list means anything: always, never, or where one entry refers to another as `$(NAME)`."""

    FIXED = "fixed"
    FREE = "free"
    REFERENCES = "references"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the contract.

    Attributes:
        path: with `*` in a step for any characters.
        pointer: of the line in its document.
    """

    path: str
    owner: Owner
    reason: str
    reads: Reads = Reads.TEXT
    order: Order = Order.FIXED
    location: Location
    pointer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pattern:
    line: Line
    steps: tuple[str | re.Pattern[str], ...]

    @classmethod
    def of(cls, line: Line) -> _Pattern:
        return cls(line=line, steps=tuple(_step(step) for step in tokens(line.path)))

    @property
    def rank(self) -> tuple[bool, ...]:
        """The more literal, and the earlier so, the higher."""
        return tuple(isinstance(step, str) for step in self.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor:
    """The contract as seen from one path.

    Attributes:
        line: what covers the path: of the lines that end at it or above it the longest; None when nobody classified it.
    """

    line: Line | None
    _open: tuple[_Pattern, ...] = field(repr=False)
    _depth: int = 0
    _children: dict[str, Cursor] = field(default_factory=dict, repr=False, compare=False)

    @property
    def reads(self) -> Reads:
        """What a text here means."""
        return self.line.reads if self.line else Reads.TEXT

    @property
    def deeper(self) -> bool:
        """Whether a line says something of a path below this one."""
        return bool(self._open)

    @property
    def fabric(self) -> Iterator[Line]:
        """The lines below this path that make something the fabric's."""
        return (pattern.line for pattern in self._open if pattern.line.owner is Owner.FABRIC)

    def child(self, step: str) -> Cursor:
        """The contract one step below."""
        if step not in self._children:
            self._children[step] = self._below(step)
        return self._children[step]

    def _below(self, step: str) -> Cursor:
        matching = [pattern for pattern in self._open if _matches(pattern.steps[self._depth], step)]
        depth = self._depth + 1
        ended = max((pattern for pattern in matching if len(pattern.steps) == depth), key=lambda ended: ended.rank, default=None)
        return Cursor(
            line=ended.line if ended else self.line,
            _open=tuple(pattern for pattern in matching if len(pattern.steps) > depth),
            _depth=depth,
        )


@dataclass(frozen=True, kw_only=True)
class Contract:
    """Every line that is in force.

    Attributes:
        excused: rules of the fabric that the measured side need not keep.
    """

    lines: tuple[Line, ...]
    excused: frozenset[str] = frozenset()

    @classmethod
    def of(cls, catalog: Catalog) -> Contract:
        """The contract of a catalogue; a line of `--data` is added, or replaces the packaged one of the same path."""
        return cls(lines=read_lines(catalog.store.united(PATH, kind="Contract")))

    @cached_property
    def start(self) -> Cursor:
        """The contract as seen from the root of a projection."""
        return Cursor(line=None, _open=tuple(_Pattern.of(line) for line in self.lines))


def read_lines(document: Document) -> tuple[Line, ...]:
    """The lines of a document of kind Contract."""
    return tuple(_line(item, document, join(("lines", index))) for index, item in enumerate(document.data["lines"]))


def _line(item: JsonObject, document: Document, pointer: str) -> Line:
    return Line(
        path=item["path"],
        owner=Owner(item["owner"]),
        reason=item["reason"],
        reads=Reads(item.get("reads", Reads.TEXT)),
        order=Order(item.get("order", Order.FIXED)),
        location=document.locate(f"{pointer}/path"),
        pointer=pointer,
    )


def _step(step: str) -> str | re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, step.split("*"))), re.DOTALL) if "*" in step else step


def _matches(step: str | re.Pattern[str], key: str) -> bool:
    return step == key if isinstance(step, str) else step.fullmatch(key) is not None
