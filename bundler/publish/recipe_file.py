"""A bundle's `recipe.yaml`: the request with every choice resolved, written down so that it reproduces the bundle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.bom.relocation import read_relocation, write_relocation
from bundler.model.criteria import Criteria
from bundler.model.digest import canonical_digest
from bundler.model.document import Document
from bundler.model.observation import Observation
from bundler.model.pointer import join, resolve, tokens
from bundler.model.request import PLAIN, Delivery, InstallTime, Override, Request, Scheduling
from bundler.publish.deployers.chosen import choose

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bundler.model.composition import Composition
    from bundler.model.document import JsonObject
    from bundler.model.location import Location
    from bundler.model.relocation import Relocation

__all__ = ["API_VERSION", "KIND", "read_request", "write_request"]

API_VERSION = "aicr.run/v2"
KIND = "BundleRecipe"

_NODE_CLASSES = ("accelerated", "system")


def write_request(composition: Composition, request: Request) -> JsonObject:
    """The document of kind BundleRecipe (schemas/bundlerecipe.json).

    What the composition resolved is written, not what was left to it: the recipe by name, all criteria, the value of every axis
    with all its parameters, overrides with their types. What was not stated and has no resolved form is left out.

    Args:
        composition: made from `request`.
        request: gives overrides, versions and placement, which have no other form, and the deployer.
    """
    document: JsonObject = {
        "apiVersion": API_VERSION,
        "kind": KIND,
        "recipe": composition.recipe,
        "criteria": composition.criteria.stated(),
        "profiles": {
            selection.axis: {"value": selection.value}
            | ({"parameters": dict(selection.parameters)} if selection.parameters else {})
            for selection in composition.selections
        },
    }
    if request.machine_type is not None:
        document["machineType"] = request.machine_type
    if request.overrides:
        document["overrides"] = [_override(override, composition) for override in request.overrides]
    parts = {
        "observed": [*_observed(request, document)],
        "versions": dict(request.versions),
        "scheduling": write_scheduling(request),
    }
    document |= {name: part for name, part in parts.items() if part}
    if request.allow_unpinned:
        document["allowUnpinned"] = True
    if request.relocation is not None:
        document["relocation"] = write_relocation(request.relocation)
    if request.delivery.deployer != PLAIN:
        chosen = choose(request)
        document["delivery"] = {"deployer": chosen.deployer.name, **chosen.settings}
    if request.install_time:
        document["installTime"] = [
            {"component": item.component, "path": list(item.path)}
            for item in sorted(request.install_time, key=lambda item: (item.component, item.path))
        ]
    return document | _embeddings(request)


def _embeddings(request: Request) -> JsonObject:
    """What came from files and not from the catalogue, whole."""
    given = {"certification": request.certification, "document": request.document}
    return {key: one.data if isinstance(one, Document) else one for key, one in given.items() if one is not None}


def _observed(request: Request, document: JsonObject) -> Iterator[JsonObject]:
    """What was observed, by its place in the document, with the digest of the value: an edited value is no observation."""
    for pointer in sorted(request.observed):
        at = _written_at(pointer)
        one = request.observed[pointer]
        yield {"at": at, "source": one.source, "nodes": one.nodes, "digest": canonical_digest(resolve(document, at))}


def _observations(data: JsonObject) -> Iterator[tuple[str, Observation]]:
    """Pointer into the request → the observation that is recorded of the value, which is still as it was."""
    for item in data.get("observed", ()):
        for pointer in _pointers(data):
            at = _written_at(pointer)
            if at == item["at"] and canonical_digest(resolve(data, at)) == item["digest"]:
                yield pointer, Observation(source=item["source"], nodes=item["nodes"])


def _pointers(data: JsonObject) -> Iterator[str]:
    """Pointers into the request of every value that can be observed."""
    yield from ("/machineType",) if "machineType" in data else ()
    yield from (join(("criteria", dimension)) for dimension in data["criteria"])
    for axis, chosen in data["profiles"].items():
        yield from (join(("parameters", axis, name)) for name in chosen.get("parameters", {}))


def _written_at(pointer: str) -> str:
    """A pointer into a request as one into its document."""
    match tokens(pointer):
        case ("parameters", axis, *rest):
            return join(("profiles", axis, "parameters", *rest))
        case _:
            return pointer


def write_scheduling(request: Request) -> JsonObject:
    """The placement that a request states, as Kubernetes writes it; what is empty is left out."""
    written: JsonObject = {}
    for nodes in _NODE_CLASSES:
        placement: Scheduling = getattr(request, nodes)
        stated = {"nodeSelector": dict(placement.node_selector), "tolerations": list(placement.tolerations)}
        if stated := {key: value for key, value in stated.items() if value}:
            written[nodes] = stated
    return written


def read_request(document: Document) -> Request:
    """The request that a bundle's `recipe.yaml` records.

    Args:
        document: of kind BundleRecipe and valid by its schema, as `Catalog.open` returns it.
    """
    data = document.data
    profiles = data["profiles"]
    recorded = _embedded(document, "document") if "document" in data else None
    return Request(
        recipe=None if recorded else data["recipe"],
        document=recorded,
        criteria=Criteria.of(data["criteria"]),
        machine_type=data.get("machineType"),
        profiles={axis: chosen["value"] for axis, chosen in profiles.items()},
        parameters={axis: chosen["parameters"] for axis, chosen in profiles.items() if "parameters" in chosen},
        overrides=tuple(
            Override(
                component=item["component"],
                path=tuple(item["path"]),
                value=item["value"],
                location=document.locate(join(("overrides", index))),
            )
            for index, item in enumerate(data.get("overrides", ()))
        ),
        versions=data.get("versions", {}),
        accelerated=_scheduling(data, "accelerated"),
        system=_scheduling(data, "system"),
        allow_unpinned=data.get("allowUnpinned", False),
        relocation=_relocation(document),
        delivery=_delivery(data),
        install_time=tuple(
            InstallTime(
                component=item["component"],
                path=tuple(item["path"]),
                location=document.locate(join(("installTime", index))),
            )
            for index, item in enumerate(data.get("installTime", ()))
        ),
        certification=_certification(document),
        origins=dict(_origins(document)),
        observed=dict(_observations(data)),
    )


def _delivery(data: Mapping[str, Any]) -> Delivery:
    stated = dict(data.get("delivery", {}))
    return Delivery(deployer=stated.pop("deployer", PLAIN), settings=stated)


def _relocation(document: Document) -> Relocation | None:
    if "relocation" not in document.data:
        return None
    return read_relocation(document.data["relocation"], lambda pointer: document.locate(f"/relocation{pointer}"))


def _override(override: Override, composition: Composition) -> JsonObject:
    value = override.value if override.raw is None else _typed(override, composition)
    return {"component": override.component, "path": list(override.path), "value": value}


def _typed(override: Override, composition: Composition) -> Any:
    """The value that composing made of the text of a `--set`: its type is the schema's to say, and the trace has the outcome."""
    for component in composition.components:
        pointer = join(("components", component.name, "values", *override.path))
        for assignment in composition.trace.assignments.get(pointer, ()):
            if assignment.location == override.location:
                return assignment.value
    raise AssertionError(f"composing left no trace of {override.component}:{'.'.join(override.path)}")


