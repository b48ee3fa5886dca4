"""The variables of a template, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bundler.model.composition import Component, Composition, Selection
    from bundler.model.request import Scheduling

__all__ = ["component_context", "context"]


def context(composition: Composition) -> dict[str, Any]:
    """What every template of a composition sees."""
    return {
        "criteria": composition.criteria.stated(),
        "profiles": {selection.axis: _selection(selection) for selection in composition.selections},
        "accelerated": _scheduling(composition.accelerated),
        "system": _scheduling(composition.system),
    }


def component_context(composition: Composition, component: Component) -> dict[str, Any]:
    """What the templates of a component see: the above, the component and its composed values."""
    return context(composition) | {
        "component": {"name": component.name, "version": component.version, "namespace": component.namespace},
        "values": component.values,
    }


def _selection(selection: Selection) -> dict[str, Any]:
    """A selection. It has `release`, `table` and `machine` only where the value has one: no template can take one for granted."""
    plain: dict[str, Any] = {
        "value": selection.value,
        "parameters": dict(selection.parameters),
        "releases": dict(selection.releases),
    }
    if "release" in selection.releases:
        plain["release"] = selection.releases["release"]
    rows = {"table": selection.table, "machine": selection.machine}
    return plain | {name: row for name, row in rows.items() if row}


def _scheduling(scheduling: Scheduling) -> dict[str, Any]:
    return {"nodeSelector": dict(scheduling.node_selector), "tolerations": list(scheduling.tolerations)}
