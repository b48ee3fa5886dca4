"""Compose plain data from YAML's events in one pass, noting where each key and item stands and checking every limit on the way.

A fault that leaves the structure clear (a tag, a duplicate key, an ambiguous scalar) is collected and the reading goes on, so that
an author sees all of them at once. Any other fault ends the reading.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from yaml.error import MarkedYAMLError
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from bundler.errors import InvalidInput
from bundler.model.finding import Finding
from bundler.model.location import Location
from bundler.model.pointer import child
from bundler.yamlio.events import events
from bundler.yamlio.positions import Positions
from bundler.yamlio.scalars import ambiguous, is_text, quoted, resolve

if TYPE_CHECKING:
    from bundler.model.document import JsonObject

__all__ = ["MAX_DEPTH", "MAX_NODES", "compose"]

MAX_DEPTH = 64
"""Maps and lists inside one another, aliases followed: whatever walks a document may recurse."""

MAX_NODES = 100_000
"""Values in one file, aliases expanded: whatever walks its documents visits no more."""

MAX_FINDINGS = 100
"""Findings after which the reading ends: a file with so many has one fault, everywhere."""

_OPEN = object()
"""Stands for an anchored map or list that is still being read."""

_SHOWN = 60
"""Characters of a text that a message quotes."""


def compose(text: str, file: str, *, single: bool) -> list[tuple[Any, Positions]]:
    """The documents of a stream in which something is written, each with its positions.

    Args:
        text: characters that YAML allows, with plain line ends.
        file: the path that messages show.
        single: whether a second document is a fault.

    Raises:
        InvalidInput: with every finding up to the first that ends the reading.
    """
    composer = _Composer(text, file)
    try:
        documents = composer.documents(single=single)
    except MarkedYAMLError as error:
        composer.findings.append(composer.syntax(error, text))
    except InvalidInput as error:
        composer.findings.extend(error.findings)
    if composer.findings:
        raise InvalidInput.of(composer.findings)
    return documents


class _Composer:
    """One stream being read."""

    __slots__ = ("anchors", "file", "findings", "marks", "next_event", "nodes")

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self.next_event = events(text)
        self.findings: list[Finding] = []
        self.nodes = 0
        self.anchors: dict[str, Any] = {}
        self.marks: dict[str, Any] = {}

    def documents(self, *, single: bool) -> list[tuple[Any, Positions]]:
        found: list[tuple[Any, Positions]] = []
        started = 0
        while type(event := self.next_event()) is not StreamEndEvent:
            if type(event) is not DocumentStartEvent:
                continue
            started += 1
            if single and started > 1:
                self.refuse("AICR-Y006", "a second document starts here", event.start_mark, fix="keep one document in the file")
            if event.version or event.tags:
                self.note("AICR-Y010", _DIRECTIVE, event.start_mark, fix="remove the line that starts with %")
            self.anchors, self.marks = {}, {}
            root = self.next_event()
            data = self.value(root, "", None, 0)
            if type(root) is not ScalarEvent or root.value or root.style or root.anchor:
                found.append((data, Positions(self.file, root.start_mark, self.marks)))
        return found

    def value(self, event: Any, above: str, step: str | int | None, depth: int) -> Any:
        """The value that `event` starts; it stands at `step` below the pointer `above`, inside `depth` maps and lists."""
        self.nodes += 1
        if self.nodes > MAX_NODES:
            self.refuse("AICR-Y008", f"the file holds more than {MAX_NODES} values", event.start_mark, above, fix="split the file")
        kind = type(event)
        if kind is AliasEvent:
            return self.alias(event, above, step, depth)
        anchor = event.anchor
        if anchor is not None:
            self.anchor(event, above, step)
        if event.tag is not None:
            self.tag(event, above, step)
        if kind is ScalarEvent:
            text = event.value
            value = text if event.style or is_text(text) else self.plain(event, above, step)
        else:
            pointer = _below(above, step)
            if depth >= MAX_DEPTH:
                self.refuse("AICR-Y007", _TOO_DEEP, event.start_mark, pointer, fix="flatten the document")
            value = self.mapping(pointer, depth + 1) if kind is MappingStartEvent else self.sequence(pointer, depth + 1)
        if anchor is not None:
            self.anchors[anchor] = value
        return value

    def mapping(self, pointer: str, depth: int) -> JsonObject:
        data: JsonObject = {}
        marks = self.marks[pointer] = {}
        next_event, value = self.next_event, self.value
        while type(event := next_event()) is not MappingEndEvent:
            if type(event) is not ScalarEvent:
                self.refuse("AICR-Y014", "a key is not a string", event.start_mark, pointer, fix="use a string as the key")
            key = event.value
            if key in data:
                message = f"key {_shown(key)} was written before, at {self.at(marks[key])}"
                self.note("AICR-Y013", message, event.start_mark, child(pointer, key), fix="keep one of the two")
            if event.anchor is not None or event.tag is not None or not (event.style or is_text(key)):
                self.key(event, pointer)
            marks[key] = event.start_mark
            data[key] = value(next_event(), pointer, key, depth)
        return data

    def sequence(self, pointer: str, depth: int) -> list[Any]:
        data: list[Any] = []
        marks = self.marks[pointer] = []
        next_event, value = self.next_event, self.value
        while type(event := next_event()) is not SequenceEndEvent:
            marks.append(event.start_mark)
            data.append(value(event, pointer, len(data), depth))
        return data

    def key(self, event: Any, pointer: str) -> None:
        """Note what is wrong with a key apart from being there twice."""
        if event.anchor is not None:
            self.anchor(event, pointer, event.value)
            self.anchors[event.anchor] = event.value
        if event.tag is not None:
            self.tag(event, pointer, event.value)
        elif not event.style:
            text, value = event.value, resolve(event.value)
            if text == "<<":
                message = "merge keys (<<) are not accepted: YAML 1.2 has none"
                self.note("AICR-Y012", message, event.start_mark, child(pointer, text), fix="write the keys out")
            elif not isinstance(value, str):
                message = f"key {_shown(text)} is {_NAMES[type(value)]}, not a string"
                self.note("AICR-Y014", message, event.start_mark, child(pointer, text), fix=f"write {quoted(text)}")
            else:
                self.plain(event, pointer, text)

    def plain(self, event: Any, above: str, step: str | int | None) -> Any:
        """The value of an unquoted scalar, noting it when readers disagree about it."""
        value = resolve(event.value)
        if isinstance(value, str) and (reason := ambiguous(value)):
            message = f"ambiguous scalar {_shown(value)}: {reason}"
            self.note(
                "AICR-Y015", message, event.start_mark, _below(above, step), fix=f"write {_shown(quoted(value))} for the text"
            )
        return value

    def anchor(self, event: Any, above: str, step: str | int | None) -> None:
        """Open an anchor; until its value is read, an alias to it would have no end."""
        if event.anchor in self.anchors:
            message = f"anchor &{_shown(event.anchor)} was given before: readers differ on which value its aliases repeat"
            self.note("AICR-Y009", message, event.start_mark, _below(above, step), fix="give each anchor a name of its own")
        self.anchors[event.anchor] = _OPEN

    def alias(self, event: Any, above: str, step: str | int | None, depth: int) -> Any:
        """The value an alias stands for, once its expansion is within the limits."""
        anchor, mark, pointer = event.anchor, event.start_mark, _below(above, step)
        fix = "write the value out"
        if anchor not in self.anchors:
            self.refuse("AICR-Y009", f"alias *{_shown(anchor)} has no anchor before it", mark, pointer, fix=fix)
        value = self.anchors[anchor]
        if value is _OPEN:
            self.refuse("AICR-Y009", f"alias *{_shown(anchor)} stands inside the value it repeats", mark, pointer, fix=fix)
        nodes, height = _extent(value)
        self.nodes += nodes - 1
        if self.nodes > MAX_NODES:
            message = f"aliases expand the file to more than {MAX_NODES} values (alias budget)"
            self.refuse("AICR-Y008", message, mark, pointer, fix=fix)
        if depth + height > MAX_DEPTH:
            self.refuse("AICR-Y007", f"{_TOO_DEEP} once aliases are followed", mark, pointer, fix="flatten the document")
        return value

    def tag(self, event: Any, above: str, step: str | int | None) -> None:
        message = f"tag {_shown(_short(event.tag))} is not accepted: a value's notation alone gives its type"
        self.note("AICR-Y011", message, event.start_mark, _below(above, step), fix="remove the tag")

    def note(self, rule: str, message: str, mark: Any, pointer: str = "", *, fix: str) -> None:
        """Collect a finding and go on, unless there are enough."""
        if len(self.findings) == MAX_FINDINGS - 1:
            self.refuse(rule, message, mark, pointer, fix=fix)
        self.findings.append(Finding(rule=rule, message=message, location=self.at(mark), pointer=pointer, fix=fix))

    def refuse(self, rule: str, message: str, mark: Any, pointer: str = "", *, fix: str) -> NoReturn:
        """End the reading with a finding."""
        raise InvalidInput(rule, message, location=self.at(mark), pointer=pointer, fix=fix)

    def at(self, mark: Any) -> Location:
        return Location(file=self.file, line=mark.line + 1, column=mark.column + 1)

    def syntax(self, error: MarkedYAMLError, text: str) -> Finding:
        """What the parser could not read."""
        mark: Any = error.problem_mark or error.context_mark
        problem = ", ".join(part for part in (error.context, error.problem) if part)
        rule, message, fix = (
            "AICR-Y004",
            f"this is not YAML: {problem}",
            "quote a text that has a sign of YAML in it, and check the indent",
        )
        if "tab character" in problem or text[mark.index : mark.index + 1] == "\t":
            message, fix = "a tab stands where YAML has spaces", "indent with spaces"
        elif "nesting" in problem:
            rule, message, fix = "AICR-Y007", _TOO_DEEP, "flatten the document"
        elif "directive" in problem or "incompatible" in problem:
            rule, message, fix = "AICR-Y010", _DIRECTIVE, "remove the line that starts with %"
        return Finding(rule=rule, message=message, location=self.at(mark), fix=fix)


_TOO_DEEP = f"maps and lists are nested more than {MAX_DEPTH} deep"
_DIRECTIVE = "YAML directives are not accepted: how a file is read is not for the file to choose"
_NAMES = {bool: "a boolean", int: "a number", float: "a number", type(None): "null"}


def _below(above: str, step: str | int | None) -> str:
    return above if step is None else child(above, step)


def _shown(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _short(tag: str) -> str:
    """The tag as an author writes it."""
    standard = "tag:yaml.org,2002:"
    return f"!!{tag.removeprefix(standard)}" if tag.startswith(standard) else tag


def _extent(value: Any) -> tuple[int, int]:
    """Number of values in `value`, itself included, and how many maps and lists are nested in it.

    Bounded in time and recursion because what an anchor names was itself read within the limits.
    """
    if not isinstance(value, dict | list):
        return 1, 0
    extents = [_extent(item) for item in (value.values() if isinstance(value, dict) else value)]
    return 1 + sum(nodes for nodes, _ in extents), 1 + max((height for _, height in extents), default=0)
