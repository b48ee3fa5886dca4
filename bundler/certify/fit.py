"""What a composition says of its nodes to a certification: platform, architecture, options, and the tests that measure its fabric.

Which service is on which platform stands in the table of platforms; what a profile value fits, and which tests the controller wires
as the value's runtime is wired, stands with the value.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from bundler.certify.site import Site
from bundler.conform.attachment import possible_machines, selected
from bundler.conform.context import Facts
from bundler.dataclass import dataclass
from bundler.detect.gpus import architecture_of
from bundler.detect.platforms import platform_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bundler.catalog.catalog import Catalog
    from bundler.certify.entries import Entry
    from bundler.model.composition import Composition, Selection
    from bundler.model.document import JsonObject
    from bundler.model.request import Request

__all__ = ["Fit", "fit_of"]

_NOTHING = "the recipe attaches pods to no fabric that a test could measure"
_MACHINE = "machine."


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """What a certification of one composition has to fit.

    Attributes:
        site: what the controller would detect on the nodes.
        options: of a Certification, as the selected fabric has them.
        selection: the value that attaches pods to the fabric; None when the recipe has no such choice.
        machines: names of the machines that the nodes may be.
    """

    site: Site
    options: Mapping[str, Any]
    selection: Selection | None
    criteria: Mapping[str, str] = field(default_factory=dict)
    machines: frozenset[str] = frozenset()

    @property
    def chosen(self) -> str:
        """`axis=value`, as messages show it."""
        return f"{self.selection.axis}={self.selection.value}" if self.selection is not None else "the recipe"

    @property
    def declared(self) -> JsonObject:
        """What the value declares of certification."""
        return _declared(self.selection)

    def refusal(self, entry: Entry) -> str:
        """Why a test does not fit; empty when it does."""
        if not entry.attached or any(self._concerns(claim, entry) for claim in self.declared.get("tests", ())):
            return ""
        return str(self.declared.get("otherwise", _NOTHING)).removesuffix(".")

    def _concerns(self, claim: JsonObject, entry: Entry) -> bool:
        """Whether a claim is about a test, here."""
        where = claim.get("where", {})
        listed = where.get("machineTypes")
        return (
            bool({entry.domain, entry.key} & set(claim["entries"]))
            and all(self.criteria.get(name) in accepted for name, accepted in where.get("criteria", {}).items())
            and (listed is None or (bool(self.machines) and self.machines <= set(listed)))
        )


def fit_of(catalog: Catalog, composition: Composition, request: Request) -> Fit:
    """What a certification of a composition has to fit.

    Args:
        catalog: tables of machines and platforms.
        composition: what was selected.
        request: may state the machine type.
    """
    facts = catalog.derived(Facts.of)
    selection = next((one for one in composition.selections if "certification" in one.declaration), None)
    rows = possible_machines(selection, composition, facts) if selection is not None else []
    known = facts.machines(composition.criteria.service)
    rows = rows or ([known[request.machine_type]] if request.machine_type in known else [])
    places = {"gpusPerNode": "machine.gpus", **_declared(selection).get("options", {})}
    found = {option: _value(place, selection, rows) for option, place in places.items()}
    site = {name: _value(place, selection, rows) for name, place in _declared(selection).get("site", {}).items()}
    networks = site.get("networks")
    return Fit(
        site=Site(
            platform=platform_of(catalog, composition.criteria.service or ""),
            architecture=architecture_of(composition.criteria.accelerator or ""),
            plugin=site.get("plugin"),
            networks=tuple(networks.values()) if networks else None,
        ),
        options={option: value for option, value in found.items() if value is not None},
        selection=selection,
        criteria=composition.criteria.stated(),
        machines=frozenset(row["name"] for row in rows),
    )


def _declared(selection: Selection | None) -> JsonObject:
    return selection.declaration.get("certification", {}) if selection is not None else {}


def _value(place: str, selection: Selection | None, rows: list[JsonObject]) -> Any:
    """What stands at a place; of a machine only what all that the nodes may be have alike."""
    if place.startswith(_MACHINE):
        found = {row.get(place.removeprefix(_MACHINE)) for row in rows}
        return found.pop() if len(found) == 1 else None
    return selected(selection, place) if selection is not None else None