def _certification(document: Document) -> Document | str | None:
    stated = document.data.get("certification")
    return _embedded(document, "certification") if isinstance(stated, dict) else stated


def _embedded(document: Document, key: str) -> Document:
    """A document that the bundle was made from, with its places in the file it is embedded in."""
    prefix = f"/{key}"
    data = document.data[key]
    positions = {
        pointer.removeprefix(prefix): place
        for pointer, place in document.positions.items()
        if pointer == prefix or pointer.startswith(f"{prefix}/")
    }
    return Document(file=document.file, data=data, positions=positions, digest=canonical_digest(data))


def _scheduling(data: Mapping[str, Any], nodes: str) -> Scheduling:
    stated = data.get("scheduling", {}).get(nodes, {})
    return Scheduling(node_selector=stated.get("nodeSelector", {}), tolerations=tuple(stated.get("tolerations", ())))


def _origins(document: Document) -> Iterator[tuple[str, Location]]:
    """Pointer into the request → where the file states it."""
    data = document.data
    yield "/recipe", document.locate("/recipe")
    for dimension in data["criteria"]:
        yield join(("criteria", dimension)), document.locate(join(("criteria", dimension)))
    if "machineType" in data:
        yield "/machineType", document.locate("/machineType")
    for axis, chosen in data["profiles"].items():
        yield join(("profiles", axis)), document.locate(join(("profiles", axis, "value")))
        for name in chosen.get("parameters", {}):
            yield join(("parameters", axis, name)), document.locate(join(("profiles", axis, "parameters", name)))
    for name in data.get("versions", {}):
        yield join(("versions", name)), document.locate(join(("versions", name)))
    for name in data.get("delivery", {}):
        yield join(("delivery", name)), document.locate(join(("delivery", name)))
    for nodes, stated in data.get("scheduling", {}).items():
        for key in stated.get("nodeSelector", {}):
            at = (nodes, "nodeSelector", key)
            yield join(at), document.locate(join(("scheduling", *at)))
        for index in range(len(stated.get("tolerations", ()))):
            at = (nodes, "tolerations", index)
            yield join(at), document.locate(join(("scheduling", *at)))
