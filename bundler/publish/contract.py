"""What a runtime asks of the jobs that run on it, read off the runtime itself: for the bundle's README."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.conform.attachment import NODE, possible_machines
from bundler.conform.claims import made_templates, templates
from bundler.conform.context import Facts
from bundler.conform.pods import pod_templates, select
from bundler.kube.quantity import Quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bundler.catalog.catalog import Catalog
    from bundler.kube.resource import Resource
    from bundler.model.composition import Composition, Selection
    from bundler.model.document import JsonObject
    from bundler.model.request import Request

__all__ = ["contract", "machine_types", "measurement", "train_job"]

GPU = "nvidia.com/gpu"


def contract(
    runtime: Resource, composition: Composition | None, objects: Sequence[tuple[str, Resource]], catalog: Catalog
) -> JsonObject:
    """What the README says of one runtime, as plain data.

    Args:
        runtime: a ClusterTrainingRuntime or a TrainingRuntime.
        composition: what was rendered; without it nothing is said of choices and machines.
        objects: path of each object's file, and the object.
        catalog: where the machine tables are.
    """
    selection = _selection(runtime, composition) if composition is not None else None
    asked = _asked(runtime)
    machines = _machines(selection, composition, catalog)
    whole = bool(machines) and GPU in asked and all(_is(asked[GPU], machine["gpus"]) for machine in machines)
    return {
        "name": runtime.name,
        "namespace": runtime.namespace or "",
        "scope": f"{runtime.kind} for jobs in the namespace `{runtime.namespace}`" if runtime.namespace else runtime.kind,
        "choice": f", shipped by `{selection.axis}={selection.value}`" if selection is not None else "",
        "nodes": (runtime.data.get("spec", {}).get("mlPolicy") or {}).get("numNodes", 1),
        "resources": ", ".join(f"{name}: {quantity}" for name, quantity in sorted(asked.items())),
        "whole": whole,
        "claims": list(_claims(runtime, objects)),
    }


def machine_types(composition: Composition, request: Request) -> list[str]:
    """The machine types that every choice fits: the one that was stated or chosen, else those that the chosen values list."""
    if request.machine_type is not None:
        return [request.machine_type]
    fit: list[set[str]] = []
    for selection in composition.selections:
        listed = selection.declaration.get("appliesTo", {}).get("machineTypes", ())
        if chosen := [selection.machine["name"]] if selection.machine else list(listed):
            fit.append(set(chosen))
    return sorted(set.intersection(*fit)) if fit else []


def measurement(fixture: Resource, composition: Composition) -> JsonObject:
    """What the README says of one fixture, as plain data: which runtimes it measures, and what is expected of them."""
    axes = {each.axis for each in composition.fixtures if each.name == fixture.name}
    selections = [selection for selection in composition.selections if selection.axis in axes]
    floors = [selection.declaration["floor"] for selection in selections if "floor" in selection.declaration]
    return {
        "name": fixture.name,
        "namespace": fixture.namespace,
        "runtimes": ", ".join(f"`{each.name}`" for each in composition.runtimes if each.axis in axes),
        "floor": "; ".join(f"{floor['metric']} of at least {floor['gbps']} GB/s ({floor['collective']})" for floor in floors),
    }


def train_job(runtime: Resource) -> JsonObject:
    """The smallest job on a runtime. Without a kind the reference means a ClusterTrainingRuntime."""
    reference = {"name": runtime.name} if not runtime.namespace else {"kind": runtime.kind, "name": runtime.name}
    metadata = {"name": "example", "namespace": runtime.namespace or "default"}
    spec = {"runtimeRef": reference, "trainer": {}}
    return {"apiVersion": runtime.api_version, "kind": "TrainJob", "metadata": metadata, "spec": spec}


def _selection(runtime: Resource, composition: Composition) -> Selection | None:
    """The choice that ships a runtime, or None."""
    shipped = next((each for each in composition.runtimes if each.name == runtime.name), None)
    return composition.selection(shipped.axis) if shipped is not None else None


def _machines(selection: Selection | None, composition: Composition | None, catalog: Catalog) -> list[JsonObject]:
    if selection is None or composition is None:
        return []
    return possible_machines(selection, composition, catalog.derived(Facts.of))


def _asked(runtime: Resource) -> dict[str, Any]:
    """What the training container asks for by itself; empty when that is left to each job."""
    for template in pod_templates(runtime):
        container = template.container(NODE) if template.step == "trainer" else None
        if container is not None:
            resources = container.data.get("resources") or {}
            return dict(resources.get("limits") or resources.get("requests") or {})
    return {}


def _claims(runtime: Resource, objects: Sequence[tuple[str, Resource]]) -> Iterator[dict[str, str]]:
    """The claims of the pods, each with its template and the file of the bundle that makes the template."""
    made = {
        name: path for path, resource in objects if resource.namespace == runtime.namespace for name in made_templates(resource)
    }
    referred = dict(templates(runtime))
    for template in pod_templates(runtime):
        for pointer, claim in select(template.spec, "resourceClaims/*", f"{template.pointer}/spec"):
            name = referred.get(f"{pointer}/resourceClaimTemplateName", "")
            yield {"name": claim["name"], "template": name, "path": made.get(name, "")}


def _is(written: Any, count: int) -> bool:
    return Quantity.parse(written) == Quantity.parse(count)
