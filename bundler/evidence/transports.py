"""The transports of NCCL and what a log says of each (bom/transports.yaml)."""

from __future__ import annotations

import re
from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING

from bundler.catalog.store import nearest
from bundler.catalog.uniting import entries
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.model.pointer import join

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bundler.catalog.catalog import Catalog
    from bundler.model.document import Document, JsonObject

__all__ = ["TABLE", "Carries", "Shows", "Sign", "Transport", "Transports"]

_BY_GROUP = re.compile(r"\\[1-9]|\(\?P")

TABLE = "bom/transports.yaml"


class Carries(StrEnum):
    """What a transport takes data over."""

    FABRIC = "fabric"
    NVLINK = "nvlink"
    TCP = "tcp"


class Shows(StrEnum):
    """What a line of a log shows."""

    USE = "use"
    SUPPORT = "support"
    FAILURE = "failure"
    DEGRADED = "degraded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """A kind of line by which a transport is known.

    Attributes:
        transport: the name of the transport.
        pattern: what is searched for in a line.
        says: what the line means, with `{1}` for the first group of the pattern.
    """

    transport: str
    shows: Shows
    pattern: re.Pattern[str]
    says: str = ""

    def meaning(self, match: re.Match[str]) -> str:
        """What a line that matched means."""
        return self.says.format("", *(group or "nothing" for group in match.groups()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Transport:
    """A way that data can take.

    Attributes:
        title: what people call it.
    """

    name: str
    title: str
    carries: Carries
    signs: tuple[Sign, ...] = field(repr=False)

    @property
    def words(self) -> str:
        """The name with what people call it."""
        return f"{self.name} ({self.title})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Transports:
    """Every transport that is known, by name."""

    by_name: Mapping[str, Transport]
    _any: re.Pattern[str] = field(repr=False)

    @classmethod
    def of(cls, catalog: Catalog) -> Transports:
        """The transports of a catalogue.

        Raises:
            InvalidInput: a pattern is none, or a meaning refers to a group that its pattern does not have.
        """
        document = catalog.store.united(TABLE, kind="TransportTable")
        rows = {name: _transport(document, *found) for name, found in entries(document, "transports").items()}
        # Most lines of a log are of no interest, and are passed over by one search.
        every = "|".join(f"(?:{sign.pattern.pattern})" for row in rows.values() for sign in row.signs)
        return cls(by_name=rows, _any=re.compile(every))

    def named(self, name: str) -> Transport:
        """The transport of a name.

        Raises:
            InvalidInput: no transport has it.
        """
        if name not in self.by_name:
            raise InvalidInput("AICR-E002", f"no transport {name!r} in {TABLE}", fix=nearest(name, self.by_name))
        return self.by_name[name]

    def read(self, line: str) -> Iterator[tuple[Sign, re.Match[str]]]:
        """Every sign in a line of a log."""
        if self._any.search(line):
            for transport in self.by_name.values():
                for sign in transport.signs:
                    if match := sign.pattern.search(line):
                        yield sign, match


def _transport(document: Document, pointer: str, row: JsonObject) -> Transport:
    signs = tuple(_sign(document, f"{pointer}/lines/{index}", row["name"], line) for index, line in enumerate(row["lines"]))
    return Transport(name=row["name"], title=row["title"], carries=Carries(row["carries"]), signs=signs)


def _sign(document: Document, pointer: str, transport: str, line: JsonObject) -> Sign:
    at = pointer + join(("pattern",))
    try:
        sign = Sign(transport=transport, shows=Shows(line["shows"]), pattern=_pattern(line["pattern"]), says=line.get("says", ""))
        sign.says.format("", *("" for _ in range(sign.pattern.groups)))
    except (re.error, IndexError, KeyError, ValueError) as error:
        message = f"the line {line['pattern']!r} of {transport} cannot be searched for: {error}"
        fix = "write a regular expression, and {1} to {9} for its groups"
        raise InvalidInput("AICR-E001", message, location=document.locate(at), pointer=at, fix=fix) from None
    return sign


def _pattern(text: str) -> re.Pattern[str]:
    """A pattern that can be searched for together with others, where groups have other numbers and names must be unique."""
    if _BY_GROUP.search(text):
        raise ValueError("it refers to a group of its own, or names one")
    return re.compile(text)
