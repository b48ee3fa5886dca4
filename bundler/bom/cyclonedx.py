"""The bill of materials as CycloneDX 1.6 JSON (cyclonedx.org/docs/1.6/json), by the library of that project.

It holds no time, and its serial number is made of its content, so that equal bills are equal bytes. The library is the extra
`aicr[bom]` (docs/adr/0012) and is imported here and nowhere else.
"""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, Any

from bundler.errors import Unavailable
from bundler.kube.image import Image
from bundler.model.digest import canonical_digest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bundler.bom.bill import Bill, BilledChart, BilledImage

__all__ = ["cyclonedx"]

_NAMESPACE = uuid.UUID("6f2b2f0e-8a55-5d0c-9d3b-0e2f6b1d7c42")
"""Of the serial numbers, as RFC 9562 wants one for names that belong to nobody's registry."""


def cyclonedx(bill: Bill) -> str:
    """The document.

    Raises:
        Unavailable: the library is not installed.
    """
    try:
        from cyclonedx.model.bom import Bom, BomMetaData  # noqa: PLC0415  (an extra, and slow to import)
        from cyclonedx.model.component import Component, ComponentType  # noqa: PLC0415  (the same)
        from cyclonedx.output.json import JsonV1Dot6  # noqa: PLC0415  (the same)
    except ImportError:
        message = "CycloneDX is written by cyclonedx-python-lib, which is not installed"
        raise Unavailable("AICR-I020", message, fix="pip install 'aicr[bom]'") from None
    subject = Component(name=bill.name, type=ComponentType.APPLICATION, bom_ref=f"aicr:{bill.name}")
    charts = {chart.owner: Component(**_chart(chart)) for chart in bill.charts}
    images = {image.image: Component(**_image(image)) for image in bill.images}
    bom = Bom(components=[*charts.values(), *images.values()], metadata=BomMetaData(component=subject))
    bom.register_dependency(subject, [*charts.values(), *images.values()])
    for owner, chart in charts.items():
        bom.register_dependency(chart, [images[image.image] for image in bill.images if owner in image.owners])
    document = json.loads(JsonV1Dot6(bom).output_as_string())
    del document["metadata"]["timestamp"], document["serialNumber"]
    document["serialNumber"] = f"urn:uuid:{uuid.uuid5(_NAMESPACE, canonical_digest(document))}"
    return json.dumps(document, indent=2, sort_keys=True) + "\n"


def _chart(chart: BilledChart) -> dict[str, Any]:
    from cyclonedx.model.component import ComponentType  # noqa: PLC0415  (an extra)
    from packageurl import PackageURL  # noqa: PLC0415  (of the same extra)

    qualifiers = {"repository_url": chart.repository}
    return {
        "name": chart.chart,
        "version": chart.version,
        "type": ComponentType.APPLICATION,
        "bom_ref": f"chart:{chart.component}@{chart.version}",
        "purl": PackageURL(type="helm", name=chart.chart, version=chart.version, qualifiers=qualifiers),
        "properties": _properties({"component": [chart.component], "images": [] if chart.complete else ["unknown"]}),
    }


def _image(image: BilledImage) -> dict[str, Any]:
    """An image as purl type `oci` names it: by digest, with repository and tag as qualifiers (github.com/package-url/purl-spec)."""
    from cyclonedx.model.component import ComponentType  # noqa: PLC0415  (an extra)
    from packageurl import PackageURL  # noqa: PLC0415  (of the same extra)

    parsed = Image.parse(image.image)
    name = parsed.repository.rpartition("/")[2]
    qualifiers = {"repository_url": parsed.name, **({"tag": parsed.tag} if parsed.tag else {})}
    return {
        "name": parsed.name,
        "version": image.digest or parsed.tag or "",
        "type": ComponentType.CONTAINER,
        "bom_ref": image.image,
        "purl": PackageURL(type="oci", name=name, version=image.digest or None, qualifiers=qualifiers),
        "properties": _properties(
            {
                "pinning": [str(image.pinning)],
                "completed": [image.completed] if image.completed else [],
                "at": [image.at] if image.at else [],
                "owner": image.owners,
            }
        ),
    }


def _properties(values: dict[str, Iterable[str]]) -> list[Any]:
    from cyclonedx.model import Property  # noqa: PLC0415  (an extra)

    return [Property(name=f"aicr:{name}", value=value) for name, every in values.items() for value in every]
