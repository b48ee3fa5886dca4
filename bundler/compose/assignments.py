"""What a layer writes, one assignment for each leaf: the material of the trace, and of every comparison of two layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.compose.lists import item_key
from bundler.model.pointer import child
from bundler.model.trace import Assignment, Trace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bundler.compose.lists import Lists
    from bundler.model.location import Location

__all__ = ["everywhere", "leaves", "repeated", "same", "trace_of"]


def leaves(
    value: Any,
    *,
    pointer: str,
    source: str,
    layer: str,
    locate: Callable[[str], Location],
    lists: Lists | None = None,
) -> Iterator[Assignment]:
    """The assignments that a value makes.

    Args:
        value: what a layer writes.
        pointer: where it goes in the composed tree.
        source: where it stands in the layer's document.
        layer: the layer's label.
        locate: pointer in the document → location.
        lists: which lists have keys or are sets; their items are assigned one by one.
    """
    if isinstance(value, dict) and value:
        for key, below in value.items():
            yield from leaves(
                below,
                pointer=child(pointer, key),
                source=child(source, key),
                layer=layer,
                locate=locate,
                lists=lists and lists.below(key),
            )
    elif isinstance(value, list) and lists is not None and (lists.keys or lists.unordered):
        for index, item in enumerate(value):
            at = child(source, index)
            if lists.unordered:
                yield Assignment(pointer=child(pointer, str(item)), value=item, action="add", layer=layer, location=locate(at))
                continue
            key = item_key(item, lists.keys)
            below_pointer = child(pointer, index if key is None else key)
            yield from leaves(item, pointer=below_pointer, source=at, layer=layer, locate=locate, lists=lists.items)
    else:
        action = "delete" if value is None else "set"
        yield Assignment(pointer=pointer, value=value, action=action, layer=layer, location=locate(source))


def everywhere(location: Location) -> Callable[[str], Location]:
    """A `locate` for what one flag states: every pointer has the flag's location."""
    return lambda _pointer: location


def repeated(assignments: Iterable[Assignment]) -> tuple[Assignment, Assignment] | None:
    """The first two assignments to one pointer. Within one layer they come from a list that holds a key twice."""
    first: dict[str, Assignment] = {}
    for assignment in assignments:
        if assignment.pointer in first:
            return first[assignment.pointer], assignment
        first[assignment.pointer] = assignment
    return None


def same(one: Any, other: Any) -> bool:
    """Whether two plain values are equal with their types: `true` is not 1, and 1 is not 1.0."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def trace_of(assignments: Iterable[Assignment]) -> Trace:
    """The trace of assignments given in the order they were made."""
    made: dict[str, list[Assignment]] = {}
    for assignment in assignments:
        if assignment.pointer in made:
            made[assignment.pointer].append(assignment)
        else:
            made[assignment.pointer] = [assignment]
    return Trace(assignments={pointer: tuple(every) for pointer, every in made.items()})
