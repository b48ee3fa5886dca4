"""Resources of the training container: what `resourcesPerNode` makes of those of the runtime, and how they are counted.

Source: pkg/runtime/core/trainingruntime.go, pkg/runtime/framework/plugins/jobset/builder.go and pkg/runtime/runtime.go of
github.com/kubeflow/trainer, with what runs of 2.3 recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import ROUND_CEILING, Decimal
from typing import TYPE_CHECKING

from bundler.errors import InvalidInput
from bundler.kube.quantity import Quantity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bundler.model.document import JsonObject

__all__ = [
    "Resourcing",
    "amount",
    "cpus",
    "gpus",
    "overlaid",
    "overlaid_with_claims",
    "pod_requests",
    "replaced",
    "total",
]

Resourcing = Callable[["JsonObject", "JsonObject", bool], "JsonObject"]
"""Resources of the runtime, resourcesPerNode, whether the runtime has an mlPolicy → resources of the container."""

_SECTIONS = ("limits", "requests")
_ALWAYS = "Always"


def replaced(runtime: JsonObject, wanted: JsonObject, has_policy: bool) -> JsonObject:  # noqa: ARG001  (one signature for all)
    """2.2: limits or requests take the place of everything, claims included; without either nothing happens."""
    stated = {section: wanted[section] for section in _SECTIONS if section in wanted}
    return stated or runtime


def overlaid(runtime: JsonObject, wanted: JsonObject, has_policy: bool) -> JsonObject:
    """2.3: limits and requests are laid over those of the runtime, and its claims are gone even if nothing is stated.

    A runtime without mlPolicy keeps what it has.
    """
    if not has_policy:
        return runtime
    merged = {section: {**runtime.get(section, {}), **wanted.get(section, {})} for section in _SECTIONS}
    return {section: amounts for section, amounts in merged.items() if amounts}


def overlaid_with_claims(runtime: JsonObject, wanted: JsonObject, has_policy: bool) -> JsonObject:
    """Planned for 2.4 (pull request 4027): as in 2.3, and the runtime's claims stay."""
    merged = overlaid(runtime, wanted, has_policy)
    return {**merged, "claims": runtime["claims"]} if "claims" in runtime else merged


def amount(section: Mapping[str, object] | None, name: str) -> Decimal:
    """The amount of a resource in limits or requests; 0 when it is not stated, or not readable."""
    try:
        return Quantity.parse(str((section or {}).get(name, "0"))).value
    except InvalidInput:
        return Decimal(0)


def gpus(resources: JsonObject) -> int:
    """What the Trainer takes for the number of GPUs: any resource whose name contains "gpu", of requests, else of limits.

    Of several such names it takes whichever its map yields first; here the largest amount stands for them.
    """
    counts = (_largest_gpus(resources.get(section) or {}) for section in ("requests", "limits"))
    return next((count for count in counts if count), 0)


def cpus(resources: JsonObject) -> int:
    """Whole CPUs, rounded up, of requests, else of limits; at least one."""
    counts = (_whole(amount(resources.get(section), "cpu")) for section in ("requests", "limits"))
    return max(1, next((count for count in counts if count), 0))


def pod_requests(pod: JsonObject) -> dict[str, Decimal]:
    """What a pod of this spec requests: its containers and native sidecars, or an initialisation that takes more, and overhead."""
    running = total(_requests(container) for container in pod.get("containers", ()))
    sidecars: dict[str, Decimal] = {}
    peaks: list[dict[str, Decimal]] = []
    for container in pod.get("initContainers", ()):
        if container.get("restartPolicy") == _ALWAYS:
            sidecars = total([sidecars, _requests(container)])
            peaks.append(sidecars)
        else:
            peaks.append(total([sidecars, _requests(container)]))
    steady = total([running, sidecars])
    needed = {name: max(each.get(name, Decimal(0)) for each in (steady, *peaks)) for name in _names((steady, *peaks))}
    return total([needed, _amounts(pod.get("overhead") or {})])


def total(requests: Iterable[Mapping[str, Decimal]]) -> dict[str, Decimal]:
    """Requests added up."""
    every = list(requests)
    return {name: sum((each.get(name, Decimal(0)) for each in every), Decimal(0)) for name in _names(every)}


def _largest_gpus(section: JsonObject) -> int:
    return max((_whole(amount(section, name)) for name in section if "gpu" in name.lower()), default=0)


def _requests(container: JsonObject) -> dict[str, Decimal]:
    return _amounts((container.get("resources") or {}).get("requests") or {})


def _amounts(section: JsonObject) -> dict[str, Decimal]:
    return {name: amount(section, name) for name in section}


def _names(requests: Iterable[Mapping[str, Decimal]]) -> list[str]:
    return list(dict.fromkeys(name for each in requests for name in each))


def _whole(value: Decimal) -> int:
    return int(value.to_integral_value(rounding=ROUND_CEILING))
