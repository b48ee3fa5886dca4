"""Network and GKENetworkParamSet objects of GKE: what kind of NIC a Network is for, and whether pods can be attached to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bundler.model.document import JsonObject
    from bundler.model.snapshot import Snapshot

__all__ = ["NETWORKS", "PARAM_SETS", "deviceful", "unusable"]

NETWORKS = "networks.networking.gke.io"
PARAM_SETS = "gkenetworkparamsets.networking.gke.io"


def deviceful(snapshot: Snapshot, names: Sequence[str], *, mode: str) -> tuple[str, ...]:
    """The Networks whose parameters have a device mode; all of them where the objects were not read.

    Args:
        snapshot: of the cluster.
        names: Networks.
        mode: `spec.deviceMode`, such as RDMA.
    """
    if snapshot.gap(NETWORKS) is not None or snapshot.gap(PARAM_SETS) is not None:
        return tuple(names)
    networks, sets = _by_name(snapshot.of(NETWORKS)), _by_name(snapshot.of(PARAM_SETS))
    modes = {name: _spec(sets.get(_parameters_of(network), {})).get("deviceMode") for name, network in networks.items()}
    return tuple(name for name in names if modes.get(name) == mode)


def unusable(snapshot: Snapshot, names: Iterable[str]) -> Iterator[str]:
    """Why pods cannot be attached to Networks, one sentence each: no object, or one that says it is not ready."""
    if snapshot.gap(NETWORKS) is not None:
        return
    networks, sets = _by_name(snapshot.of(NETWORKS)), _by_name(snapshot.of(PARAM_SETS))
    for name in names:
        network = networks.get(name)
        if network is None:
            yield f"nodes advertise network {name}, but there is no Network object of that name"
        elif reason := _not_ready(network):
            cause = _not_ready(sets.get(_parameters_of(network), {}))
            yield f"network {name} is not Ready ({reason}{f': {cause}' if cause else ''})"


def _by_name(objects: Iterable[JsonObject]) -> dict[str, JsonObject]:
    return {(each.get("metadata") or {}).get("name", ""): each for each in objects}


def _spec(data: JsonObject) -> JsonObject:
    return data.get("spec") or {}


def _parameters_of(network: JsonObject) -> str:
    return str((_spec(network).get("parametersRef") or {}).get("name", ""))


def _not_ready(data: JsonObject) -> str:
    """The reason of a Ready condition that is false; empty when it is true or not there."""
    for condition in (data.get("status") or {}).get("conditions") or ():
        if condition.get("type") == "Ready" and condition.get("status") == "False":
            return str(condition.get("reason") or "False")
    return ""
