"""What is left of an object after a controller written in Go has read and written it.

Source: `omitempty` of the struct tags in k8s.io/api and jobset v1alpha2. An empty string, false, 0 or an empty list of a plain
field vanishes; a field that is a pointer keeps its value; strings in maps, such as labels, stay as they are. Amounts become text,
and a whole number is one however it is written: `2.0` is 2.
"""

from __future__ import annotations

from typing import Any

__all__ = ["marshalled", "without_nulls"]

_POINTERS = frozenset(
    {
        # core/v1 PodSpec and volumes
        "activeDeadlineSeconds",
        "automountServiceAccountToken",
        "defaultMode",
        "enableServiceLinks",
        "expirationSeconds",
        "hostUsers",
        "mode",
        "mountPropagation",
        "optional",
        "preemptionPolicy",
        "priority",
        "recursiveReadOnly",
        "runtimeClassName",
        "serviceAccountName",
        "setHostnameAsFQDN",
        "shareProcessNamespace",
        "storageClassName",
        "terminationGracePeriodSeconds",
        "tolerationSeconds",
        "volumeAttributesClassName",
        "volumeMode",
        # security contexts
        "allowPrivilegeEscalation",
        "fsGroup",
        "fsGroupChangePolicy",
        "hostProcess",
        "localhostProfile",
        "privileged",
        "procMount",
        "readOnlyRootFilesystem",
        "runAsGroup",
        "runAsNonRoot",
        "runAsUser",
        "runAsUserName",
        "seLinuxChangePolicy",
        "supplementalGroupsPolicy",
        # batch/v1 JobSpec and jobset v1alpha2
        "backoffLimit",
        "backoffLimitPerIndex",
        "completionMode",
        "completions",
        "enableDNSHostnames",
        "managedBy",
        "manualSelector",
        "maxFailedIndexes",
        "parallelism",
        "podReplacementPolicy",
        "publishNotReadyAddresses",
        "suspend",
        "ttlSecondsAfterFinished",
    }
)
"""Fields whose empty value is a value."""

_REQUIRED = frozenset({"containerPort", "devicePath", "key", "maxSkew", "mountPath", "name", "path", "topologyKey", "weight"})
"""Fields that are always written, empty or not."""

_MAPS = frozenset({"annotations", "labels", "matchLabels", "nodeSelector", "parameters", "volumeAttributes"})
"""Maps from text to text: an empty value is one, and keys that look like fields are none."""

_AMOUNTS = frozenset({"limits", "requests"})


def marshalled(data: Any) -> Any:
    """A deep copy of `data` without what vanishes."""
    if isinstance(data, dict):
        return {key: _field(key, value) for key, value in data.items() if not _vanishes(key, value)}
    if isinstance(data, list):
        return [marshalled(item) for item in data]
    return _whole(data)


def without_nulls(data: Any) -> Any:
    """A deep copy of `data` without fields that are null, which a server drops, and with whole numbers."""
    if isinstance(data, dict):
        return {key: without_nulls(value) for key, value in data.items() if value is not None}
    if isinstance(data, list):
        return [without_nulls(item) for item in data]
    return _whole(data)


def _whole(data: Any) -> Any:
    return int(data) if isinstance(data, float) and data.is_integer() else data


def _field(key: str, value: Any) -> Any:
    if isinstance(value, str):
        return value
    if key in _MAPS and isinstance(value, dict):
        return dict(value)
    if key in _AMOUNTS and isinstance(value, dict):
        return {name: str(amount) for name, amount in value.items()}
    return marshalled(value)


def _vanishes(key: str, value: Any) -> bool:
    if value is None or value == []:
        return True
    return not isinstance(value, dict) and not value and key not in _POINTERS and key not in _REQUIRED
