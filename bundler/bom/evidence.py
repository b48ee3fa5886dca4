"""What a measurement on this bundle proves, decided by the recipe alone and never by what a cluster happens to hold.

Classes and predicates are those of NVIDIA/aicr issue 2297 (`runtimeSource`, `trainerDelivered`, `fabricRuntimeDelivered`).
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from bundler.model.pointer import join
from bundler.render.render import RUNTIME_OWNER

if TYPE_CHECKING:
    from bundler.model.composition import Composition, Runtime
    from bundler.model.document import JsonObject

__all__ = ["PROVES", "EvidenceClass", "evidence_class", "trainer"]


class EvidenceClass(StrEnum):
    """What a bandwidth measured for a runtime is evidence of."""

    DELIVERED = "delivered-artifact"
    """The runtime is attached to a fabric and delivered with its controller: the number is the product's."""
    SUPPLIED = "recipe-supplied-runtime"
    """The recipe names the runtime itself and owns its wiring."""
    CAPABILITY = "cluster-capability"
    """The runtime is attached to no fabric: only a fixture can measure one, which says what the cluster can do."""


PROVES = {
    EvidenceClass.DELIVERED: "what is measured on it is what this bundle delivers",
    EvidenceClass.SUPPLIED: "what is measured on it is wiring that the recipe itself supplies",
    EvidenceClass.CAPABILITY: "it attaches to no fabric, so a measurement by other means says only what the cluster can do",
}
"""What a class means, as the rest of a sentence."""


def evidence_class(runtime: Runtime, composition: Composition) -> EvidenceClass:
    """The class of one runtime.

    A profile value that states what proves its fabric attaches the runtime it brings. Without the controller in the bundle
    nothing delivered can be measured.
    """
    selection = composition.selection(runtime.axis) if runtime.axis else None
    if selection is not None and _is_proved(selection.declaration) and _delivers_trainer(composition):
        return EvidenceClass.DELIVERED
    assigned = composition.trace.of(join(("runtimes", runtime.name)))
    if any(assignment.action == "add" and assignment.layer.startswith("recipe ") for assignment in assigned):
        return EvidenceClass.SUPPLIED
    return EvidenceClass.CAPABILITY


def _is_proved(declaration: JsonObject) -> bool:
    """Whether a value says how logs show its fabric: by a transport, or by what its floor is over where no NIC carries the data."""
    return "transport" in declaration or "over" in declaration.get("floor", {})


def trainer(composition: Composition) -> JsonObject:
    """Whether the bundle delivers the controller of its runtimes, and what a validator does when the cluster has one or has none.

    A delivered controller that is missing is a failure: to install another over it would hide that the delivery is broken.
    """
    delivered = _delivers_trainer(composition)
    return {"delivered": delivered, "present": "reuse", "missing": "fail" if delivered else "install"}


def _delivers_trainer(composition: Composition) -> bool:
    component = composition.component(RUNTIME_OWNER)
    return component is not None and component.chart is not None
