"""Installation order: what each component needs first, united over the registry and every layer."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import TYPE_CHECKING

from bundler.compose.wording import nearest
from bundler.errors import InvalidInput
from bundler.model.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bundler.model.trace import Assignment

__all__ = ["in_order"]


def in_order(needs: Mapping[str, Mapping[str, Assignment]]) -> tuple[str, ...]:
    """The components so that each comes after those it depends on; ties by name.

    Args:
        needs: component → what it depends on → where that was first stated.

    Raises:
        InvalidInput: a dependency is not included, or components depend on each other in a circle.
    """
    missing = [
        _missing(name, dependency, assignment, needs)
        for name, stated in sorted(needs.items())
        for dependency, assignment in stated.items()
        if dependency not in needs
    ]
    if missing:
        raise InvalidInput.of(missing)
    waiting = {name: set(stated) for name, stated in needs.items()}
    dependents: dict[str, list[str]] = {}
    for name, stated in needs.items():
        for dependency in stated:
            dependents.setdefault(dependency, []).append(name)
    ready = [name for name, stated in waiting.items() if not stated]
    heapify(ready)
    order: list[str] = []
    while ready:
        name = heappop(ready)
        order.append(name)
        for dependent in dependents.get(name, ()):
            waiting[dependent].discard(name)
            if not waiting[dependent]:
                heappush(ready, dependent)
    if len(order) < len(needs):
        raise _circle(needs, sorted(set(needs) - set(order)))
    return tuple(order)


def _missing(name: str, dependency: str, assignment: Assignment, included: Mapping[str, object]) -> Finding:
    return Finding(
        rule="AICR-C020",
        message=f"component {name!r} depends on {dependency!r}, which the recipe does not include ({assignment.layer})",
        location=assignment.location,
        fix=f"include {dependency!r}, or drop the dependency; {nearest(dependency, included, label='included')}",
    )


def _circle(needs: Mapping[str, Mapping[str, Assignment]], stuck: list[str]) -> InvalidInput:
    """Every stuck component waits for a stuck one, so walking along the first such edge must come back to where it was."""
    left = set(stuck)
    walk: list[str] = [stuck[0]]
    while (following := min(set(needs[walk[-1]]) & left)) not in walk:
        walk.append(following)
    circle = walk[walk.index(following) :]
    start = circle.index(min(circle))
    chain = [*circle[start:], *circle[:start], circle[start]]
    edges = [needs[name][dependency] for name, dependency in pairwise(chain)]
    where = "; ".join(f"{edge.layer} at {edge.location}" for edge in edges)
    message = f"components depend on each other: {' -> '.join(chain)} ({where})"
    return InvalidInput("AICR-C021", message, location=edges[-1].location, fix="drop one of these dependencies")
