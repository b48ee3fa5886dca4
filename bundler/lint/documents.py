"""Each authored file by itself: of the kind that its folder holds, and valid by the schema of that kind."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from bundler.catalog.validation import Validator
from bundler.errors import InvalidInput
from bundler.model.finding import Finding, Severity
from bundler.model.location import Location

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bundler.catalog.catalog import Catalog
    from bundler.catalog.files import DataFiles
    from bundler.model.document import JsonObject

__all__ = ["check_files", "check_json"]

_PLAIN = ""
_KINDS: tuple[tuple[str, str], ...] = (
    (r"recipes/base\.yaml", "Base"),
    (r"recipes/registry\.yaml", "Registry"),
    (r"recipes/cluster/facts\.yaml", "ClusterFacts"),
    (r"recipes/[^/]+\.yaml", "Recipe"),
    (r"recipes/profiles/[^/]+\.yaml", "Profile"),
    (r"recipes/components/[^/]+/values\.yaml", _PLAIN),
    (r"recipes/detection/criteria\.yaml", "CriteriaTable"),
    (r"recipes/detection/capabilities\.yaml", "CapabilityTable"),
    (r"recipes/detection/readiness\.yaml", "ReadinessTable"),
    (r"recipes/certification/platforms\.yaml", "PlatformTable"),
    (r"recipes/certification/gpu-defaults\.yaml", "GpuDefaults"),
    (r"recipes/certification/[^/]+/[^/]+\.yaml", "CertificationEntry"),
    (r"overlays/certification/.+\.yaml", "CertificationOverlay"),
    (r"overlays/.+\.yaml", "Overlay"),
    (r"bom/transports\.yaml", "TransportTable"),
    (r"bom/images\.yaml", "ImageTable"),
    (r"bom/image-fields\.yaml", "ImageFields"),
    (r"bom/charts/[^/]+\.yaml", "ChartImages"),
    (r"bom/lock\.yaml", "Lock"),
    (r"bom/releases/[^/]+\.yaml", "ReleaseTable"),
    (r"bom/machines/[^/]+\.yaml", "MachineTable"),
    (r"manifests/fragments/[^/]+\.yaml", _PLAIN),
    (r"manifests/validators/contract\.yaml", "Contract"),
    (r"manifests/changes\.yaml", "ChangeTable"),
    (r"manifests/certification/contract(-[a-z0-9-]+)?\.yaml", "Contract"),
)
"""Path → the kind of document there; the first that matches."""

_ELSEWHERE = re.compile(r"manifests/.+\.j2|schemas/.+\.json")


def check_files(catalog: Catalog) -> Iterator[Finding]:
    """What is wrong with single files of the catalogue. Templates are judged elsewhere."""
    for source in catalog.sources:
        for path in source.paths:
            try:
                yield from _check_file(catalog, source, path)
            except InvalidInput as error:
                yield from error.findings


def check_json(raw: bytes, shown: str, *, siblings: Mapping[str, JsonObject] | None = None) -> Iterator[Finding]:
    """What keeps a JSON file from being a schema.

    Args:
        raw: the file.
        shown: its path, for messages.
        siblings: schemas it may refer to, by `$id`.
    """
    try:
        schema = json.loads(raw)
    except (ValueError, RecursionError) as error:
        location = Location(file=shown, line=getattr(error, "lineno", 1), column=getattr(error, "colno", 1))
        yield Finding(rule="AICR-S009", message="schema is not JSON", location=location, fix="correct the syntax")
        return
    try:
        Validator.of(schema, siblings=siblings, shown=shown)
    except InvalidInput as error:
        yield from error.findings


def _check_file(catalog: Catalog, source: DataFiles, path: str) -> Iterator[Finding]:
    kind = next((kind for pattern, kind in _KINDS if re.fullmatch(pattern, path)), None)
    if kind is None:
        if path.startswith("schemas/") and path.endswith(".json"):
            # Schemas of one folder may refer to each other; those of sub-folders stand alone.
            siblings = _siblings(catalog) if path.count("/") == 1 else None
            yield from check_json(source.read(path), source.shown(path), siblings=siblings)
        elif not _ELSEWHERE.fullmatch(path):
            yield _unread(source, path)
        return
    document = catalog.store.document_of(source, path, kind=kind)
    yield from document.notes
    # What comes from `--data` was validated when it was read.
    if kind and source is catalog.sources[0]:
        yield from catalog.validator(kind.lower()).check(document.data, document=document)


def _siblings(catalog: Catalog) -> dict[str, JsonObject]:
    return {schema["$id"]: schema for schema in catalog.schemas.values() if "$id" in schema}


def _unread(source: DataFiles, path: str) -> Finding:
    return Finding(
        rule="AICR-S030",
        message=f"nothing reads {path!r}",
        severity=Severity.WARNING,
        location=source.location(path),
        fix="move it to the folder of its kind, or remove it",
    )
