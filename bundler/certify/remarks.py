"""What a user should know of a choice where it is made, although nothing is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.certify.runtimes import jobs, pod_of
from bundler.model.finding import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.certify.entries import Entry
    from bundler.model.document import Document, JsonObject

__all__ = ["merged_parts", "of_one_site", "remarks", "replaced_amounts"]

_NODE = "node"


def remarks(entry: Entry, options: JsonObject, document: Document, category: str) -> Iterator[Finding]:
    """Warnings and notes on one category.

    Args:
        entry: what it runs.
        options: resolved.
        document: the Certification.
        category: its JSON pointer.
    """
    if options["rdmaDeviceAccess"] == "hostPath" and entry.family != "diagnostics":
        at = _stated("rdmaDeviceAccess", document, category)
        yield Finding(
            rule="AICR-R019",
            message="rdmaDeviceAccess: hostPath runs the worker privileged, which is root on the node",
            severity=Severity.WARNING,
            location=document.locate(at),
            pointer=at,
            fix="state it for one category first; a namespace under Pod Security baseline or restricted rejects the pods",
        )
    if "image" in document.data["spec"] and entry.family == "diagnostics" and options["image"] == document.data["spec"]["image"]:
        yield Finding(
            rule="AICR-R020",
            message=f"spec.image replaces the image of {entry.key} too, which needs one that has dcgmi",
            severity=Severity.WARNING,
            location=document.locate("/spec/image"),
            pointer="/spec/image",
            fix="state the image in categories[].options.image of the categories that need it",
        )
    yield from of_one_site(options["platform"], document)


def of_one_site(platform: str | None, document: Document) -> Iterator[Finding]:
    """A note where the nodes are taken for those of one site."""
    if platform == "mistral":
        at = "/spec/target" if "/spec/target" in document.positions else "/spec"
        yield Finding(
            rule="AICR-R021",
            message="platform mistral pins the adapters and the NIC resource of one site, "
            "and every node with a metal3 provider ID is taken for it",
            severity=Severity.NOTE,
            location=document.locate(at),
            pointer=at,
            fix="give --platform onprem to see what another site renders to",
        )


def replaced_amounts(entry: Entry, stated: JsonObject, result: JsonObject, document: Document, category: str) -> Iterator[Finding]:
    """A warning where a platform's override took the place of amounts that the user states.

    Args:
        entry: what is rendered.
        stated: the option `resources`, as far as it is stated.
        result: the spec after its overrides.
        document: the Certification.
        category: its JSON pointer.
    """
    if entry.family != "training" or not stated:
        return
    worker: JsonObject = next((pod_of(job)["containers"][0] for _, job in jobs(result)), {})
    said = [
        f"{part}.{name} {amounts[name]}"
        for part, amounts in sorted((worker.get("resources") or {}).items())
        for name in sorted(stated.get(part) or {})
        if part in stated and str(stated[part][name]) != amounts[name]
    ]
    if said:
        at = _stated("resources", document, category)
        yield Finding(
            rule="AICR-R033",
            message=f"{entry.key}: the platform's override has the machine's own size instead of what is stated: {', '.join(said)}",
            severity=Severity.WARNING,
            location=document.locate(at),
            pointer=at,
            fix="state amounts for other platforms only; here a whole machine is asked for",
        )


def merged_parts(spec: JsonObject, plain: JsonObject, result: JsonObject, document: Document) -> Iterator[Finding]:
    """A warning for each init container and volume of the user's into which an override merged one of its own of that name.

    Args:
        spec: the WorkloadRun's.
        plain: the rendered spec with the user's parts.
        result: the same after the overrides.
        document: the WorkloadRun.
    """
    for part, what in (("initContainers", "init container"), ("volumes", "volume")):
        before, after = ({one["name"]: one for one in _of_workers(rendered, part)} for rendered in (plain, result))
        for index, own in enumerate(spec.get(part, ())):
            if before.get(own["name"]) != after.get(own["name"]):
                at = f"/spec/{part}/{index}/name"
                yield Finding(
                    rule="AICR-R035",
                    message=f"{what} {own['name']!r} is merged with the one of that name that an override adds",
                    severity=Severity.WARNING,
                    location=document.locate(at),
                    pointer=at,
                    fix="choose another name, unless this is meant",
                )


def _of_workers(spec: JsonObject, part: str) -> list[JsonObject]:
    return [one for _, job in jobs(spec) if job["name"] == _NODE for one in pod_of(job).get(part) or ()]


def _stated(option: str, document: Document, category: str) -> str:
    of_category = f"{category}/options/{option}"
    return of_category if of_category in document.positions else f"/spec/{option}"
