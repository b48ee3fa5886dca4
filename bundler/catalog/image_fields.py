"""Which fields name images, as declared in `bom/image-fields.yaml`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.kube.references import Declared, words

if TYPE_CHECKING:
    from bundler.catalog.catalog import Catalog

__all__ = ["image_fields"]


def image_fields(catalog: Catalog) -> Declared:
    """The declarations of the packaged data and of `--data`, united."""
    fields = catalog.store.united("bom/image-fields.yaml", kind="ImageFields").data["fields"]

    def holding(what: str) -> frozenset[str]:
        return frozenset(" ".join(words(field["name"])) for field in fields if field["holds"] == what)

    return Declared(plain=holding("nothing"), named=holding("reference"))
