"""Everything that a page says of a bundle, gathered: verified, rendered again where that can be done, its fixtures compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler import pipeline
from bundler.audit import measured
from bundler.audit.verification import verify
from bundler.bom.bill import bill_of
from bundler.conform.context import Facts
from bundler.conform.pods import is_runtime
from bundler.conform.structure import faults
from bundler.diff.classes import Classes
from bundler.diff.diff import diff
from bundler.errors import InvalidInput
from bundler.kube.resource import Resource
from bundler.model.finding import Finding, Severity
from bundler.model.location import Location
from bundler.publish.contract import contract, measurement, train_job
from bundler.publish.objects import VALIDATORS
from bundler.publish.recipe_file import read_request
from bundler.report.changes import told
from bundler.report.html.attachment import attached
from bundler.report.html.page import Page
from bundler.yamlio.reader import read, read_stream

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from bundler.catalog.catalog import Catalog
    from bundler.diff.side import Tree
    from bundler.guard.guard import Verdict
    from bundler.model.composition import Composition
    from bundler.model.document import JsonObject
    from bundler.model.request import Request
    from bundler.report.html.attachment import Attached

__all__ = ["portray"]

_RECIPE = "recipe.yaml"


def portray(directory: Path, catalog: Catalog, *, sides: tuple[Tree, Tree] | None = None) -> Page:
    """What is to be said of the bundle in a directory. Nothing is written, and nothing is fetched.

    What only the authored data can say is said where the bundle is what this catalogue renders.

    Args:
        directory: a bundle.
        catalog: authored data.
        sides: what the bundle is compared with, and the bundle.

    Raises:
        NotFound: the directory does not exist.
        InvalidInput: its lock cannot be trusted, so that nothing can be said of it.
        Unavailable: something in it cannot be read.
    """
    found = verify(directory, catalog)
    if not found.lock:
        raise InvalidInput.of(found.findings)
    composition, description = None, ""
    verdicts: tuple[Verdict, ...] = ()
    findings = [*found.findings]
    if found.rendered and not found.faults:
        request = read_request(read(found.files[_RECIPE], _RECIPE))
        composition = pipeline.compose(catalog, request)
        description = _description(request, composition, catalog)
        held = measured.of_bundle(catalog, request, directory)
        verdicts = tuple(verdict for _, verdict in held.verdicts)
        findings += [finding for finding in held.findings if finding.severity is not Severity.NOTE]
    objects = [*_objects(found.files)]
    drawable, odd = _sound(objects, catalog)
    pods = sorted(_pods(drawable, objects), key=lambda pods: (not pods.has_fabric, pods.name))
    order = {each.name: number for number, each in enumerate(pods)}
    drawable.sort(key=lambda pair: order.get(pair[1].name, len(order)))
    return Page(
        lock=found.lock,
        files=len(found.files),
        description=description,
        composition=composition,
        findings=(*findings, *odd),
        verdicts=verdicts,
        pods=tuple(pods),
        contracts=tuple(_contract(runtime, composition, objects, catalog, verdicts) for _, runtime in drawable),
        bill=bill_of(found.lock["recipe"], [found.lock]),
        changes=told(diff(*sides, catalog.derived(Classes.of))) if sides is not None else None,
    )


def _description(request: Request, composition: Composition, catalog: Catalog) -> str:
    recipe = request.document or catalog.recipes[composition.recipe]
    return str(recipe.data["metadata"]["description"])


def _objects(files: Mapping[str, bytes]) -> Iterator[tuple[str, Resource]]:
    """Every object of the bundle with its file; what is no object is no concern of a drawing."""
    for path, content in files.items():
        if not path.endswith(".yaml"):
            continue
        try:
            documents = read_stream(content, path)
        except InvalidInput:
            continue
        for document in documents:
            if document.kind and isinstance(document.data.get("metadata"), dict):
                yield path, Resource(data=document.data, template=path, positions=document.positions, owner="")


def _sound(objects: Sequence[tuple[str, Resource]], catalog: Catalog) -> tuple[list[tuple[str, Resource]], list[Finding]]:
    """The runtimes that ship and have the structure of their kind; and what keeps others from being drawn."""
    facts = catalog.derived(Facts.of)
    sound, odd = [], []
    for path, runtime in objects:
        if not is_runtime(runtime) or path.startswith(f"{VALIDATORS}/"):
            continue
        schemas = facts.kinds.get(f"{runtime.api_version} {runtime.kind}", {}).get("versions", {})
        wrong = min(([*faults(runtime.data, facts.schema(name))] for name in schemas.values()), key=len, default=None)
        if wrong == []:
            sound.append((path, runtime))
            continue
        message = f"{runtime.subject} is not drawn: {wrong[0].message if wrong else 'no schema is known for this kind'}"
        pointer = wrong[0].pointer if wrong else "/kind"
        place = Location(file=path)
        odd.append(Finding(rule="AICR-O041", message=message, location=place, pointer=pointer, fix="render the bundle again"))
    return sorted(sound, key=lambda pair: pair[1].name), odd


def _pods(runtimes: Sequence[tuple[str, Resource]], objects: Sequence[tuple[str, Resource]]) -> Iterator[Attached]:
    for _, runtime in runtimes:
        pods = attached(runtime, (resource for _, resource in objects))
        if pods is not None:
            yield pods


def _contract(
    runtime: Resource,
    composition: Composition | None,
    objects: Sequence[tuple[str, Resource]],
    catalog: Catalog,
    verdicts: Sequence[Verdict],
) -> JsonObject:
    said = contract(runtime, composition, objects, catalog)
    shipped = next((each for each in composition.runtimes if each.name == runtime.name), None) if composition else None
    selection = composition.selection(shipped.axis) if composition is not None and shipped is not None else None
    fixtures = [verdict.pair.fixture for verdict in verdicts if verdict.pair.runtime.name == runtime.name]
    floors = [measurement(fixture, composition)["floor"] for fixture in fixtures] if composition is not None else []
    return {
        **said,
        "kind": runtime.kind,
        "transport": selection.declaration.get("transport", "") if selection is not None else "",
        "floor": "; ".join(filter(None, floors)),
        "job": train_job(runtime),
    }
