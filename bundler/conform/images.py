"""Rules on image references, wherever an object holds one: a bundle names bytes, not tags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.conform.context import found
from bundler.errors import InvalidInput
from bundler.kube.image import Image
from bundler.kube.references import Form
from bundler.model.finding import Severity
from bundler.model.pointer import parent, resolve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.conform.context import Context
    from bundler.kube.references import Reference
    from bundler.kube.resource import Resource
    from bundler.model.document import JsonObject
    from bundler.model.finding import Finding

__all__ = ["digests", "understood"]


def digests(resource: Resource, context: Context) -> Iterator[Finding]:
    """Every image is pinned by digest, or is recorded as preloaded on the node; a recorded tag has its recorded digest."""
    for reference in context.references(resource):
        if reference.form is Form.PARTS:
            yield from _parts(resource, reference)
        elif reference.form is not Form.UNKNOWN:
            yield from _written(resource, reference, context)


def understood(resource: Resource, context: Context) -> Iterator[Finding]:
    """What sounds like an image is one that is understood, or is declared to be none."""
    for reference in context.references(resource):
        if reference.form is Form.UNKNOWN:
            message = f"{reference.name!r} sounds like an image and holds what is no reference: {reference.text!r}"
            fix = "write a whole reference, or declare the field in bom/image-fields.yaml"
            yield found(resource, "AICR-I008", reference.pointer, message, fix)


def _place(entry: JsonObject) -> str:
    """Where a digest is recorded that is not known yet."""
    if not entry:
        return "in bom/images.yaml or in its release table"
    return f"as that of {entry['name']} in bom/images.yaml of a --data directory (`crane digest` prints it)"


def _written(resource: Resource, reference: Reference, context: Context) -> Iterator[Finding]:
    pointer, text = reference.pointer, reference.text
    try:
        image = Image.parse(text)
    except InvalidInput as error:
        at_fault = error.findings[0]
        yield found(resource, at_fault.rule, pointer, at_fault.message, at_fault.fix)
        return
    entry: JsonObject = context.recorded(image) or {}
    if entry.get("preloaded"):
        yield from _preloaded(resource, pointer, text)
    elif image.digest is None:
        allowed = context.composition.allow_unpinned
        recorded = f"record its digest {_place(entry)}"
        yield found(
            resource,
            "AICR-I004",
            pointer,
            f"image {text!r} is not pinned by digest{', and none is known of it' if entry else ''}",
            f"write NAME@sha256:DIGEST, or {recorded}" if allowed else f"{recorded}, or accept the tag with --allow-unpinned",
            severity=Severity.WARNING if allowed else Severity.ERROR,
        )
    elif entry.get("tag") == image.tag and entry.get("digest", image.digest) != image.digest:
        message = f"image {text!r} has another digest than bom/images.yaml records for its tag"
        yield found(resource, "AICR-I005", pointer, message, f"use {entry['digest']} or correct the record")


def _parts(resource: Resource, reference: Reference) -> Iterator[Finding]:
    """Where an operator puts the reference together itself, it is said that a tag may move."""
    values = {role: str(resolve(resource.data, pointer)) for role, pointer in reference.parts.items()}
    if "digest" not in values and not values.get("tag", "").startswith("sha256:"):
        message = f"an operator composes the image from {', '.join(values.values())}, which pins no digest"
        fix = "state a digest where the operator accepts one"
        yield found(resource, "AICR-I006", reference.pointer, message, fix, severity=Severity.WARNING)


def _preloaded(resource: Resource, pointer: str, value: str) -> Iterator[Finding]:
    owner = resolve(resource.data, parent(pointer))
    policy = owner.get("imagePullPolicy") if isinstance(owner, dict) else None
    if policy != "Never":
        message = f"image {value!r} is preloaded on the node and exists in no registry; its pull policy is {policy or 'not stated'}"
        yield found(resource, "AICR-I007", pointer, message, "set imagePullPolicy: Never")
