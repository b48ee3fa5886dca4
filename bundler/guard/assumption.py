"""A side as it will be: what is filled in or set by a script is taken to be right, so that rules judge what stands there."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bundler.guard.contract import Owner
from bundler.guard.projection import KEYS
from bundler.guard.side import ENV, NODE, Role
from bundler.model.pointer import resolve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.guard.contract import Contract
    from bundler.guard.side import Side
    from bundler.kube.resource import Resource
    from bundler.model.document import JsonObject

__all__ = ["assumed", "named"]

_Unknown = Mapping[tuple[str, ...], Mapping[Role, str]]


def named(resource: Resource, name: str) -> Resource:
    """The object under another name: that of the side whose part it plays."""
    if resource.name == name:
        return resource
    return replace(resource, data={**resource.data, "metadata": {**resource.data["metadata"], "name": name}})


def assumed(fixture: Side, runtime: Side, unknown: _Unknown, contract: Contract) -> Resource:
    """The fixture with the settings that its processes get, and with the runtime's value for all that is not known yet.

    Args:
        fixture: as it is.
        runtime: what it measures.
        unknown: path in the projection → pointer into each side.
        contract: says which settings are the benchmark's own.
    """
    if not unknown and not fixture.given:
        return fixture.resource
    data = deepcopy(fixture.resource.data)
    pod = resolve(data, fixture.pod.pointer)
    for path, at in unknown.items():
        if path[0] == "pod" and path[: len(ENV)] != ENV:
            _put(pod, path[1:], deepcopy(resolve(runtime.resource.data, at[Role.RUNTIME])))
    container = next(one for one in pod["spec"]["containers"] if one["name"] == NODE)
    container["env"] = list(_settings(fixture, runtime, unknown, contract))
    return replace(fixture.resource, data=data)


def _settings(fixture: Side, runtime: Side, unknown: _Unknown, contract: Contract) -> Iterator[JsonObject]:
    """The fixture's settings in the runtime's places: the runtime's word where the fixture's is not known, or is its own affair."""
    cursor = contract.start
    for step in ENV:
        cursor = cursor.child(step)
    stated = {str(entry.get("name")): entry for _, entry in fixture.settings()}
    for _, entry in runtime.settings():
        name = str(entry.get("name"))
        theirs = stated.pop(name, None)
        if (line := cursor.child(name).line) is not None and line.owner is Owner.BENCHMARK:
            yield entry
        elif theirs is not None or (*ENV, name) in unknown:
            yield theirs or entry
    for name, entry in stated.items():
        if (line := cursor.child(name).line) is None or line.owner is Owner.FABRIC:
            yield entry


def _put(data: Any, path: tuple[str, ...], value: Any) -> None:
    """Write a value at a path of a projection, whose last step exists or is a key."""
    for index, step in enumerate(path[:-1]):
        if isinstance(data, list):
            key = KEYS.get(path[index - 1], "name")
            data = next(entry for entry in data if str(entry[key]) == step)
        else:
            data = data[step]
    if isinstance(data, dict):
        data[path[-1]] = value
