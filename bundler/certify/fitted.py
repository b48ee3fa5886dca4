"""A Certification fitted to a composition: what the fabric decides is stated, and what a user stated stands.

A stated value that contradicts the fabric is a finding and never replaced: one of the two is wrong, and only the user knows which.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.certify.api import API_VERSION
from bundler.certify.options import resolved
from bundler.certify.parallelism import check_parallelism
from bundler.detect.gpus import PRODUCT, Gpus, architecture_of
from bundler.model.document import Document
from bundler.model.finding import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bundler.catalog.catalog import Catalog
    from bundler.certify.entries import Entry
    from bundler.certify.fit import Fit
    from bundler.model.composition import Composition
    from bundler.model.document import JsonObject

__all__ = ["contradictions", "made", "nodes_for", "untolerated", "with_images", "with_options"]

_NAME = "nodes"
_NODES = 2
"""Nodes of a job where one would not leave the node: as many as the runtimes have unless a job says otherwise."""

_MOST = 64
_GPU_NODES = {"nvidia.com/gpu.present": "true"}


def made(catalog: Catalog, composition: Composition, fit: Fit, entries: Iterable[Entry]) -> Document:
    """The Certification of the tests that fit, none of which a user stated.

    Args:
        catalog: node shapes.
        composition: says on which nodes pods that use GPUs run.
        fit: what it has to fit.
        entries: its tests.
    """
    categories = []
    for entry in entries:
        nodes = nodes_for(catalog, entry, fit)
        stated: JsonObject = {"options": {"nodesPerJob": nodes}} if nodes != _NODES else {}
        categories.append({"domain": entry.domain, "variant": entry.variant, **stated})
    data: JsonObject = {
        "apiVersion": API_VERSION,
        "kind": "Certification",
        "metadata": {"name": _NAME},
        "spec": {
            "target": {"nodeSelector": {**_GPU_NODES, **composition.accelerated.node_selector}},
            "nodesPerJob": _NODES,
            "categories": categories,
        },
    }
    return with_options(Document(file="--certification default", data=data, positions={}), fit)


def nodes_for(catalog: Catalog, entry: Entry, fit: Fit) -> int | None:
    """Nodes of a job of a test: one where it stays in a node, else the fewest of several that hold it; None when none do."""
    if entry.one_node:
        return 1
    for count in range(_NODES, _MOST + 1):
        options = resolved(
            entry,
            {**fit.options, "nodesPerJob": count},
            gpus=catalog.derived(Gpus.of),
            platform=fit.site.platform or "",
            architecture=fit.site.architecture or "",
        )
        if not any(check_parallelism(entry, options)):
            return count
    return None


def with_options(document: Document, fit: Fit) -> Document:
    """The Certification with each option of the fabric that it does not state."""
    spec = document.data["spec"]
    return _with_spec(document, {**spec, **{name: value for name, value in fit.options.items() if name not in spec}})


def with_images(document: Document, images: Iterable[str]) -> Document:
    """The Certification with an image in each category that has none; an empty one states none.

    Args:
        document: fitted.
        images: of the categories, in their order.
    """
    spec = document.data["spec"]
    categories = [
        {**category, "options": {**category.get("options", {}), "image": image}}
        if image and not category.get("options", {}).get("image") and not spec.get("image")
        else category
        for category, image in zip(spec["categories"], images, strict=True)
    ]
    return _with_spec(document, {**spec, "categories": categories})


def contradictions(document: Document, fit: Fit) -> Iterator[Finding]:
    """Where a Certification states otherwise than the fabric is."""
    spec = document.data["spec"]
    places = [("/spec", spec)]
    places += [(f"/spec/categories/{index}/options", one.get("options", {})) for index, one in enumerate(spec["categories"])]
    for at, stated in places:
        for name, value in fit.options.items():
            if name in stated and stated[name] != value:
                where = f"{fit.chosen} has {_shown(value)}"
                yield _contradiction(document, f"{at}/{name}", f"{name} is {_shown(stated[name])}, and {where}", f"write {value}")
    product = spec["target"].get("nodeSelector", {}).get(PRODUCT, "")
    if product and architecture_of(product) != fit.site.architecture:
        message = f"the target has {product}, and the recipe is for {fit.criteria.get('accelerator')}"
        at = f"/spec/target/nodeSelector/{PRODUCT.replace('/', '~1')}"
        yield _contradiction(document, at, message, "name a product of the recipe's accelerator, or choose another recipe")


def untolerated(document: Document, composition: Composition) -> Iterator[Finding]:
    """Taints that pods of the bundle tolerate, and the test's pods do not: the controller makes tolerations of the target alone."""
    selected = {one["key"] for one in document.data["spec"]["target"].get("taintSelectors", ())}
    for toleration in composition.accelerated.tolerations:
        if (key := toleration.get("key")) and key not in selected:
            yield Finding(
                rule="AICR-R026",
                message=f"the pods of the tests do not tolerate the taint {key}, which those of the bundle do",
                severity=Severity.WARNING,
                location=document.locate("/spec/target"),
                pointer="/spec/target",
                fix="if the nodes have the taint, give a Certification with it in spec.target.taintSelectors",
            )


def _contradiction(document: Document, at: str, message: str, fix: str) -> Finding:
    return Finding(rule="AICR-R024", message=message, location=document.locate(at), pointer=at, fix=fix)


def _with_spec(document: Document, spec: JsonObject) -> Document:
    return Document(file=document.file, data={**document.data, "spec": spec}, positions=document.positions, digest=document.digest)


def _shown(value: Any) -> str:
    return repr(value) if isinstance(value, str) else str(value)
