"""Every bundle of a catalogue, and what is made of them all: its lock and its bill of materials."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bundler import pipeline
from bundler.bom.bill import bill_of
from bundler.bom.catalogue import every_chart, every_release, lock_of
from bundler.bom.chart_images import chart_images, declaration
from bundler.bom.known import Known
from bundler.certify.carried import attached
from bundler.certify.fit import fit_of
from bundler.errors import InvalidInput
from bundler.model.request import DEFAULT_CERTIFICATION
from bundler.model.watch import unwatched
from bundler.profiles.trials import trials
from bundler.publish import readme
from bundler.publish.sources import template_files

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.bom.bill import Bill
    from bundler.catalog.catalog import Catalog
    from bundler.model.bundle import Bundle
    from bundler.model.document import JsonObject
    from bundler.model.request import Request
    from bundler.model.watch import Watch

__all__ = ["bill", "bundle_of", "bundles", "certified", "lock"]


def bundles(catalog: Catalog, watch: Watch = unwatched) -> Iterator[Bundle]:
    """Each recipe with each of its choices, the examples standing for what a user would give.

    Raises:
        InvalidInput: a recipe cannot be bundled.
    """
    for recipe in watch(catalog.recipes.values()):
        for request in trials(catalog, recipe):
            yield bundle_of(catalog, request)


def certified(catalog: Catalog, watch: Watch = unwatched) -> Iterator[Bundle]:
    """One bundle with a certification for each choice that fits other tests than the ones before.

    Raises:
        InvalidInput: a recipe cannot be bundled, or a test is wired otherwise than what ships.
    """
    seen = set[tuple[str, frozenset[str]]]()
    for recipe in watch(catalog.recipes.values()):
        for request in trials(catalog, recipe):
            fit = fit_of(catalog, pipeline.compose(catalog, request), request)
            tests = attached(catalog, fit)
            kind = (fit.chosen if tests else "", tests)
            if kind not in seen:
                seen.add(kind)
                yield pipeline.bundle(catalog, replace(request, certification=DEFAULT_CERTIFICATION, allow_unpinned=True))


def bundle_of(catalog: Catalog, request: Request) -> Bundle:
    """The bundle as a user gets it, who accepts images without a digest only where there are some."""
    try:
        return pipeline.bundle(catalog, replace(request, allow_unpinned=False))
    except InvalidInput as error:
        if not request.allow_unpinned or {finding.rule for finding in error.findings} != {"AICR-I004"}:
            raise
        return pipeline.bundle(catalog, request)


def lock(catalog: Catalog, watch: Watch = unwatched) -> JsonObject:
    """The lock of a catalogue (schemas/lock.json).

    Args:
        catalog: authored data.
        watch: sees the recipes go by.

    Raises:
        InvalidInput: a recipe cannot be bundled.
    """
    locks = (bundle.lock for bundle in bundles(catalog, watch))
    others = (bundle.lock for bundle in certified(catalog, watch))
    return lock_of(catalog, locks, others, templates=template_files(readme.TEMPLATES, catalog))


def bill(catalog: Catalog, watch: Watch = unwatched) -> Bill:
    """Every image and chart that any bundle of a catalogue pulls, in every release and version that may be chosen.

    Raises:
        InvalidInput: a recipe cannot be bundled.
    """
    every = (*bundles(catalog, watch), *certified(catalog, watch))
    return bill_of("catalogue", [*(bundle.lock for bundle in every), _selectable(catalog)])


def _selectable(catalog: Catalog) -> JsonObject:
    """What no trial chooses, in the form of a lock: other rows of release tables, other versions of charts."""
    charts = [*every_chart(catalog)]
    known = Known.of(catalog, charts)
    images = [
        {"image": text, "digest": known.digest(text), "owners": [{"object": f"release {release['table']} {release['name']}"}]}
        for release in every_release(catalog)
        for text in release["images"].values()
    ]
    components = []
    for component in charts:
        assert component.chart is not None
        images += [
            {
                "image": str(image.image),
                "digest": known.digest(str(image.image)),
                "completed": image.completed,
                "owners": [{"component": component.name, "version": component.version, "name": image.name}],
            }
            for image in chart_images(catalog, component)
        ]
        chart = {"repository": component.chart.repository, "chart": component.chart.name, "version": component.version}
        missing = {} if declaration(catalog, component) is not None else {"images": "unknown"}
        components.append({"name": component.name, **chart, **missing})
    return {"images": images, "components": components}
