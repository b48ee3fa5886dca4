"""An entry of a fleet with the fleet's defaults below it: one document, in which every value still knows its place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bundler.model.document import Document, JsonObject

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.model.location import Location

__all__ = ["entry"]

_DEFAULTS = "/defaults"


def entry(fleet: Document, index: int) -> Document:
    """The cluster at `index` as it is meant: its own words, and the defaults where it says nothing.

    Maps are united key by key; overrides come after those of the defaults, so that they win. A cluster that chooses by criteria
    has no default recipe, and the other way round. Another value of an axis drops the default's parameters of that axis, another
    deployer its settings, and null the default's choice.

    Args:
        fleet: of kind Fleet and valid by its schema.
        index: of the cluster.
    """
    own: JsonObject = fleet.data["clusters"][index]
    defaults: JsonObject = dict(fleet.data.get("defaults", {}))
    if own.keys() & {"recipe", "criteria"}:
        defaults.pop("recipe", None)
        defaults.pop("criteria", None)
    data = {**defaults, **own}
    inherited = len(defaults.get("overrides", ()))
    data["profiles"] = _profiles(defaults.get("profiles", {}), own.get("profiles", {}))
    for key in defaults.keys() & own.keys():
        match key:
            case "overrides":
                data[key] = [*defaults[key], *own[key]]
            case "versions":
                data[key] = {**defaults[key], **own[key]}
            case "delivery":
                data[key] = _delivery(defaults[key], own[key])
            case "scheduling":
                data[key] = {
                    nodes: {**defaults[key].get(nodes, {}), **own[key].get(nodes, {})} for nodes in {**defaults[key], **own[key]}
                }
    if data.get("delivery", {}) is None:
        del data["delivery"]
    positions = _Positions(fleet.positions, f"/clusters/{index}", inherited)
    return Document(file=fleet.file, data=data, positions=positions, digest=fleet.digest)


def _profiles(defaults: JsonObject, own: JsonObject) -> JsonObject:
    united = {**defaults, **own}
    return {axis: _choice(defaults.get(axis) or {}, own.get(axis, {})) for axis in united if united[axis] is not None}


def _delivery(default: JsonObject | None, own: JsonObject | None) -> JsonObject | None:
    if default is None or own is None or own.get("deployer", default.get("deployer")) != default.get("deployer"):
        return own
    return {**default, **own}


def _choice(default: JsonObject, own: JsonObject) -> JsonObject:
    if "value" in own and own["value"] != default.get("value"):
        return own
    parameters: dict[str, Any] = {**default.get("parameters", {}), **own.get("parameters", {})}
    return {**default, **own} | ({"parameters": parameters} if parameters else {})


class _Positions(Mapping[str, "Location"]):
    """Where each value of an entry was written: in the cluster, else in the defaults."""

    __slots__ = ("_inherited", "_own", "_positions")

    def __init__(self, positions: Mapping[str, Location], own: str, inherited: int) -> None:
        self._positions = positions
        self._own = own
        self._inherited = inherited

    def __getitem__(self, pointer: str) -> Location:
        for candidate in self._candidates(pointer):
            if candidate in self._positions:
                return self._positions[candidate]
        raise KeyError(pointer)

    def __iter__(self) -> Iterator[str]:
        for pointer in self._positions:
            for above in (self._own, _DEFAULTS):
                if pointer == above or pointer.startswith(f"{above}/"):
                    yield pointer.removeprefix(above)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _candidates(self, pointer: str) -> tuple[str, ...]:
        steps = pointer.split("/")
        if len(steps) > 2 and steps[1] == "overrides":  # noqa: PLR2004  (the empty step before the first slash, and the list)
            index = int(steps[2])
            if index < self._inherited:
                return (_DEFAULTS + pointer,)
            steps[2] = str(index - self._inherited)
            return (self._own + "/".join(steps),)
        return (self._own + pointer, _DEFAULTS + pointer)
