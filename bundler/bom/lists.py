"""The bill of materials in the formats of the tools that fetch images.

Sources: docs.hauler.dev (manifests of kind Images and Charts, `content.hauler.cattle.io/v1`); carvel.dev/imgpkg (ImagesLock,
`imgpkg.carvel.dev/v1alpha1`) and carvel.dev/kbld (the annotation that keeps the reference as written).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.bom.bill import Pinning
from bundler.compose.wording import listed, plural
from bundler.kube.image import Image
from bundler.model.finding import Finding, Severity
from bundler.model.location import Location
from bundler.yamlio.writer import dump, dump_all

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.bom.bill import Bill, BilledImage
    from bundler.model.document import JsonObject

__all__ = ["hauler", "image_list", "imgpkg", "incomplete", "unlisted"]


def image_list(bill: Bill) -> str:
    """One reference a line."""
    return "".join(f"{image.image}\n" for image in _pulled(bill))


def hauler(bill: Bill) -> str:
    """A manifest for `hauler store sync`."""
    images = [{"name": image.image} for image in _pulled(bill)]
    charts = [{"name": chart.chart, "repoURL": chart.repository, "version": chart.version} for chart in bill.charts]
    return dump_all(
        [_manifest("Images", bill, {"images": images}), *([_manifest("Charts", bill, {"charts": charts})] if charts else [])]
    )


def imgpkg(bill: Bill) -> str:
    """A lock for `imgpkg copy`, which names images by digest alone: what has none is missing and must be said."""
    images = [
        {"image": f"{Image.parse(image.image).name}@{image.digest}", "annotations": {"kbld.carvel.dev/id": image.image}}
        for image in _pulled(bill)
        if image.digest
    ]
    return dump({"apiVersion": "imgpkg.carvel.dev/v1alpha1", "kind": "ImagesLock", "images": images})


def incomplete(bill: Bill) -> Iterator[Finding]:
    """What the bill does not say, whatever its format."""
    for chart in bill.charts:
        if not chart.complete:
            yield Finding(
                rule="AICR-I010",
                message=f"the images of chart {chart.chart} {chart.version} are not all declared",
                location=Location(file=bill.name),
                subject=f"component {chart.component}",
                fix=f"declare them in bom/charts/{chart.component}.yaml",
            )
    for image in bill.images:
        if image.completed:
            yield Finding(
                rule="AICR-I018",
                message=f"the tag of {image.image} is completed when it is pulled: {image.completed}",
                severity=Severity.WARNING,
                location=Location(file=bill.name),
                fix="mirror the image with the whole tag",
            )


def unlisted(bill: Bill) -> Iterator[Finding]:
    """What a list of digests lacks."""
    lacking = [image.image for image in _pulled(bill) if not image.digest]
    if lacking:
        yield Finding(
            rule="AICR-I019",
            message=f"a list of digests lacks {plural(len(lacking), 'image')}, since none is published: {listed(lacking)}",
            location=Location(file=bill.name),
            fix="mirror by tag, with --format images or hauler",
        )


def _pulled(bill: Bill) -> Iterator[BilledImage]:
    return (image for image in bill.images if image.pinning is not Pinning.PRELOADED)


def _manifest(kind: str, bill: Bill, spec: JsonObject) -> JsonObject:
    return {"apiVersion": "content.hauler.cattle.io/v1", "kind": kind, "metadata": {"name": f"aicr-{bill.name}"}, "spec": spec}
