"""Two pieces of data against each other: every difference once, at the deepest place where it can be told.

An entry of a list is found by its key and not by its number, so that one more entry is one edit; the order of entries is an edit
of its own, and never lost.
"""

from __future__ import annotations

import json
from dataclasses import replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from bundler.diff.change import Edit, How
from bundler.guard.projection import KEYS
from bundler.model.pointer import child
from bundler.yamlio.writer import to_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import TypeAlias

    At: TypeAlias = tuple[str, str]

__all__ = ["compare", "paths"]

_TOLD_BY = ("name", "id", "interfaceName", "key", "containerPort", "port", "image", "path", "kind")
"""What entries of other lists are told apart by: the first field that all of them have, with a different value each."""

_DEEPEST = 64
_MOST_ALIGNED = 2000
"""Entries without a key are aligned up to this number; the time that takes grows with the square."""


def compare(before: Any, after: Any, path: str = "", at: At = ("", ""), name: str = "") -> Iterator[Edit]:
    """The edits that make `after` of `before`.

    Args:
        before: plain data.
        after: plain data.
        path: where both stand, with entries of lists named by their keys.
        at: where each stands.
        name: the field that holds them.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _maps(before, after, path, at)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _lists(before, after, path, at, name)
    elif not _same(before, after):
        inner = _texts_as_data(before, after)
        if inner is not None and to_json(inner[0]) != to_json(inner[1]):
            # Inside a text a value has no place of its own: the text's is given.
            yield from (_placed(edit, at) for edit in compare(*inner, path, ("", ""), ""))
        else:
            yield Edit(how=How.CHANGED, path=path, at=at, before=before, after=after)


def paths(data: Any, path: str = "", name: str = "") -> Iterator[str]:
    """The path of every value in a piece of data that holds no other, with entries of lists named by their keys."""
    if isinstance(data, dict) and data:
        for key, value in data.items():
            yield from paths(value, child(path, key), key)
    elif isinstance(data, list) and data:
        key = _key_of(data, [], name)
        entries = enumerate(data) if key is None else ((named, entry) for named, (_, entry) in _named(data, key).items())
        for step, entry in entries:
            yield from paths(entry, child(path, step))
    else:
        yield path


def _maps(before: dict[str, Any], after: dict[str, Any], path: str, at: At) -> Iterator[Edit]:
    for key in [*before, *(key for key in after if key not in before)]:
        here, places = child(path, key), (child(at[0], key), child(at[1], key))
        if key not in after:
            inner, below = _only(before[key])
            yield Edit(how=How.REMOVED, path=here + inner, at=(places[0] + inner, at[1]), before=below)
        elif key not in before:
            inner, below = _only(after[key])
            yield Edit(how=How.ADDED, path=here + inner, at=(at[0], places[1] + inner), after=below)
        else:
            yield from compare(before[key], after[key], here, places, key)


def _only(value: Any) -> tuple[str, Any]:
    """What a value holds below maps of one field each: the deepest place that tells it all."""
    inner = ""
    while isinstance(value, dict) and len(value) == 1:
        ((key, value),) = value.items()
        inner = child(inner, key)
    return inner, value


def _lists(before: list[Any], after: list[Any], path: str, at: At, name: str) -> Iterator[Edit]:
    key = _key_of(before, after, name)
    if key is None:
        yield from _unnamed(before, after, path, at)
        return
    ours, theirs = _named(before, key), _named(after, key)
    for named, (index, entry) in ours.items():
        here = child(path, named)
        if named in theirs:
            other, changed = theirs[named]
            yield from compare(entry, changed, here, (child(at[0], index), child(at[1], other)))
        else:
            yield Edit(how=How.REMOVED, path=here, at=(child(at[0], index), at[1]), before=entry)
    for named, (index, entry) in theirs.items():
        if named not in ours:
            yield Edit(how=How.ADDED, path=child(path, named), at=(at[0], child(at[1], index)), after=entry)
    was, is_now = [one for one in ours if one in theirs], [one for one in theirs if one in ours]
    if was != is_now:
        yield Edit(how=How.REORDERED, path=path, at=at, before=[*ours], after=[*theirs])


def _key_of(before: list[Any], after: list[Any], name: str) -> str | None:
    every = [*before, *after]
    if not every or not all(isinstance(entry, dict) for entry in every):
        return None
    declared = KEYS.get(name)
    if declared and all(isinstance(entry.get(declared), str | int) for entry in every):
        return declared
    return next((key for key in _TOLD_BY if _tells_apart(before, key) and _tells_apart(after, key)), None)


def _tells_apart(entries: list[dict[str, Any]], key: str) -> bool:
    values = [entry.get(key) for entry in entries]
    return all(isinstance(value, str | int) for value in values) and len({str(value) for value in values}) == len(values)


def _named(entries: list[dict[str, Any]], key: str) -> dict[str, tuple[int, dict[str, Any]]]:
    """Entries by key; one whose key stands before it already is told by its number among them."""
    found: dict[str, tuple[int, dict[str, Any]]] = {}
    for index, entry in enumerate(entries):
        named, number = str(entry[key]), 1
        while named in found:
            number += 1
            named = f"{entry[key]} ({number})"
        found[named] = index, entry
    return found


def _unnamed(before: list[Any], after: list[Any], path: str, at: At) -> Iterator[Edit]:
    """Entries without keys: aligned where they are equal, and else told by their number."""
    ours, theirs = [to_json(entry) for entry in before], [to_json(entry) for entry in after]
    if ours == theirs:
        return
    if sorted(ours) == sorted(theirs):
        yield Edit(how=How.REORDERED, path=path, at=at, before=before, after=after)
        return
    for start, end, other_start, other_end in _stretches(ours, theirs):
        common = min(end - start, other_end - other_start)
        for step in range(common):
            index, other = start + step, other_start + step
            places = child(at[0], index), child(at[1], other)
            yield from compare(before[index], after[other], child(path, index), places)
        for index in range(start + common, end):
            yield Edit(how=How.REMOVED, path=child(path, index), at=(child(at[0], index), at[1]), before=before[index])
        for index in range(other_start + common, other_end):
            yield Edit(how=How.ADDED, path=child(path, index), at=(at[0], child(at[1], index)), after=after[index])


def _stretches(ours: Sequence[str], theirs: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """The stretches in which two lists differ."""
    if len(ours) + len(theirs) > _MOST_ALIGNED:
        yield 0, len(ours), 0, len(theirs)
        return
    for tag, start, end, other_start, other_end in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if tag != "equal":
            yield start, end, other_start, other_end


def _same(before: Any, after: Any) -> bool:
    """Whether two scalars are one value; a number is no text, and `true` no number."""
    return type(before) is type(after) and bool(before == after)


def _texts_as_data(before: Any, after: Any) -> tuple[Any, Any] | None:
    """The data in two texts that both hold JSON, as annotations do; None where they do not."""
    if not (isinstance(before, str) and isinstance(after, str)):
        return None
    found: list[Any] = []
    for text in (before, after):
        if text[:1] not in ("{", "["):
            return None
        try:
            data = json.loads(text, object_pairs_hook=_unambiguous, parse_constant=_refuse)
        except (ValueError, RecursionError):
            return None
        if not _is_shallow(data):
            return None
        found.append(data)
    return found[0], found[1]


def _is_shallow(data: Any) -> bool:
    """Whether data is nested no deeper than a YAML file may be, so that every walk over it ends."""
    layer = [data]
    for _ in range(_DEEPEST):
        held = [one.values() if isinstance(one, dict) else one for one in layer if isinstance(one, dict | list)]
        layer = [inner for each in held for inner in each]
        if not layer:
            return True
    return False


def _unambiguous(pairs: list[tuple[str, Any]]) -> Mapping[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


def _placed(edit: Edit, at: At) -> Edit:
    return replace(edit, at=at)
