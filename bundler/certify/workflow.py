"""A Workflow with its overrides resolved for one platform and GPU architecture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.certify.certification import Rendering
from bundler.certify.conditions import never_holding
from bundler.certify.gang import disagreeing
from bundler.certify.overrides import apply, situation_of
from bundler.certify.remarks import of_one_site
from bundler.certify.rendering import detected, printed
from bundler.certify.served import judged
from bundler.certify.transforms import resolved_gang, with_labels
from bundler.certify.wiped import wiped_patches
from bundler.errors import InvalidInput

if TYPE_CHECKING:
    from bundler.catalog.catalog import Catalog
    from bundler.model.document import Document

__all__ = ["render_workflow"]


def render_workflow(catalog: Catalog, document: Document, *, platform: str, architecture: str) -> Rendering:
    """The Workflow as its controller would run it. Its metadata stays, with what was detected and what applied.

    Args:
        catalog: has the shapes of what it brings.
        document: the Workflow, valid by its schema.
        platform: of the nodes.
        architecture: of their GPUs.

    Raises:
        InvalidInput: an override cannot be used, or the result breaks a rule.
    """
    spec = document.data["spec"]
    overrides = [(index, one, document.locate(f"/spec/overrides/{index}")) for index, one in enumerate(spec.get("overrides", ()))]
    result, applied = apply(spec, overrides, situation_of(spec, platform=platform, architecture=architecture))
    if faults := judged(catalog, result, subject=f"Workflow/{document.name}", location=document.locate("/spec")):
        raise InvalidInput.of(faults)
    if (gang := resolved_gang(result.get("gangScheduler"))) is not None:
        at = document.locate("/spec/gangScheduler")
        if otherwise := list(disagreeing(result, gang, subject=f"Workflow/{document.name}", location=at)):
            raise InvalidInput.of(otherwise)
        result = with_labels(result, {}, gang, location=at)
    metadata = document.data["metadata"]
    said = {**metadata.get("annotations", {}), **detected({"platform": platform, "gpuArchitecture": architecture}, applied)}
    workflow = {**document.data, "metadata": {**metadata, "annotations": said}, "spec": printed(result)}
    notes = (*never_holding(catalog, overrides), *wiped_patches(overrides), *of_one_site(platform, document))
    return Rendering(workflows=(workflow,), notes=notes)
