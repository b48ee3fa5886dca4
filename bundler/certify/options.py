"""Options: those of a category over those of the certification over those of the entry, and what stands where none is stated.

What is stated counts, an empty value being no statement: an explicit 0 or false is a choice. `thresholds`, `resources` and
`imagePullSecrets` are replaced whole; only the labels of `workloadMetadata` are united, the category's winning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.certify.parallelism import split_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bundler.certify.entries import Entry
    from bundler.detect.gpus import Gpus
    from bundler.model.document import JsonObject

__all__ = ["DEFAULTS", "OF_DIAGNOSE", "OF_RESOURCES", "merged_options", "resolved"]

OF_RESOURCES: JsonObject = {"limits": {"cpu": "128", "memory": "800Gi"}, "requests": {"cpu": "64", "memory": "500Gi"}}
"""Of a training worker; each amount falls back alone."""

DEFAULTS: JsonObject = {
    "nodesPerJob": 1,
    "enableCheckpoint": False,
    "maxSteps": 50,
    "exitDurationMins": 30,
    "startupStallTimeoutSeconds": 1200,
    "nicResourceName": "",
    "rdmaDeviceAccess": "devicePlugin",
    "image": "",
    "imagePullSecrets": [],
    "storageClassName": "",
    "saveInterval": 250,
    "saveRetainInterval": 1000,
    "saveTopK": 1,
    "storageSize": "10Ti",
    "maxRestarts": 3,
    "repeatCount": 1,
    "testScale": "full-scale",
    "maxBytes": "16G",
    "numIterations": 100,
    "numCycles": 10,
    "thresholds": {},
    "maxConcurrent": 0,
    "minGroupSize": 2,
    "timeoutPerJob": "1h",
    "measurementTimeout": "",
    "sourceRepo": "",
    "workloadMetadata": {},
}
OF_DIAGNOSE: JsonObject = {"numIterations": 5, "numCycles": 1, "timeoutPerJob": "15m"}
"""What stands instead where the scale of a test is `diagnose`."""


def merged_options(spec: JsonObject, category: JsonObject) -> JsonObject:
    """The options of one category: every one that it states, over those of the certification.

    Args:
        spec: of the Certification; what is no option in it is passed over by whoever reads the result.
        category: the `options` of the category.
    """
    stated = {name: value for name, value in category.items() if _is_stated(value)}
    options = {**{name: value for name, value in spec.items() if name in DEFAULTS or name in _BY_NODE}, **stated}
    labels = [(one.get("workloadMetadata") or {}).get("labels") or {} for one in (spec, category)]
    if any(labels):
        options["workloadMetadata"] = {"labels": {**labels[0], **labels[1]}}
    return {name: value for name, value in options.items() if _is_stated(value)}


_BY_NODE = ("gpusPerNode", "mlnxPerNode", "enableMNNVL", "resources")
"""Options whose default follows from the hardware, or is made of parts."""


def resolved(entry: Entry, options: JsonObject, *, gpus: Gpus, platform: str, architecture: str) -> JsonObject:
    """Every option with a value, as templates see them.

    Args:
        entry: what is rendered; its own options stand below the user's.
        options: what the user stated.
        gpus: node shapes.
        platform: as detected or chosen.
        architecture: as detected or chosen.
    """
    shape = gpus.shape(platform, architecture)
    of_entry = entry.facts.get("options", {})
    scale = options.get("testScale", of_entry.get("testScale", DEFAULTS["testScale"]))
    values = {**DEFAULTS, **(OF_DIAGNOSE if scale == "diagnose" else {}), **of_entry, **options}
    values.setdefault("gpusPerNode", shape.gpus)
    values.setdefault("mlnxPerNode", shape.nics)
    values.setdefault("enableMNNVL", gpus.joined_by_nvlink(architecture))
    values["resources"] = _resources(options.get("resources", {}))
    if scale == "intra-node":
        values["nodesPerJob"] = 1
    return {
        **values,
        "mnnvl": "1" if values["enableMNNVL"] else "0",
        "topologyKey": "nvidia.com/gpu.clique",
        "parallelism": split_of(entry, architecture),
        "platform": platform,
        "gpuArchitecture": architecture,
    }


def _is_stated(value: Any) -> bool:
    return value is not None and value not in ("", [], {})


def _resources(stated: Mapping[str, Any]) -> JsonObject:
    """Each amount falls back alone."""
    return {
        part: {name: str((stated.get(part) or {}).get(name, value)) for name, value in amounts.items()}
        for part, amounts in OF_RESOURCES.items()
    }
