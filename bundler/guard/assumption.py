"""A side as it will be: what is filled in or set by a script is taken to be right, so that rules judge what stands there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from bundler.conform.pods import ANCESTOR
from bundler.guard.contract import Owner
from bundler.guard.projection import KEYS
from bundler.guard.side import ENV, NODE, Role
from bundler.kube.resource import Resource
from bundler.model.plain import copied
from bundler.model.pointer import resolve

if TYPE_CHECKING:
    from bundler.guard.contract import Contract
    from bundler.guard.side import Side
    from bundler.model.document import JsonObject

__all__ = ["POD", "assumed", "staged"]

_Unknown = Mapping[tuple[str, ...], Mapping[Role, str]]


POD = "/spec/template/spec/replicatedJobs/0/template/spec/template"
"""Where a pod template stands in the object that rules are asked about."""


def assumed(fixture: Side, runtime: Side, unknown: _Unknown, contract: Contract) -> JsonObject:
    """The fixture's pod with the settings that its processes get, and with the runtime's value for all that is not known yet.

    Args:
        fixture: as it is.
        runtime: what it measures.
        unknown: path in the projection → pointer into each side.
        contract: says which settings are the benchmark's own.
    """
    pod: JsonObject = copied(fixture.pod.data)
    for path, at in unknown.items():
        if path[0] == "pod" and path[: len(ENV)] != ENV:
            _put(pod, path[1:], copied(resolve(runtime.resource.data, at[Role.RUNTIME])))
    container = next(one for one in pod["spec"]["containers"] if one["name"] == NODE)
    container["env"] = _settings(fixture, runtime, unknown, contract)
    return pod


def staged(pod: JsonObject, *, name: str, api_version: str) -> Resource:
    """A runtime around a pod template, for rules that are asked about runtimes: what else stands around the pod is left out.

    Args:
        pod: of the runtime, or of the fixture that measures it.
        name: of the runtime.
        api_version: of the runtime.
    """
    job = {"name": NODE, "template": {"metadata": {"labels": {ANCESTOR: "trainer"}}, "spec": {"template": pod}}}
    spec = {"mlPolicy": {"torch": {}}, "template": {"spec": {"replicatedJobs": [job]}}}
    data = {"apiVersion": api_version, "kind": "ClusterTrainingRuntime", "metadata": {"name": name}, "spec": spec}
    return Resource(data=data, template="", positions={}, owner="")


def _settings(fixture: Side, runtime: Side, unknown: _Unknown, contract: Contract) -> list[JsonObject]:
    """The fixture's settings as they stand; what is not known or is its own affair as the runtime has it, in its places."""
    ours = _by_name(entry for _, entry in runtime.settings())
    theirs = _by_name(entry for _, entry in fixture.settings())
    stated = _by_name(fixture.container.get("env") or ())
    open_names = {path[len(ENV)] for path in unknown if path[: len(ENV)] == ENV and len(path) > len(ENV)}
    free = {name: ours.get(name, stated.get(name)) for name in (*ours, *theirs) if name in open_names or _own(name, contract)}
    names = [name for name in theirs if name not in free or name in stated]
    before = -1
    for name in ours:
        if name in free and name not in names:
            names.insert(before + 1, name)
        before = names.index(name) if name in names else before
    return [entry for name in names if (entry := free.get(name, theirs.get(name))) is not None]


def _by_name(entries: Iterable[Any]) -> dict[str, JsonObject]:
    return {str(entry.get("name")): entry for entry in entries if isinstance(entry, dict)}


def _own(name: str, contract: Contract) -> bool:
    """Whether a setting is the benchmark's own."""
    cursor = contract.start
    for step in (*ENV, name):
        cursor = cursor.child(step)
    return cursor.line is not None and cursor.line.owner is Owner.BENCHMARK


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
