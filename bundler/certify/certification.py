"""A Certification rendered as its controller renders it, one Workflow a category: for nodes that were read, or without any."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from bundler.certify import rendering
from bundler.certify.amounts import check_amounts
from bundler.certify.entries import require_entry
from bundler.certify.fabric import fitted
from bundler.certify.naming import names_of
from bundler.certify.options import merged_options, resolved
from bundler.certify.parallelism import check_parallelism
from bundler.certify.remarks import remarks, replaced_amounts
from bundler.certify.served import judged
from bundler.certify.thresholds import check_thresholds
from bundler.certify.transforms import resolved_gang, with_gang_scheduler, with_image, with_labels
from bundler.dataclass import dataclass
from bundler.detect.gpus import PRODUCT, Gpus, Shape, architecture_of
from bundler.detect.platforms import FALLBACK
from bundler.errors import InvalidInput
from bundler.model.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bundler.catalog.catalog import Catalog
    from bundler.certify.site import Site
    from bundler.model.document import Document, JsonObject

__all__ = ["Rendering", "render_certification"]

_LABEL = "nvcre.nvidia.com"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendering:
    """What a document renders to: Workflows in order, and what should be said about them."""

    workflows: tuple[JsonObject, ...] = field(repr=False)
    notes: tuple[Finding, ...] = ()


def render_certification(catalog: Catalog, document: Document, site: Site, *, explain: bool = False) -> Rendering:
    """The Workflows of a Certification, in the order of its categories.

    Args:
        catalog: entries and overlays.
        document: the Certification, valid by its schema.
        site: what is known of the nodes.
        explain: whether each Workflow says what was detected and which overrides applied; with nodes that were read it always does.

    Raises:
        InvalidInput: an unknown entry, threshold or architecture, nodes that cannot hold a model, or a Workflow that breaks a rule.
    """
    spec = document.data["spec"]
    names = names_of(document.name, spec["categories"])
    _refuse([*_thresholds(document), *_amounts(document), *_sharing_a_name(document, names)])
    platform = site.platform or FALLBACK
    architecture = _architecture(document, site)
    gpus = catalog.derived(Gpus.of)
    workflows: list[JsonObject] = []
    notes: list[Finding] = list(site.observed.notes if site.observed is not None else ())
    faults: list[Finding] = []
    for index, category in enumerate(spec["categories"]):
        at = f"/spec/categories/{index}"
        location = document.locate(at)
        entry = require_entry(
            catalog, category["domain"], category["variant"], location=document.locate(f"{at}/variant"), pointer=at
        )
        stated = merged_options(spec, category.get("options", {}))
        options = resolved(entry, stated, gpus=gpus, platform=platform, architecture=architecture)
        options["target"] = spec["target"]
        options, found = fitted(catalog, entry, options, site, counts_nodes="nodesPerJob" not in stated)
        notes += found
        if too_few := list(check_parallelism(entry, options, location=location, pointer=at)):
            faults += too_few
            continue
        shape = Shape(gpus=options["gpusPerNode"], nics=options["mlnxPerNode"])
        notes += [note for note in [gpus.unlisted(architecture, shape, location=document.locate("/spec/target"))] if note]
        notes += remarks(entry, options, document, at)
        changed = rendering.overridden(catalog, entry, options, rendering.base(catalog, entry, options))
        notes += replaced_amounts(entry, stated.get("resources", {}), changed.spec, document, at)
        gang = resolved_gang(spec.get("gangScheduler"))
        result = with_image(with_gang_scheduler(changed.spec, gang), options["image"])
        result = with_labels(result, options["workloadMetadata"].get("labels", {}), gang, location=location)
        name = names[index]
        faults += judged(catalog, result, subject=f"Workflow/{name}", location=location)
        labels = _labels(document.name, entry.domain, entry.variant)
        said = rendering.detected(options, changed.applied) if explain or site.observed is not None else None
        workflows.append(rendering.workflow(name, labels, result, notes=said))
    _refuse(faults)
    return Rendering(workflows=tuple(workflows), notes=tuple(dict.fromkeys(notes)))


def _architecture(document: Document, site: Site) -> str:
    """That which is stated, else that of the product in the node selector.

    Raises:
        InvalidInput: neither is there.
    """
    if site.architecture:
        return site.architecture
    product = document.data["spec"]["target"].get("nodeSelector", {}).get(PRODUCT, "")
    architecture = architecture_of(product)
    if not architecture:
        message = f"cannot determine GPU architecture from target nodeSelector or --gpu-arch ({PRODUCT} label is required)"
        fix = f"add {PRODUCT} to spec.target.nodeSelector, or give --gpu-arch"
        at = "/spec/target"
        raise InvalidInput("AICR-R002", message, location=document.locate(at), pointer=at, fix=fix)
    return architecture


def _thresholds(document: Document) -> Iterator[Finding]:
    spec = document.data["spec"]
    yield from check_thresholds(spec.get("thresholds", {}), document, "/spec/thresholds")
    for index, category in enumerate(spec["categories"]):
        thresholds = category.get("options", {}).get("thresholds", {})
        yield from check_thresholds(thresholds, document, f"/spec/categories/{index}/options/thresholds")


def _amounts(document: Document) -> Iterator[Finding]:
    """Requests above their limits, where both are stated; a default beside them is judged with what is rendered."""
    spec = document.data["spec"]
    yield from check_amounts(spec.get("resources", {}), document, "/spec/resources")
    for index, category in enumerate(spec["categories"]):
        yield from check_amounts(
            category.get("options", {}).get("resources", {}), document, f"/spec/categories/{index}/options/resources"
        )


def _sharing_a_name(document: Document, names: tuple[str, ...]) -> Iterator[Finding]:
    for index, name in enumerate(names):
        if (first := names.index(name)) < index:
            at = f"/spec/categories/{index}"
            yield Finding(
                rule="AICR-R027",
                message=f"categories {first} and {index} make one Workflow, {name!r}: the second would take the place of the first",
                location=document.locate(at),
                pointer=at,
                fix="remove one, or let their options differ in nodesPerJob, enableMNNVL, testScale, enableCheckpoint, maxSteps, "
                "exitDurationMins or gpusPerNode, which are part of the name",
            )


def _labels(certification: str, domain: str, variant: str) -> dict[str, str]:
    return {
        "app.kubernetes.io/managed-by": "nvcre",
        f"{_LABEL}/category-domain": domain,
        f"{_LABEL}/category-variant": variant,
        f"{_LABEL}/certification": certification,
    }


def _refuse(findings: Iterable[Finding]) -> None:
    if every := list(findings):
        raise InvalidInput.of(every)
