"""The digest of a projection: equal for two sides exactly when they wire a pod alike, whatever else they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.errors import InvalidInput
from bundler.guard.contract import Order, Owner, Reads
from bundler.guard.projection import Shape
from bundler.kube.image import Image
from bundler.kube.quantity import Quantity
from bundler.model.digest import canonical_digest
from bundler.yamlio.writer import to_json

if TYPE_CHECKING:
    from bundler.guard.projection import Node, Projection

__all__ = ["projection_digest"]


def projection_digest(projection: Projection) -> str:
    """The digest of the fields of the fabric, each in its one form: amounts by value, images by digest, free lists sorted."""
    return canonical_digest(_form(projection.root))


def _form(node: Node) -> Any:
    line = node.cursor.line
    match node.shape:
        case Shape.MAP | Shape.NAMED:
            entries = {key: form for key, inner in node.children.items() if (form := _form(inner)) is not None}
            if line is None or line.owner is Owner.BENCHMARK:
                return entries or None  # a map around what is classified, or what is the benchmark's but for some of it
            fixed = node.shape is Shape.NAMED and line.order is Order.FIXED
            return {"entries": entries, "order": list(entries)} if fixed else entries
        case Shape.LIST:
            free = line is not None and line.order is Order.FREE
            return sorted(node.value, key=to_json) if free else list(node.value)
        case Shape.SCALAR:
            return _scalar(node.value, node.cursor.reads)


def _scalar(value: Any, reads: Reads) -> Any:
    try:
        if reads is Reads.QUANTITY and not isinstance(value, bool):
            return str(Quantity.parse(value).value.normalize())
        if reads is Reads.IMAGE and isinstance(value, str):
            image = Image.parse(value)
            return f"{image.repository}@{image.digest}" if image.digest else value
    except InvalidInput:
        pass
    return value
