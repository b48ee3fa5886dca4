"""`bom/lock.yaml`: the resolved truth of a whole catalogue, from the locks of all its bundles.

Images, charts and release pairs, every authored file that a bundle is made from, and every file that comes out when each recipe is
bundled with each of its choices, the parameters taken from their examples.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.bom.chart_images import chart_images, declaration
from bundler.bom.known import Known
from bundler.model.composition import Chart, Component
from bundler.model.digest import canonical_digest
from bundler.render.functions import reference

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bundler.catalog.catalog import Catalog
    from bundler.model.document import JsonObject

__all__ = ["LOCK_VERSION", "PATH", "choice_key", "every_chart", "every_release", "lock_digest", "lock_of"]

PATH = "bom/lock.yaml"
LOCK_VERSION = 1


def lock_of(
    catalog: Catalog, locks: Iterable[JsonObject], others: Iterable[JsonObject] = (), *, templates: JsonObject
) -> JsonObject:
    """The document of kind Lock (schemas/lock.json).

    Args:
        catalog: what is locked.
        locks: the lock of each of its bundles.
        others: locks of bundles with more than a recipe asks for, of which images and inputs are locked, and no outputs.
        templates: those that a choice beside the recipe's brings in, such as that of a deployer: file → digest.
    """
    bundles = list(locks)
    every = [*bundles, *others]
    charts = [*every_chart(catalog)]
    known = Known.of(catalog, charts)
    images: dict[str, str] = {image["image"]: image["digest"] for lock in every for image in lock["images"]}
    for component in charts:
        images |= {text: known.digest(text) for text in (str(image.image) for image in chart_images(catalog, component))}
    releases = [*every_release(catalog)]
    images |= {text: known.digest(text) for release in releases for text in release["images"].values()}
    lock: JsonObject = {
        "apiVersion": "aicr.run/v2",
        "kind": "Lock",
        "lockVersion": LOCK_VERSION,
        "images": [{"image": text, "digest": images[text]} for text in sorted(images)],
        "charts": [_chart(component, known=declaration(catalog, component) is not None) for component in charts],
        "releases": releases,
        "inputs": _inputs([*every, {"inputs": {"templates": templates}}]),
        "recipes": _recipes(bundles),
    }
    return lock | {"digest": lock_digest(lock)}


def lock_digest(lock: JsonObject) -> str:
    """The digest of a lock, which the order of its entries does not change."""
    ordered = {key: value for key, value in lock.items() if key != "digest"}
    for key in ("images", "charts", "releases", "recipes"):
        ordered[key] = sorted(lock.get(key, ()), key=canonical_digest)
    ordered["recipes"] = [
        {**recipe, "choices": sorted(recipe.get("choices", ()), key=canonical_digest)} for recipe in ordered["recipes"]
    ]
    ordered["recipes"].sort(key=canonical_digest)
    return canonical_digest(ordered)


def choice_key(choice: JsonObject) -> str:
    """What tells two choices of one recipe apart: the values and their parameters."""
    return canonical_digest(choice["profiles"])


def every_chart(catalog: Catalog) -> Iterator[Component]:
    """Each component with a chart, in each version that may be chosen, with no values but the chart's own."""
    for entry in catalog.registry.values():
        if entry.chart:
            for version in sorted(entry.selectable):
                chart = Chart(repository=entry.repository, name=entry.chart, version=version)
                yield Component(name=entry.name, version=version, namespace=entry.namespace, chart=chart, values={})


def every_release(catalog: Catalog) -> Iterator[JsonObject]:
    """Each row of each release table."""
    for table in catalog.store.named("bom/releases", ".yaml"):
        for row in catalog.release_table(table).data["releases"]:
            images = {role: reference(part) for role, part in row.items() if isinstance(part, dict) and "repository" in part}
            yield {"table": table, "name": row["name"], "source": row["source"], "images": images, "digest": canonical_digest(row)}


def _chart(component: Component, *, known: bool) -> JsonObject:
    assert component.chart is not None
    chart = {
        "component": component.name,
        "version": component.version,
        "repository": component.chart.repository,
        "chart": component.chart.name,
    }
    return chart if known else {**chart, "images": "unknown"}


def _inputs(locks: Iterable[JsonObject]) -> JsonObject:
    """Layers by label, and files by path, with their digests."""
    inputs: dict[str, dict[str, str]] = {"layers": {}, "templates": {}, "fragments": {}, "releases": {}}
    for lock in locks:
        for section, found in lock["inputs"].items():
            digests = {item["layer"]: item["digest"] for item in found} if section == "layers" else found
            inputs.setdefault(section, {}).update(digests)
    return inputs


def _recipes(locks: Iterable[JsonObject]) -> list[JsonObject]:
    """What comes out of each recipe: the files that all its choices have in common, then the rest of each choice."""
    by_recipe: dict[str, list[JsonObject]] = {}
    for lock in locks:
        by_recipe.setdefault(lock["recipe"], []).append(lock)
    return [_recipe(name, by_recipe[name]) for name in sorted(by_recipe)]


def _recipe(name: str, locks: list[JsonObject]) -> JsonObject:
    first: dict[str, Any] = locks[0]["outputs"]
    common = {path: digest for path, digest in first.items() if all(lock["outputs"].get(path) == digest for lock in locks)}
    choices = [
        {"profiles": lock["profiles"], "outputs": {path: digest for path, digest in lock["outputs"].items() if path not in common}}
        for lock in locks
    ]
    return {"name": name, "outputs": common, "choices": sorted(choices, key=lambda choice: str(choice["profiles"]))}
