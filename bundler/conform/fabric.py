"""Rules on an attached runtime and the machines it is for: resources, claims, whole nodes, and what does not go together.

Counts and names come from the machine that was selected and from the `wiring` of the profile value; nothing here knows a fabric.
"""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from bundler.compose.wording import plural
from bundler.conform.attachment import attachments, possible_machines, selected
from bundler.conform.context import found
from bundler.conform.pods import pod_templates, select
from bundler.errors import InvalidInput
from bundler.kube.quantity import Quantity
from bundler.model.pointer import child

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.conform.attachment import Attachment
    from bundler.conform.context import Context
    from bundler.kube.resource import Resource
    from bundler.model.composition import Selection
    from bundler.model.document import JsonObject
    from bundler.model.finding import Finding

__all__ = ["claims", "exclusions", "node_pools", "resources"]

GPU = "nvidia.com/gpu"
_DEVICE_CLASSES = (
    "spec/spec/devices/requests/*/exactly/deviceClassName",
    "spec/spec/devices/requests/*/firstAvailable/*/deviceClassName",
)
"""Where a ResourceClaimTemplate names device classes (resource.k8s.io/v1)."""


def resources(resource: Resource, context: Context) -> Iterator[Finding]:
    """The training container asks for exactly the devices that the machine has for it, in requests and in limits."""
    for attachment in attachments(resource, context):
        if attachment.node is None:
            continue
        stated = attachment.node.data.get("resources") or {}
        for entry in attachment.wiring.get("resources", ()):
            name, amount = _wired(entry, "name", attachment.selection), _wired(entry, "amount", attachment.selection)
            # The GPUs of a machine are the matter of `node_pools`.
            if name is None or amount is None or entry.get("amountFrom") == "machine.gpus":
                continue
            for section in ("requests", "limits"):
                asked = (stated.get(section) or {}).get(name)
                if not _equal(asked, amount):
                    at = f"{attachment.node.pointer}/resources"
                    counts = f"has {amount} {name} in {section}, not {'none' if asked is None else repr(asked)}"
                    message = f"the training container of {_where(attachment)} {counts}"
                    yield found(resource, "AICR-F013", at, message, f'write {name}: "{amount}" in requests and limits')


def claims(resource: Resource, context: Context) -> Iterator[Finding]:
    """The fabric's claims are declared by the pod and used by the training container."""
    for attachment in attachments(resource, context):
        declared = [claim["name"] for claim in attachment.pod.spec.get("resourceClaims") or ()]
        node = attachment.node
        used = [claim["name"] for _, claim in select(node.data, "resources/claims/*")] if node else []
        for name in attachment.wiring.get("claims", ()):
            if name not in declared:
                at = f"{attachment.pod.pointer}/spec"
                message = f"the pod does not declare the claim {name!r} of {attachment.selection.value}"
                yield found(resource, "AICR-F014", at, message, "add it to resourceClaims of the pod")
            if node is not None and name not in used:
                message = f"the training container does not use the claim {name!r} of {attachment.selection.value}"
                fix = "add it to resources.claims of the container: without it no device appears"
                yield found(resource, "AICR-F014", f"{node.pointer}/resources", message, fix)


def node_pools(resource: Resource, context: Context) -> Iterator[Finding]:
    """Every machine that an attached runtime may meet has the GPUs it asks for and the interfaces it binds."""
    for attachment in attachments(resource, context):
        rows = possible_machines(attachment.selection, context.composition, context.facts)
        at = attachment.node.pointer if attachment.node else attachment.pod.pointer
        for one, other in pairwise(rows):
            for what, first, second in (("GPUs", one["gpus"], other["gpus"]), ("interfaces", _interfaces(one), _interfaces(other))):
                if first != second:
                    message = f"{one['name']} has {first} {what} and {other['name']} has {second}: one runtime cannot fill both"
                    yield found(resource, "AICR-F015", at, message, "make the machine a parameter, or fit one machine type only")
        asked, bound = _gpus(attachment), _bound(attachment)
        for row in rows[:1]:
            if asked is not None and not _equal(asked, row["gpus"]):
                message = f"the training container asks for {asked} GPUs, {row['name']} has {row['gpus']}"
                yield found(resource, "AICR-F015", at, message, "ask for all GPUs of the machine: the fabric serves whole nodes")
            if bound is not None and _interfaces(row) not in {None, bound}:
                message = f"the pod binds {plural(bound, 'interface')} beside its own, {row['name']} has {_interfaces(row)}"
                yield found(resource, "AICR-F015", at, message, "bind every interface of the machine")


def exclusions(resource: Resource, context: Context) -> Iterator[Finding]:
    """Nothing of the bundle uses what excludes the fabric that was selected."""
    for selection in context.composition.selections:
        wirings = (selection.table.get("wiring", {}), selection.declaration.get("wiring", {}))
        for entry in (entry for wiring in wirings for entry in wiring.get("excludes", ())):
            for pointer, what in _excluded(resource, entry):
                message = f"{what} cannot stand beside {selection.axis}={selection.value}: {entry['reason']}"
                yield found(resource, "AICR-F016", pointer, message, f"remove it, or choose another value of {selection.axis}")


def _excluded(resource: Resource, entry: JsonObject) -> Iterator[tuple[str, str]]:
    if "annotation" in entry:
        for pod in pod_templates(resource):
            if entry["annotation"] in (pod.metadata.get("annotations") or {}):
                yield child(f"{pod.pointer}/metadata/annotations", entry["annotation"]), f"annotation {entry['annotation']}"
    if resource.kind == "ResourceClaimTemplate":
        for path in _DEVICE_CLASSES:
            for pointer, name in select(resource.data, path):
                if name == entry.get("deviceClass"):
                    yield pointer, f"device class {name}"


def _wired(entry: JsonObject, key: str, selection: Selection) -> Any:
    """A name or an amount, written out or taken from what was selected."""
    return entry[key] if key in entry else selected(selection, entry[f"{key}From"])


def _where(attachment: Attachment) -> str:
    machine = attachment.selection.machine.get("name")
    return f"{attachment.selection.value} on {machine}" if machine else attachment.selection.value


def _gpus(attachment: Attachment) -> Any:
    """GPUs that the training container asks for; None when it leaves them to the job."""
    stated = (attachment.node.data.get("resources") or {}) if attachment.node else {}
    return (stated.get("limits") or {}).get(GPU, (stated.get("requests") or {}).get(GPU))


def _bound(attachment: Attachment) -> int | None:
    """How many interfaces the pod binds beside its own; None when it binds none by annotation."""
    key = attachment.wiring.get("interfacesAnnotation")
    _, text = attachment.annotation(key) if key else ("", None)
    try:
        entries = json.loads(text or "null")
    except ValueError:
        return None  # what cannot be read is found by the rule on the annotation itself
    primary = attachment.wiring.get("primary", {}).get("interfaceName")
    if not isinstance(entries, list):
        return None
    return sum(1 for entry in entries if not isinstance(entry, dict) or entry.get("interfaceName") != primary)


def _interfaces(row: JsonObject) -> int | None:
    return len(row["interfaces"]) if "interfaces" in row else None


def _equal(written: Any, wanted: Any) -> bool:
    try:
        return written is not None and Quantity.parse(written) == Quantity.parse(wanted)
    except InvalidInput:
        return False
