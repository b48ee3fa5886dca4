"""A composition for a person or a program: what a recipe comes to once its layers are applied and its profiles are chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.report.printable import printable
from bundler.report.table import table

if TYPE_CHECKING:
    from bundler.model.composition import Component, Composition, Selection
    from bundler.model.document import JsonObject
    from bundler.model.request import Scheduling

__all__ = ["composition_data", "composition_text"]


def composition_data(composition: Composition) -> JsonObject:
    """The composition as plain data; components in deployment order."""
    return {
        "recipe": composition.recipe,
        "criteria": composition.criteria.stated(),
        "layers": [{"label": layer.label, "file": layer.file, "digest": layer.digest} for layer in composition.layers],
        "profiles": {selection.axis: _selection(selection) for selection in composition.selections},
        "constraints": {constraint.name: constraint.value for constraint in composition.constraints},
        "components": {component.name: _component(component) for component in composition.components},
        "runtimes": [runtime.name for runtime in composition.runtimes],
        "accelerated": _scheduling(composition.accelerated),
        "system": _scheduling(composition.system),
    }


def composition_text(composition: Composition) -> str:
    """The composition as tables, without the components' values."""
    criteria = " ".join(f"{name}={value}" for name, value in composition.criteria.stated().items())
    parts = [f"{printable(composition.recipe)}\n{printable(criteria)}\n"]
    parts.append(table(("layer", "file"), [(layer.label, layer.file) for layer in composition.layers]))
    if composition.selections:
        chosen = [(item.axis, item.value, ", ".join(item.parameters)) for item in composition.selections]
        parts.append(table(("profile", "value", "parameters"), chosen))
    components = [
        (item.name, item.version, item.namespace, _chart(item), ", ".join(item.dependencies)) for item in composition.components
    ]
    parts.append(table(("component", "version", "namespace", "chart", "after"), components))
    parts.append(table(("runtime", "profile"), [(runtime.name, runtime.axis) for runtime in composition.runtimes]))
    if composition.constraints:
        parts.append(table(("constraint", "value"), [(item.name, item.value) for item in composition.constraints]))
    return "\n".join(parts)


def _selection(selection: Selection) -> JsonObject:
    return {
        "value": selection.value,
        "parameters": dict(selection.parameters),
        "releases": dict(selection.releases),
        "owned": list(selection.owned),
    }


def _component(component: Component) -> JsonObject:
    chart = component.chart
    return {
        "version": component.version,
        "namespace": component.namespace,
        "chart": None if chart is None else {"repository": chart.repository, "name": chart.name, "version": chart.version},
        "dependencies": list(component.dependencies),
        "manifests": list(component.manifests),
        "values": component.values,
    }


def _scheduling(scheduling: Scheduling) -> dict[str, Any]:
    return {"nodeSelector": dict(scheduling.node_selector), "tolerations": list(scheduling.tolerations)}


def _chart(component: Component) -> str:
    return f"{component.chart.repository}/{component.chart.name}" if component.chart else "manifests"
