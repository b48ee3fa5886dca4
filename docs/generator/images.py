"""The page of images, made from every bundle of the catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.audit import every_bundle
from bundler.catalog.catalog import Catalog
from bundler.report.bom import bill_page

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["images"]


def images() -> Iterator[str]:
    """The page `images.md`, which `aicr bom --check` compares."""
    return bill_page(every_bundle.bill(Catalog.load()))
