"""A bill of materials for a person: a table, plain data, and the page of the reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.compose.wording import plural
from bundler.kube.image import Image
from bundler.report.table import table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.bom.bill import Bill, BilledImage
    from bundler.model.document import JsonObject

__all__ = ["bill_data", "bill_page", "bill_table"]

_SHORT = len("sha256:") + 12
"""As much of a digest as tells it from others at a glance; every other format has it whole."""


def bill_table(bill: Bill) -> str:
    """Every image with how it is named and by what, then every chart."""
    images = [
        (str(image.pinning), (image.at or image.image).partition("@")[0], image.digest[:_SHORT], ", ".join(image.owners))
        for image in bill.images
    ]
    charts = [(chart.component, chart.version, f"{chart.repository} {chart.chart}") for chart in bill.charts]
    parts = [table(("class", "image", "digest", "named by"), images)]
    if charts:
        parts.append(table(("component", "version", "chart"), charts))
    return "\n".join(parts)


def bill_data(bill: Bill) -> JsonObject:
    """The bill as plain data."""
    return {
        "name": bill.name,
        "images": [_image(image) for image in bill.images],
        "charts": [
            {
                "component": chart.component,
                "repository": chart.repository,
                "chart": chart.chart,
                "version": chart.version,
                "images": "known" if chart.complete else "unknown",
            }
            for chart in bill.charts
        ],
    }


def bill_page(bill: Bill) -> Iterator[str]:
    """The lines of `docs/reference/images.md`."""
    registries = sorted({_registry(image) for image in bill.images} - {""})
    yield "# Images"
    yield ""
    yield "Every image that a bundle of the catalogue pulls, with any choice, release and chart version; `aicr bom RECIPE` lists"
    yield "those of one recipe. A chart is named, not rendered: its images are declared in `bom/charts/`, and the values of a"
    yield "recipe decide which of them are pulled. `aicr bom --check` tells whether this page is current."
    yield ""
    sources = plural(len(registries), "registry", "registries")
    yield f"{plural(len(bill.images), 'image')} from {sources}: {', '.join(f'`{name}`' for name in registries)}."
    yield ""
    yield "| class | means |"
    yield "| --- | --- |"
    yield "| pinned | the reference holds the digest |"
    yield "| by tag | pulled by a tag, whose digest is published |"
    yield "| tag only | pulled by a tag, and no digest is published |"
    yield "| preloaded | the node brings it; it is in no registry |"
    yield ""
    yield "| image | class | digest | named by |"
    yield "| --- | --- | --- | --- |"
    for image in bill.images:
        written = image.image.partition("@")[0]
        note = f" ({image.completed})" if image.completed else ""
        digest = f"`{image.digest}`" if image.digest else ""
        yield f"| `{written}`{note} | {image.pinning} | {digest} | {', '.join(image.owners)} |"
    yield ""
    yield "## Charts"
    yield ""
    yield "| component | version | repository | chart |"
    yield "| --- | --- | --- | --- |"
    for chart in bill.charts:
        yield f"| {chart.component} | {chart.version} | `{chart.repository}` | {chart.chart} |"


def _image(image: BilledImage) -> JsonObject:
    data: JsonObject = {"image": image.image, "class": str(image.pinning)}
    optional = {"digest": image.digest, "completed": image.completed, "at": image.at}
    return data | {key: value for key, value in optional.items() if value} | {"owners": list(image.owners)}


def _registry(image: BilledImage) -> str:
    return Image.parse(image.image).registry if str(image.pinning) != "preloaded" else ""
