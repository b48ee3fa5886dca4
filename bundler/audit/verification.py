"""Verify a bundle: closed by its inventory, true to its lock, and rendered again where its inputs are at hand."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from bundler import pipeline
from bundler.compose.wording import listed
from bundler.dataclass import dataclass
from bundler.errors import AicrError, InvalidInput
from bundler.model.finding import Finding, Severity
from bundler.model.location import Location
from bundler.publish.closed_world import closed_world
from bundler.publish.recipe_file import read_request
from bundler.yamlio.reader import read

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from bundler.catalog.catalog import Catalog
    from bundler.model.bundle import Bundle
    from bundler.model.document import JsonObject

__all__ = ["Verification", "verify"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What was found out about a directory.

    Attributes:
        files: path → bytes of the files that are as the inventory lists them, and of the inventory.
        lock: the bundle's lock; empty when it cannot be trusted.
        rendered: whether the bundle was rendered again and compared.
        findings: every fault, and a note when it could not be rendered again.
    """

    files: Mapping[str, bytes] = field(repr=False)
    lock: JsonObject = field(repr=False)
    rendered: bool
    findings: tuple[Finding, ...]

    @property
    def faults(self) -> tuple[Finding, ...]:
        """The findings that say that this is not the bundle it claims to be."""
        return tuple(finding for finding in self.findings if finding.severity is Severity.ERROR)


def verify(directory: Path, catalog: Catalog, *, render: bool = True) -> Verification:
    """Verify the bundle in a directory. Nothing is written, and nothing is fetched.

    Args:
        directory: a bundle.
        catalog: authored data to render it from again.
        render: whether to try that.

    Raises:
        NotFound: the directory does not exist.
        InvalidInput: it is no directory.
        Unavailable: something in it cannot be read.
    """
    validator = catalog.validator("bundlelock")
    world = closed_world(directory, check=lambda document: validator.check(document.data, document=document))
    if world.findings or not render:
        return Verification(files=world.files, lock=world.lock, rendered=False, findings=world.findings)
    try:
        bundle = _again(world.files["recipe.yaml"], f"{directory}/recipe.yaml", catalog)
    except AicrError as error:
        reason = error.findings[0].message
        findings: tuple[Finding, ...] = (_not_rendered(directory, f"this catalogue does not render it: {reason}"),)
        return Verification(files=world.files, lock=world.lock, rendered=False, findings=findings)
    if other := [*_other_inputs(world.lock, bundle.lock)]:
        note = _not_rendered(directory, f"this catalogue has other inputs: {listed(other)}")
        return Verification(files=world.files, lock=world.lock, rendered=False, findings=(note,))
    findings = tuple(_differences(directory, world.files, bundle))
    return Verification(files=world.files, lock=world.lock, rendered=True, findings=findings)


def _again(recipe: bytes, shown: str, catalog: Catalog) -> Bundle:
    document = read(recipe, shown)
    if findings := catalog.validator("bundlerecipe").check(document.data, document=document):
        raise InvalidInput.of(findings)
    return pipeline.bundle(catalog, read_request(document))


def _other_inputs(locked: JsonObject, fresh: JsonObject) -> Iterator[str]:
    """Inputs that are not the ones which the bundle was made from."""
    before, after = _inputs(locked), _inputs(fresh)
    return (name for name in sorted({*before, *after}) if before.get(name) != after.get(name))


def _inputs(lock: JsonObject) -> dict[str, str]:
    digests = {item["layer"]: item["digest"] for item in lock["inputs"]["layers"]}
    for section, found in lock["inputs"].items():
        digests |= found if section != "layers" else {}
    return digests


def _differences(directory: Path, files: Mapping[str, bytes], bundle: Bundle) -> Iterator[Finding]:
    for path in sorted({*files, *bundle.files}):
        if files.get(path) != bundle.files.get(path):
            yield Finding(
                rule="AICR-O039",
                message=f"{path} is not what recipe.yaml renders to",
                location=Location(file=f"{directory}/{path}"),
                fix=f"see 'aicr bundle --check {directory}'",
            )


def _not_rendered(directory: Path, reason: str) -> Finding:
    return Finding(
        rule="AICR-O040",
        message=f"the bundle was not rendered again: {reason}",
        severity=Severity.NOTE,
        location=Location(file=f"{directory}/recipe.yaml"),
        fix="verify it with the aicr and the data that it was made with",
    )
