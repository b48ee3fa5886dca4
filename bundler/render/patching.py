"""RFC 6902 patches on rendered objects: what a patch wrote stands where the patch stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bundler.compose.patches import Operation, apply
from bundler.model.location import Location
from bundler.model.pointer import child, join

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bundler.compose.patches import Effect
    from bundler.kube.resource import Resource
    from bundler.model.composition import Patch

__all__ = ["patched"]


def patched(resource: Resource, patches: Iterable[Patch]) -> Resource:
    """The resource with all operations applied in order.

    Raises:
        InvalidInput: an operation is malformed, misses its target, or is a test that fails.
    """
    operations = [Operation(data=operation, location=patch.location) for patch in patches for operation in patch.operations]
    data, effects = apply(resource.data, operations, subject=resource.subject)
    return replace(resource, data=data, positions=_PatchedPositions(data, effects, resource.positions))


class _PatchedPositions(Mapping[str, Location]):
    """Positions after patches, found when they are asked for by undoing the effects from the last to the first."""

    __slots__ = ("_before", "_data", "_effects")

    def __init__(self, data: Any, effects: tuple[Effect, ...], before: Mapping[str, Location]) -> None:
        self._data = data
        self._effects = effects
        self._before = before

    def __getitem__(self, pointer: str) -> Location:
        for effect in reversed(self._effects):
            target = effect.pointer  # objects have no lists with keys of ours, so this is the pointer of the steps
            if (effect.present or not effect.shift) and (pointer == target or pointer.startswith(f"{target}/")):
                return effect.operation.location
            if effect.shift:
                pointer = _before_shift(pointer, effect)
        return self._before[pointer]

    def __iter__(self) -> Iterator[str]:
        return _pointers(self._data, "")

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _before_shift(pointer: str, effect: Effect) -> str:
    """The pointer that an item of the effect's list, or what is below it, had before the effect."""
    above = f"{join(effect.steps[:-1])}/"
    if not pointer.startswith(above):
        return pointer
    step, slash, rest = pointer.removeprefix(above).partition("/")
    moved = int(step) >= int(effect.steps[-1])
    return f"{above}{int(step) - effect.shift}{slash}{rest}" if moved else pointer


def _pointers(value: Any, pointer: str) -> Iterator[str]:
    yield pointer
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, below in members:
        yield from _pointers(below, child(pointer, step))
