"""Rules on image references, wherever an object holds one: a bundle names bytes, not tags."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.conform.context import found
from bundler.errors import InvalidInput
from bundler.kube.image import Image
from bundler.model.finding import Severity
from bundler.model.pointer import child, parent, resolve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.conform.context import Context
    from bundler.kube.resource import Resource
    from bundler.model.document import JsonObject
    from bundler.model.finding import Finding

__all__ = ["digests", "image_fields"]


def digests(resource: Resource, context: Context) -> Iterator[Finding]:
    """Every image is pinned by digest, or is recorded as preloaded on the node; a recorded tag has its recorded digest."""
    for pointer, value in image_fields(resource.data):
        owner = value if isinstance(value, dict) else _composed(resource, pointer)
        if owner is not None:
            yield from _composed_by_operator(resource, pointer, owner)
            continue
        try:
            image = Image.parse(str(value))
        except InvalidInput as error:
            at_fault = error.findings[0]
            yield found(resource, at_fault.rule, pointer, at_fault.message, at_fault.fix)
            continue
        entry = context.recorded(image) or {}
        if entry.get("preloaded"):
            yield from _preloaded(resource, pointer, value)
        elif image.digest is None:
            allowed = context.composition.allow_unpinned
            yield found(
                resource,
                "AICR-I004",
                pointer,
                f"image {value!r} is not pinned by digest",
                "record its digest in bom/images.yaml or in its release table, or accept it with --allow-unpinned",
                severity=Severity.WARNING if allowed else Severity.ERROR,
            )
        elif entry.get("tag") == image.tag and entry.get("digest", image.digest) != image.digest:
            message = f"image {value!r} has another digest than bom/images.yaml records for its tag"
            yield found(resource, "AICR-I005", pointer, message, f"use {entry['digest']} or correct the record")


def image_fields(data: Any) -> Iterator[tuple[str, Any]]:
    """Every value whose key is `image` or ends in `Image`, at any depth and of any shape, with its pointer.

    Pointers grow on the way out, so that a walk which finds nothing builds none.
    """
    if isinstance(data, dict):
        for key, value in data.items():
            if (key == "image" or key.endswith("Image")) and value is not None:
                # An image volume keeps its reference one level deeper.
                deeper = isinstance(value, dict) and "reference" in value
                yield (f"/{key}/reference", value["reference"]) if deeper else (child("", key), value)
            if isinstance(value, dict | list):
                for pointer, inner in image_fields(value):
                    yield child("", key) + pointer, inner
    elif isinstance(data, list):
        for index, item in enumerate(data):
            if isinstance(item, dict | list):
                for pointer, inner in image_fields(item):
                    yield f"/{index}{pointer}", inner


def _composed_by_operator(resource: Resource, pointer: str, owner: JsonObject) -> Iterator[Finding]:
    """Where an operator puts the reference together itself, it is said that a tag may move."""
    version = str(owner.get("digest") or owner.get("version") or owner.get("tag") or "")
    if not version.startswith("sha256:"):
        parts = [str(owner[key]) for key in ("repository", "image", "version", "tag") if isinstance(owner.get(key), str)]
        message = f"an operator composes the image from {', '.join(parts) or 'its fields'}, which pins no digest"
        fix = "state a digest where the operator accepts one"
        yield found(resource, "AICR-I006", pointer, message, fix, severity=Severity.WARNING)


def _composed(resource: Resource, pointer: str) -> Any:
    """The map around an image name whose repository stands beside it, or None."""
    owner = resolve(resource.data, parent(pointer))
    return owner if isinstance(owner, dict) and isinstance(owner.get("repository"), str) else None


def _preloaded(resource: Resource, pointer: str, value: str) -> Iterator[Finding]:
    policy = resolve(resource.data, parent(pointer)).get("imagePullPolicy")
    if policy != "Never":
        message = f"image {value!r} is preloaded on the node and exists in no registry; its pull policy is {policy or 'not stated'}"
        yield found(resource, "AICR-I007", pointer, message, "set imagePullPolicy: Never")
