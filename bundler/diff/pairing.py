"""Which item of one side is which of the other: by identity, and else by what they hold, for an object that was renamed."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from bundler.model.pointer import child
from bundler.yamlio.writer import to_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bundler.diff.side import Item

__all__ = ["pairs"]

_ALIKE = 0.7
"""The share of its values that an object has to keep to be the same under another name."""

_MOST_PAIRS = 2500
"""So many pairs of one kind are looked at; more are taken for what they seem, removed and added."""


def pairs(before: Iterable[Item], after: Iterable[Item]) -> Iterator[tuple[Item | None, Item | None]]:
    """Every item once, with its counterpart where it has one."""
    ours, theirs = {item.key: item for item in before}, {item.key: item for item in after}
    gone = [item for key, item in ours.items() if key not in theirs]
    new = [item for key, item in theirs.items() if key not in ours]
    renamed = _renamed(gone, new)
    for key, item in ours.items():
        if key in theirs:
            yield item, theirs[key]
        else:
            yield item, renamed.get(item.key)
    taken = {item.key for item in renamed.values()}
    yield from ((None, item) for item in new if item.key not in taken)


def _renamed(gone: list[Item], new: list[Item]) -> dict[tuple[str, ...], Item]:
    """Key of an item that is gone → the new one that it is alike, the most alike first, each once."""
    by_kind: dict[tuple[str, ...], tuple[list[Item], list[Item]]] = defaultdict(lambda: ([], []))
    for number, items in enumerate((gone, new)):
        for item in items:
            by_kind[item.key[:3] if item.is_object else ("file",)][number].append(item)
    scored: list[tuple[float, tuple[str, ...], tuple[str, ...], Item]] = []
    for kind, (ours, theirs) in by_kind.items():
        if len(ours) * len(theirs) > _MOST_PAIRS:
            continue
        leaves = {item.key: _leaves(item) for item in (*ours, *theirs)}
        least = _ALIKE if len(kind) > 1 else 1.0
        for one in ours:
            for other in theirs:
                score = _alike(leaves[one.key], leaves[other.key])
                if score >= least:
                    scored.append((-score, one.key, other.key, other))
    found: dict[tuple[str, ...], Item] = {}
    taken: set[tuple[str, ...]] = set()
    for _, one_key, other_key, item in sorted(scored, key=lambda each: each[:3]):
        if one_key not in found and other_key not in taken:
            found[one_key] = item
            taken.add(other_key)
    return found


def _alike(ours: frozenset[str], theirs: frozenset[str]) -> float:
    """The share of values that two items have in common; nothing is like what holds nothing."""
    either = len(ours | theirs)
    return len(ours & theirs) / either if either else 0.0


def _leaves(item: Item) -> frozenset[str]:
    """Every value of an item with its path, without its name and namespace."""
    if not item.is_object:
        return frozenset({to_json(item.data) if item.data is not None else item.digest} - {"", '""', "null"})
    return frozenset(
        f"{path}={value}"
        for path, value in _walk(item.data, "")
        if path not in {"/metadata/name", "/metadata/namespace", "/apiVersion", "/kind"}
    )


def _walk(data: Any, path: str) -> Iterator[tuple[str, str]]:
    match data:
        case dict() if data:
            for key, value in data.items():
                yield from _walk(value, child(path, key))
        case list() if data:
            for index, value in enumerate(data):
                yield from _walk(value, child(path, index))
        case _:
            yield path, to_json(data)
