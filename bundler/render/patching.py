"""RFC 6902 patches on rendered objects: what a patch wrote stands where the patch stands."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bundler.compose.patches import Operation, apply
from bundler.model.pointer import join, resolve

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bundler.compose.patches import Effect
    from bundler.kube.resource import Resource
    from bundler.model.composition import Patch
    from bundler.model.document import JsonObject
    from bundler.model.location import Location

__all__ = ["patched"]


def patched(resource: Resource, patches: Iterable[Patch]) -> Resource:
    """The resource with all operations applied in order.

    Raises:
        InvalidInput: an operation is malformed, misses its target, or is a test that fails.
    """
    data = resource.data
    positions = dict(resource.positions)
    for patch in patches:
        for operation in patch.operations:
            step = Operation(data=operation, location=patch.location)
            after, effects = apply(data, [step], subject=resource.subject)
            for effect in effects:
                _reposition(positions, effect, data, after)
            data = after
    return replace(resource, data=data, positions=positions)


def _reposition(positions: dict[str, Location], effect: Effect, before: JsonObject, after: JsonObject) -> None:
    """Keep positions true after an operation: items of a list move up or down when one comes or goes."""
    above, target = join(effect.steps[:-1]), join(effect.steps)
    in_list = isinstance(resolve(after if effect.present else before, above), list)
    if in_list and effect.present and effect.operation.data["op"] != "replace":
        _shift(positions, above, int(effect.steps[-1]), 1)
    else:
        _forget(positions, target)
    if effect.present:
        positions[target] = effect.operation.location
    elif in_list:
        _shift(positions, above, int(effect.steps[-1]) + 1, -1)


def _forget(positions: dict[str, Location], pointer: str) -> None:
    for known in [known for known in positions if known == pointer or known.startswith(f"{pointer}/")]:
        del positions[known]


def _shift(positions: dict[str, Location], above: str, start: int, by: int) -> None:
    """Renumber the items of the list at `above` from `start` on."""
    prefix = f"{above}/"
    moved: dict[str, Location] = {}
    for known in [known for known in positions if known.startswith(prefix)]:
        step, slash, rest = known.removeprefix(prefix).partition("/")
        if int(step) >= start:
            moved[f"{prefix}{int(step) + by}{slash}{rest}"] = positions.pop(known)
    positions.update(moved)
