"""Write plain data as canonical YAML or as one line of JSON: one text for one value, the same value for every reader.

Block style, two spaces, the dashes of a list under its key as kubectl and kustomize write them, no folding, no anchors, LF. Keys
are sorted by code point; in a Kubernetes object those that identify it come first. The order of lists is kept.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from bundler.yamlio.scalars import number_text, printable, quoted, quotes_needed

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["dump", "dump_all", "to_json"]

_FIRST_KEYS = {key: rank for rank, key in enumerate(("apiVersion", "kind", "metadata", "name", "namespace"))}

_TEXT_ONLY = frozenset({("metadata", "annotations"), ("env", "value")})
"""Key and the key below it whose strings are always quoted, needed or not.

Kubernetes takes only strings there, whatever they look like, and people edit them: who replaces "auto" by "8" finds the quotes in
place. It also keeps a change of value from changing the notation around it.
"""

_BLOCKS = frozenset({dict, list})
"""What is written as a block, unless it is empty."""

_NOT_LITERAL = re.compile(r"\A[ \t\n]|[ \t](?:\n|\Z)|\n\t|\n\n\Z")
"""What readers or editors may not give back from a literal block: white space at either end of a line, line ends to spare."""

_LONGEST_KEY = 1000
"""Readers look for the colon of a plain or quoted key within 1024 characters; a longer key is announced by a question mark."""


def dump(data: Any) -> str:
    """The canonical YAML of one document: ends with a line end, has no `---`.

    Args:
        data: maps with string keys, lists, strings, 64-bit integers, finite floats, booleans and None, of exactly these types.

    Raises:
        TypeError: the data is something else, which is a fault of the caller.
    """
    lines: list[str] = []
    if data and type(data) in _BLOCKS:
        kubernetes = type(data) is dict and "apiVersion" in data and "kind" in data
        _Block(lines, kubernetes=kubernetes).collection(data, "", "", name="", text_only=False)
    else:
        lines.append(f"{_scalar(data, '', text_only=False)}\n")
    return "".join(lines)


def dump_all(documents: Iterable[Any]) -> str:
    """The canonical YAML of a stream, its documents parted by `---`."""
    return "---\n".join(dump(document) for document in documents)


def to_json(data: Any) -> str:
    """One line of JSON that every YAML reader reads alike: keys as given, nothing escaped for HTML.

    A reader of YAML takes no key of more than 1024 characters here.

    Raises:
        TypeError: as `dump`.
    """
    kind = type(data)
    if kind is str:
        return quoted(data)
    if kind is list:
        return f"[{', '.join(to_json(item) for item in data)}]"
    if kind is dict:
        return f"{{{', '.join(f'{quoted(_checked(key))}: {to_json(value)}' for key, value in data.items())}}}"
    return _constant(data)


class _Block:
    """Block style being written, line by line."""

    __slots__ = ("kubernetes", "lines")

    def __init__(self, lines: list[str], *, kubernetes: bool) -> None:
        self.lines = lines
        self.kubernetes = kubernetes

    def collection(self, data: Any, lead: str, indent: str, *, name: str, text_only: bool) -> None:
        """Write a map or list that is not empty.

        Args:
            data: the map or list.
            lead: what its first line starts with: its indent, or the dash of the list it is an item of.
            indent: what its other lines start with.
            name: the key it stands under; for an item, the key of its list.
            text_only: whether its strings are always quoted.
        """
        if type(data) is list:
            for item in data:
                if item and type(item) in _BLOCKS:
                    self.collection(item, f"{lead}- ", f"{indent}  ", name=name, text_only=text_only)
                else:
                    self.lines.append(f"{lead}- {_scalar(item, indent, text_only=text_only)}\n")
                lead = indent
            return
        for key, text in _in_order(tuple(data), self.kubernetes):
            value = data[key]
            self.lines.append(f"{lead}{text}:" if len(text) <= _LONGEST_KEY else f"{lead}? {text}\n{indent}:")
            lead = indent
            below = text_only or (name, key) in _TEXT_ONLY
            if value and type(value) in _BLOCKS:
                self.lines.append("\n")
                inner = indent if type(value) is list else f"{indent}  "
                self.collection(value, inner, inner, name=key, text_only=below)
            else:
                self.lines.append(f" {_scalar(value, indent, text_only=below)}\n")


def _checked(key: Any) -> str:
    if type(key) is not str:
        raise TypeError(f"a key of type {type(key).__name__} is not plain data")
    return key


@lru_cache(maxsize=4096)
def _in_order(keys: tuple[str, ...], kubernetes: bool) -> tuple[tuple[str, str], ...]:
    """The keys of a map in the order they are written, each with its text: a few hundred sets of keys make up all objects."""
    rank = _FIRST_KEYS if kubernetes else {}
    ordered = sorted(keys, key=lambda key: (rank.get(_checked(key), len(_FIRST_KEYS)), key))
    return tuple((key, quoted(key) if quotes_needed(key) else key) for key in ordered)


def _scalar(value: Any, indent: str, *, text_only: bool) -> str:
    """A value that is no block, below `indent`: a literal block where its lines come back as they are, else one line."""
    if type(value) is not str:
        return _constant(value)
    if "\n" in value and not _NOT_LITERAL.search(value) and printable(value):
        header = "|" if value.endswith("\n") else "|-"
        return "\n".join((header, *(f"{indent}  {line}" if line else "" for line in value.removesuffix("\n").split("\n"))))
    return quoted(value) if text_only or quotes_needed(value) else value


def _constant(value: Any) -> str:
    """What holds no text, the same in YAML and in JSON."""
    kind = type(value)
    if kind is bool:
        return "true" if value else "false"
    if kind is int or kind is float:
        return number_text(value)
    if value is None:
        return "null"
    if not value and (kind is dict or kind is list):
        return "{}" if kind is dict else "[]"
    raise TypeError(f"a value of type {kind.__name__} is not plain data")
