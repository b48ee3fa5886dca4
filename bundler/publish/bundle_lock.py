"""`bundle.lock.yaml`: what went into a bundle, what was chosen, what came out.

It holds no time, no tool version and no path outside the bundle and its data, so that equal inputs have equal locks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.bom.chart_images import chart_images, undeclared
from bundler.bom.evidence import evidence_class, trainer
from bundler.bom.images import locked_images
from bundler.bom.known import Known
from bundler.bom.relocation import refuse_collisions
from bundler.catalog.image_fields import image_fields
from bundler.guard.side import Role
from bundler.model.digest import canonical_digest
from bundler.publish.contract import machine_types
from bundler.publish.inventory import digest_of
from bundler.publish.recipe_file import API_VERSION
from bundler.publish.sources import release_tables, sources
from bundler.render.functions import reference

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bundler.catalog.catalog import Catalog
    from bundler.certify.carried import Carried
    from bundler.guard.guard import Verdict
    from bundler.kube.resource import Resource
    from bundler.model.composition import Component, Composition
    from bundler.model.document import JsonObject
    from bundler.model.request import Request
    from bundler.render.renderer import Renderer

__all__ = ["LOCK_VERSION", "NAME", "bundle_lock"]

NAME = "bundle.lock.yaml"

LOCK_VERSION = 1
"""The form of the document. A reader refuses any other: what it would not understand, it would not check."""

_CHOICES = (
    "recipe",
    "criteria",
    "machineType",
    "profiles",
    "observed",
    "overrides",
    "scheduling",
    "relocation",
    "delivery",
    "installTime",
)


def bundle_lock(
    composition: Composition,
    request: Request,
    catalog: Catalog,
    *,
    recipe: JsonObject,
    objects: Iterable[tuple[str, Resource]],
    texts: Mapping[str, Renderer],
    outputs: Mapping[str, bytes],
    verdicts: Sequence[Verdict] = (),
    carried: Carried | None = None,
    tested: Sequence[Verdict] = (),
) -> JsonObject:
    """The document of kind BundleLock (schemas/bundlelock.json).

    Args:
        composition: what was rendered.
        request: what was asked for.
        catalog: where it came from.
        recipe: the content of the bundle's `recipe.yaml`.
        objects: path of each object's file, and the object as published, before any relocation.
        texts: templates besides those of runtimes and components, each with what renders it.
        outputs: every other file of the bundle.
        verdicts: what came of holding its fixtures against its runtimes.
        carried: its certification, if it has one.
        tested: what came of holding the tests of that against its runtimes.
    """
    lock: JsonObject = {
        "apiVersion": API_VERSION,
        "kind": "BundleLock",
        "lockVersion": LOCK_VERSION,
        **{choice: recipe[choice] for choice in _CHOICES if choice in recipe},
        **_machines(composition, request),
        "allowUnpinned": composition.allow_unpinned,
        "components": [_component(component, catalog) for component in composition.components],
        "trainer": trainer(composition),
        "runtimes": [
            {"name": runtime.name, "evidence": str(evidence_class(runtime, composition)), **_measured(runtime.name, verdicts)}
            for runtime in composition.runtimes
        ],
        **({"certification": _certification(carried, tested)} if carried is not None else {}),
        "constraints": [{"name": constraint.name, "value": constraint.value} for constraint in composition.constraints],
        "releases": _releases(composition),
        "images": _images(composition, request, catalog, objects),
        "inputs": sources(composition, request, catalog, texts=texts, carried=carried),
        "outputs": {path: f"sha256:{digest_of(content)}" for path, content in outputs.items()},
    }
    return lock | {"digest": canonical_digest(lock)}


def _measured(name: str, verdicts: Sequence[Verdict]) -> JsonObject:
    """The projection of a runtime and that of its fixture; nothing for a runtime that none measures."""
    for verdict in verdicts:
        if verdict.pair.names[Role.RUNTIME] == name:
            fixture = {"name": verdict.pair.names[Role.FIXTURE], "projection": verdict.digests[Role.FIXTURE]}
            return {"projection": verdict.digests[Role.RUNTIME], "fixture": fixture}
    return {}


def _certification(carried: Carried, tested: Sequence[Verdict]) -> JsonObject:
    """What the nodes were taken for, and each test with the projection that was held against the runtime's."""
    projections = {verdict.pair.names[Role.FIXTURE]: verdict.digests[Role.FIXTURE] for verdict in tested}
    tests = [
        {
            "entry": test.entry.key,
            "workflow": test.workflow.name,
            **({"projection": projections[test.workflow.name]} if test.workflow.name in projections else {}),
        }
        for test in carried.tests
    ]
    found: JsonObject = {"platform": carried.fit.site.platform, "architecture": carried.fit.site.architecture, "tests": tests}
    if carried.left_out:
        found["leftOut"] = [{"entry": one.entry.key, "reason": one.reason} for one in carried.left_out]
    return found


def _machines(composition: Composition, request: Request) -> JsonObject:
    """The machine types that the bundle fits, and the rows that its values were rendered with; nothing when it depends on none."""
    rows = [
        {
            "axis": selection.axis,
            "parameter": name,
            "table": declared["machines"],
            "name": selection.machine["name"],
            "source": selection.machine["source"],
            "digest": canonical_digest(selection.machine),
        }
        for selection in composition.selections
        if selection.machine
        for name, declared in selection.declaration.get("parameters", {}).items()
        if "machines" in declared
    ]
    found: JsonObject = {"machineTypes": machine_types(composition, request), "machines": rows}
    return {key: value for key, value in found.items() if value}


def _images(
    composition: Composition, request: Request, catalog: Catalog, objects: Iterable[tuple[str, Resource]]
) -> list[JsonObject]:
    images = locked_images(
        objects,
        (image for component in composition.components for image in chart_images(catalog, component)),
        declared=catalog.derived(image_fields),
        known=Known.of(catalog, composition.components),
        relocation=request.relocation,
    )
    refuse_collisions(images)
    return images


def _component(component: Component, catalog: Catalog) -> JsonObject:
    locked: JsonObject = {"name": component.name, "namespace": component.namespace}
    if component.version:
        locked["version"] = component.version
    if component.chart is not None:
        locked |= {"repository": component.chart.repository, "chart": component.chart.name, "version": component.chart.version}
    if component.dependencies:
        locked["dependsOn"] = list(component.dependencies)
    if any(undeclared(catalog, component)):
        locked["images"] = "unknown"
    return locked


def _releases(composition: Composition) -> list[JsonObject]:
    releases = []
    for axis, parameter, table in release_tables(composition):
        selection = composition.selection(axis)
        assert selection is not None
        record = selection.releases[parameter]
        release: JsonObject = {
            "axis": axis,
            "parameter": parameter,
            "table": table,
            "name": record["name"],
            "images": {role: reference(part) for role, part in record.items() if _is_image(part)},
            "digest": canonical_digest(record),
        }
        if "source" in record:
            release["source"] = record["source"]
        releases.append(release)
    return releases


def _is_image(part: Any) -> bool:
    return isinstance(part, dict) and "repository" in part
