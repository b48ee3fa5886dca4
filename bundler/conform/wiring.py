"""Rules on the wiring of a fabric: a runtime against the vendor's release record that was selected for it.

Which annotation binds interfaces, which container is the daemon, which variables and arguments a release wants: all of that is
data in `bom/releases/<fabric>.yaml`. Nothing here knows a fabric by name.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from bundler.compose.wording import plural
from bundler.conform.attachment import attachments, selected
from bundler.conform.context import found
from bundler.conform.pods import select
from bundler.errors import InvalidInput
from bundler.kube import names
from bundler.kube.image import Image
from bundler.model.finding import Severity
from bundler.model.pointer import parent
from bundler.yamlio.reader import read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.conform.attachment import Attachment
    from bundler.conform.context import Context
    from bundler.kube.resource import Resource
    from bundler.model.document import JsonObject
    from bundler.model.finding import Finding

__all__ = ["cuda", "daemon", "devices", "environment", "interfaces", "release_images", "unprivileged"]


def interfaces(resource: Resource, context: Context) -> Iterator[Finding]:
    """The interfaces annotation binds the primary interface and exactly those that the library is told to use, in that order."""
    for attachment in attachments(resource, context):
        key = attachment.wiring.get("interfacesAnnotation")
        if key is None:
            continue
        pointer, text = attachment.annotation(key)
        bound = _entries(text, "interfaceName", "network")
        if bound is None:
            message = f"annotation {key} is not a JSON list of interfaceName and network"
            at = pointer if text is not None else f"{attachment.pod.pointer}/metadata"
            yield found(resource, "AICR-F001", at, message, "build it as data and serialise it with to_json")
            continue
        names_bound = [name for name, _ in bound]
        wanted = _expected_interfaces(attachment, names_bound[:1])
        if wanted and names_bound != wanted:
            message = f"annotation {key} binds {', '.join(names_bound)}, where {', '.join(wanted)} are wanted in this order"
            yield found(resource, "AICR-F002", pointer, message, f"bind {plural(len(wanted), 'interface')} in this order")
        primary = attachment.wiring.get("primary") or {}
        if bound and primary and bound[0] != (primary["interfaceName"], primary["network"]):
            message = f"the first interface is bound to {bound[0][1]!r}, not to the pod network {primary['network']!r}"
            yield found(resource, "AICR-F002", pointer, message, f"bind {primary['interfaceName']} to {primary['network']} first")
        networks = [network for _, network in bound]
        for network in networks:
            if (reason := names.dns_subdomain(network)) or networks.count(network) > 1:
                message = f"network {network!r} {reason or 'is bound to more than one interface'}"
                yield found(resource, "AICR-F003", pointer, message, "name one existing Network object for each interface")
                break


def devices(resource: Resource, context: Context) -> Iterator[Finding]:
    """The devices annotation names a container of the pod and lists exactly the devices of the fabric."""
    for attachment in attachments(resource, context):
        key = attachment.wiring.get("devicesAnnotation")
        if key is None:
            continue
        pointer, text = attachment.annotation(key)
        paths, wanted = _device_paths(text), attachment.table.get("devices", [])
        if paths != wanted:
            message = f"annotation {key} lists {plural(len(paths or ()), 'device')}, not exactly the {len(wanted)} of the fabric"
            at = pointer if text is not None else f"{attachment.pod.pointer}/metadata"
            yield found(resource, "AICR-F004", at, message, "take the list from the release table and serialise it with to_yaml")
        prefix = key.removesuffix(attachment.wiring.get("sidecar", ""))
        for other in attachment.pod.metadata.get("annotations") or {}:
            if other.startswith(prefix) and attachment.pod.container(other.removeprefix(prefix)) is None:
                message = f"annotation {other} names a container that the pod does not have"
                yield found(
                    resource, "AICR-F004", attachment.annotation(other)[0], message, "end the key in the name of a container"
                )


def daemon(resource: Resource, context: Context) -> Iterator[Finding]:
    """The daemon runs as a native sidecar, with the arguments of its release and without those the release retired."""
    for attachment in attachments(resource, context):
        name = attachment.wiring.get("sidecar")
        if name is None:
            continue
        sidecar = attachment.sidecar
        if sidecar is None or not sidecar.init or sidecar.data.get("restartPolicy") != "Always":
            at = sidecar.pointer if sidecar else f"{attachment.pod.pointer}/spec/initContainers"
            message = f"{name!r} is not a native sidecar of the pod"
            yield found(resource, "AICR-F005", at, message, f"add {name!r} to initContainers with restartPolicy: Always")
            continue
        words = [word for key in ("command", "args") for word in select(sidecar.data, f"{key}/*", sidecar.pointer)]
        end = parent(words[-1][0]) if words else sidecar.pointer
        release = attachment.record.get("name", "")
        for argument in (attachment.record.get("daemon") or {}).get("args", ()):
            if not any(_has_word(text, argument) for _, text in words):
                message = f"the daemon of release {release} is not started with {argument}"
                yield found(resource, "AICR-F006", end, message, f"add {argument} to its command")
        for flag in attachment.record.get("retiredFlags", ()):
            for pointer, text in words:
                if _has_word(text, flag):
                    message = f"the daemon of release {release} no longer knows {flag}"
                    yield found(resource, "AICR-F006", pointer, message, f"remove {flag} from its command")


def environment(resource: Resource, context: Context) -> Iterator[Finding]:
    """The training container has the variables of the release, each once, with its value, in the recorded order."""
    for attachment in attachments(resource, context):
        node = attachment.node
        recorded = attachment.record.get("env", [])
        if node is None or not recorded:
            continue
        release = attachment.record["name"]
        stated = {entry["name"]: (pointer, entry.get("value")) for pointer, entry in node.env()}
        for row in recorded:
            pointer, value = stated.get(row["name"], (f"{node.pointer}/env", None))
            if value != row["value"]:
                is_value = "is missing" if row["name"] not in stated else f"is {value!r}"
                message = f"{row['name']} {is_value}; release {release} wants {row['value']!r} ({row['class']})"
                severity = Severity.WARNING if row["class"] == "recommended" else Severity.ERROR
                yield found(resource, "AICR-F007", pointer, message, f"set it to {row['value']!r}", severity=severity)
        family = attachment.wiring.get("interfaceEnv", "").partition("_")[0] + "_"
        known = {row["name"] for row in recorded}
        for name, (pointer, _) in stated.items():
            if name.startswith(family) and name not in known:
                message = f"{name} is no variable of release {release}"
                fix = "remove it, or set it in the TrainJob that needs it"
                yield found(resource, "AICR-F012", pointer, message, fix, severity=Severity.WARNING)
        order = [row["name"] for row in recorded if row["name"] in stated]
        present = [name for name in stated if name in known]
        if present != order:
            first = next(name for name, wanted in zip(present, order, strict=True) if name != wanted)
            message = f"{first} does not stand where release {release} lists it"
            yield found(resource, "AICR-F008", stated[first][0], message, "take the list from the release record as it is")


def cuda(resource: Resource, context: Context) -> Iterator[Finding]:
    """The training image has the CUDA major that the plugin was built for; another one fails to load it."""
    for attachment in attachments(resource, context):
        wanted = (attachment.record.get("cuda") or {}).get("major")
        if wanted is None or attachment.node is None or not attachment.node.data.get("image"):
            continue
        at, text = f"{attachment.node.pointer}/image", attachment.node.data["image"]
        try:
            entry = context.recorded(Image.parse(text)) or {}
        except InvalidInput:
            continue
        release, major = attachment.record["name"], entry.get("cudaMajor")
        if major is None:
            message = f"the CUDA major of {text!r} is not recorded; release {release} needs CUDA {wanted}"
            fix = "record cudaMajor for the image in bom/images.yaml"
            yield found(resource, "AICR-F009", at, message, fix, severity=Severity.WARNING)
        elif major != wanted:
            message = f"{text!r} is built on CUDA {major}; release {release} needs CUDA {wanted}"
            yield found(resource, "AICR-F009", at, message, f"choose an image with CUDA {wanted}, or another release")


def unprivileged(resource: Resource, context: Context) -> Iterator[Finding]:
    """No container of an attached pod is privileged: the capabilities and devices it needs are named."""
    for attachment in attachments(resource, context):
        for container in attachment.pod.containers():
            if (container.data.get("securityContext") or {}).get("privileged"):
                at = f"{container.pointer}/securityContext/privileged"
                message = f"container {container.name!r} is privileged"
                yield found(resource, "AICR-F010", at, message, "add the single capabilities it needs instead")


def release_images(resource: Resource, context: Context) -> Iterator[Finding]:
    """Plugin and daemon come from one release, wherever in the bundle they stand."""
    for selection in context.composition.selections:
        for record in selection.releases.values():
            parts = {_name(part): part for part in record.values() if isinstance(part, dict) and "repository" in part}
            for reference in context.references(resource):
                try:
                    image = Image.parse(reference.text)
                except InvalidInput:
                    continue
                part = parts.get(image.name)
                if part and (image.tag != part["tag"] or image.digest != part.get("digest")):
                    message = f"image {reference.text!r} is not the one of release {record['name']}, {part['tag']}"
                    yield found(resource, "AICR-F011", reference.pointer, message, "take tag and digest from the release record")


def _expected_interfaces(attachment: Attachment, first: list[str]) -> list[str]:
    """The primary interface, any when none is recorded, then those of the variable that the library reads or of the machine.

    Empty when nothing says which.
    """
    wiring = attachment.wiring
    variable, reference = wiring.get("interfaceEnv"), wiring.get("interfacesFrom")
    value = next((row["value"] for row in attachment.record.get("env", ()) if row["name"] == variable), "")
    listed = selected(attachment.selection, reference) if reference else [name for name in value.split(",") if name]
    if not listed:
        return []
    primary = wiring.get("primary") or {}
    return [*([primary["interfaceName"]] if primary else first), *listed]


def _entries(text: str | None, *fields: str) -> list[tuple[str, ...]] | None:
    """The entries of a JSON list of maps with exactly `fields`, or None when the text is anything else."""
    try:
        data = json.loads(text or "", object_pairs_hook=_unique)
    except ValueError:
        return None
    if not isinstance(data, list) or any(not isinstance(item, dict) or set(item) != set(fields) for item in data):
        return None
    entries = [tuple(item[field] for field in fields) for item in data]
    return entries if all(isinstance(value, str) for entry in entries for value in entry) else None


def _unique(pairs: list[tuple[str, Any]]) -> JsonObject:
    """A map whose keys stand once each: of two, readers take one or the other."""
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


@lru_cache(maxsize=64)
def _device_paths(text: str | None) -> list[Any] | None:
    try:
        data = read((text or "").encode(), "annotation").data
    except InvalidInput:
        return None
    if not isinstance(data, list) or any(not isinstance(item, dict) or set(item) != {"path"} for item in data):
        return None
    return [item["path"] for item in data]


def _has_word(text: str, word: str) -> bool:
    """Whether `word` stands in a command line: a flag matches with or without a value, a flag with a value only as it is."""
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None


def _name(part: JsonObject) -> str:
    return Image.parse(part["repository"]).name
