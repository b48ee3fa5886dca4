"""The certification catalogue: every template of every entry rendered once, and patches that a later override undoes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.certify import rendering, tcpxo
from bundler.certify.conditions import never_holding
from bundler.certify.entries import entries, overlays
from bundler.certify.options import resolved
from bundler.certify.wiped import wiped_patches
from bundler.detect.gke_networks import DEFAULTS
from bundler.detect.gpus import Gpus
from bundler.detect.platforms import FALLBACK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.catalog.catalog import Catalog
    from bundler.model.finding import Finding

__all__ = ["check_certification"]


def check_certification(catalog: Catalog) -> Iterator[Finding]:
    """What is wrong with the overrides of each entry, taken in their order.

    Raises:
        InvalidInput: a template cannot be rendered.
    """
    gpus = catalog.derived(Gpus.of)
    choice = tcpxo.choose_row(catalog)
    for entry in entries(catalog).values():
        options = resolved(entry, {}, gpus=gpus, platform=FALLBACK, architecture=next(iter(gpus.architectures)))
        options |= {"target": {}, "tcpxo": tcpxo.variables(catalog, choice.row, DEFAULTS)}
        rendering.base(catalog, entry, options)
        concerned = [overlay for overlay in overlays(catalog) if overlay.concerns(entry, options)]
        stated = rendering.every_override(catalog, entry, options)
        located = [
            (index, override, overlay.document.locate("/template"))
            for index, (override, overlay) in enumerate(zip(stated, concerned, strict=True))
        ]
        yield from wiped_patches(located)
    placed = [(overlay.order, {"when": overlay.when}, overlay.document.locate("/when")) for overlay in overlays(catalog)]
    yield from never_holding(catalog, placed)
