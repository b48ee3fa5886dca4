"""What a user should know of a choice where it is made, although nothing is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.model.finding import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.certify.entries import Entry
    from bundler.model.document import Document, JsonObject

__all__ = ["remarks"]


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
    if options["platform"] == "mistral":
        yield Finding(
            rule="AICR-R021",
            message="platform mistral pins the adapters and the NIC resource of one site, "
            "and every node with a metal3 provider ID is taken for it",
            severity=Severity.NOTE,
            location=document.locate("/spec/target"),
            pointer="/spec/target",
            fix="give --platform onprem to see what another site renders to",
        )


def _stated(option: str, document: Document, category: str) -> str:
    of_category = f"{category}/options/{option}"
    return of_category if of_category in document.positions else f"/spec/{option}"
