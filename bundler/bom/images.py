"""The images of a bundle: each reference as published, what it resolves to, where it stands, and where it is pulled from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.bom.relocation import relocated
from bundler.kube.references import Form, references_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bundler.bom.chart_images import ChartImage
    from bundler.bom.known import Known
    from bundler.kube.references import Declared
    from bundler.kube.resource import Resource
    from bundler.model.document import JsonObject
    from bundler.model.relocation import Relocation

__all__ = ["locked_images"]


def locked_images(
    objects: Iterable[tuple[str, Resource]],
    charts: Iterable[ChartImage],
    *,
    declared: Declared,
    known: Known,
    relocation: Relocation | None = None,
) -> list[JsonObject]:
    """The `images` of a lock, sorted by reference.

    A relocation adds from where an image is pulled and changes nothing else, so that it never invalidates what is locked.

    Args:
        objects: path of each object's file, and the object as published.
        charts: images of charts.
        declared: which fields name images.
        known: what is known of images beyond how they are written.
        relocation: the mirror, if there is one.
    """
    owners: dict[str, list[JsonObject]] = {}
    completed: dict[str, str] = {}
    for path, resource in objects:
        for reference in resource.derived(references_of, declared):
            # What is not understood stops a bundle in conformance, and is no image here.
            if reference.form is not Form.UNKNOWN:
                owner = {"file": path, "pointer": reference.pointer, "object": resource.subject}
                owners.setdefault(reference.text, []).append(owner)
                completed[reference.text] = known.entry(reference.text).get("completed", "")
    for chart in charts:
        owners.setdefault(str(chart.image), []).append({"component": chart.component, "name": chart.name})
        completed[str(chart.image)] = chart.completed
    return [
        {
            "image": text,
            "digest": known.digest(text),
            **({"completed": completed[text]} if completed[text] else {}),
            **({"at": at} if (at := relocated(text, relocation, known)) != text else {}),
            "owners": sorted(owners[text], key=lambda owner: [*owner.values()]),
        }
        for text in sorted(owners)
    ]
