"""A resolved recipe of upstream AICR (`kind: RecipeResult`) as a request: what means the same here is carried over, the rest named.

Facts (NVIDIA/aicr v1.0.0): apiVersions `aicr.run/v1`, `v1beta1` and `v1beta2`; `metadata.selectedProfile {name, value}`;
`configuration.gke.tcpxoInterfaces`, a list of `{interfaceName, network}` that is copied into the overrides of `kubeflow-trainer`.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from bundler.errors import InvalidInput
from bundler.model.criteria import DIMENSIONS, Criteria
from bundler.model.finding import Finding, Severity
from bundler.model.pointer import join, resolve
from bundler.model.request import Request

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.model.document import Document, JsonObject

__all__ = ["read_recipe_result"]

_VERSIONS = ("aicr.run/v1", "aicr.run/v1beta1", "aicr.run/v1beta2")
_FABRIC = ("fabricAttachment", "gke-tcpxo-multinetwork", "interfaces")
_INTERFACES = "/configuration/gke/tcpxoInterfaces"
_PROFILE = "/metadata/selectedProfile"

# Upstream renamed `driver-installer` to `bundle-installer` when its bundle began to bring the driver DaemonSet, as the value does
# here; the earlier value expected Google's DaemonSet of the same name, applied by hand.
_MEANING = {
    ("gpuStack", "bundle-installer"): ("driver-installer", Severity.NOTE, "see 'aicr profile show gpuStack'"),
    ("gpuStack", "driver-installer"): (
        "driver-installer",
        Severity.WARNING,
        "remove a driver DaemonSet that was applied by hand: here the bundle brings it",
    ),
}

_CARRIED = {
    "/apiVersion",
    "/kind",
    _INTERFACES,
    f"{_PROFILE}/name",
    f"{_PROFILE}/value",
    *(f"/criteria/{name}" for name in DIMENSIONS),
}

# Parts that only tell how upstream arrived at the rest. What is in neither table is content, and its absence is a warning.
_RECORDS = {
    "/deploymentOrder",
    "/metadata/version",
    "/metadata/appliedOverlays",
    "/metadata/excludedOverlays",
    "/metadata/constraintWarnings",
    "/metadata/gpuDriverState",
    f"{_PROFILE}/advertiser",
    f"{_PROFILE}/ownedPaths",
}

# Maps whose members are parts of their own.
_OPENED = {"", "/metadata", _PROFILE, "/criteria", "/configuration", "/configuration/gke"}


def read_recipe_result(document: Document) -> tuple[Request, tuple[Finding, ...]]:
    """The request that an upstream recipe amounts to.

    Args:
        document: a document of kind `RecipeResult`.

    Returns:
        Criteria, the selected profile and the TCPXO interface map; and one finding for each part that is not carried over.

    Raises:
        InvalidInput: an apiVersion that upstream no longer reads, no criteria, a malformed part, or an interface map whose two
            copies disagree.
    """
    version = document.data.get("apiVersion")
    if version not in _VERSIONS:
        raise InvalidInput(
            "AICR-X001",
            f"upstream recipe has apiVersion {version!r}",
            location=document.locate("/apiVersion"),
            pointer="/apiVersion",
            fix=f"generate it with a release that writes {', '.join(_VERSIONS)}",
        )
    profiles, parameters, origins = {}, {}, {}
    findings: list[Finding] = []
    criteria = {name: value for name in DIMENSIONS if (value := _text(document, f"/criteria/{name}")) not in {None, "any"}}
    if not criteria:
        raise _malformed(document, "/criteria", "states no criteria")
    origins.update({f"/criteria/{name}": document.locate(f"/criteria/{name}") for name in criteria})

    axis, value = _text(document, f"{_PROFILE}/name"), _text(document, f"{_PROFILE}/value")
    if axis is not None and value is not None:
        if (axis, value) in _MEANING:
            findings.append(_translated(document, axis, value))
        profiles[axis] = _MEANING[axis, value][0] if (axis, value) in _MEANING else value
        origins[join(("profiles", axis))] = document.locate(f"{_PROFILE}/value")

    interfaces = _interfaces(document)
    if interfaces:
        axis, value, name = _FABRIC
        profiles[axis] = value
        parameters[axis] = {name: interfaces}
        origins[join(("profiles", axis))] = origins[join(("parameters", axis, name))] = document.locate(_INTERFACES)

    findings.extend(_not_carried(document, "", document.data))
    request = Request(criteria=Criteria.of(criteria), profiles=profiles, parameters=parameters, origins=origins)
    return request, tuple(findings)


def _interfaces(document: Document) -> dict[str, str]:
    """Interface name → network, in the order given; empty when the recipe has none."""
    items = _at(document, _INTERFACES)
    if items is None:
        return {}
    if not isinstance(items, list):
        raise _malformed(document, _INTERFACES, "is not a list")
    networks: dict[str, str] = {}
    for index in range(len(items)):
        name = _text(document, f"{_INTERFACES}/{index}/interfaceName")
        network = _text(document, f"{_INTERFACES}/{index}/network")
        if name is None or network is None:
            raise _malformed(document, f"{_INTERFACES}/{index}", "is not a map of interfaceName and network")
        if name in networks:
            raise _malformed(document, f"{_INTERFACES}/{index}", f"names {name!r} a second time")
        networks[name] = network
    _check_projection(document, items)
    return networks


def _check_projection(document: Document, items: list[Any]) -> None:
    """Upstream writes the map twice; whoever edited one copy meant the other to follow."""
    components = _at(document, "/componentRefs")
    for index, component in enumerate(components if isinstance(components, list) else ()):
        if isinstance(component, dict) and component.get("name") == "kubeflow-trainer":
            pointer = f"/componentRefs/{index}/overrides/tcpxoInterfaces"
            copy = _at(document, pointer)
            if copy is not None and copy != items:
                raise InvalidInput(
                    "AICR-X004",
                    f"interface map disagrees with {_INTERFACES}",
                    location=document.locate(pointer),
                    pointer=pointer,
                    fix="make both copies equal, or generate the recipe again",
                )


def _not_carried(document: Document, pointer: str, data: JsonObject) -> Iterator[Finding]:
    for key, value in data.items():
        part = f"{pointer}{join((key,))}"
        if part in _OPENED and isinstance(value, dict):
            yield from _not_carried(document, part, value)
        elif part not in _CARRIED:
            yield _left_out(document, part)


def _left_out(document: Document, pointer: str) -> Finding:
    if pointer in _RECORDS:
        severity, fix = Severity.NOTE, ""
    elif pointer == "/componentRefs":
        severity, fix = Severity.WARNING, "compare 'aicr recipe resolve'; state what must differ with --set and --component-version"
    else:
        near = get_close_matches(pointer, [part for part in _CARRIED if part.count("/") > 1], n=1, cutoff=0.9)
        severity, fix = Severity.WARNING, f"did you mean {near[0]!r}?" if near else "see that the cluster does without it"
    return Finding(
        rule="AICR-X003",
        message=f"upstream recipe's {pointer[1:].replace('/', '.')} is not carried over",
        severity=severity,
        location=document.locate(pointer),
        pointer=pointer,
        fix=fix,
    )


def _translated(document: Document, axis: str, value: str) -> Finding:
    here, severity, fix = _MEANING[axis, value]
    return Finding(
        rule="AICR-X005",
        message=f"upstream profile {axis}={value} is carried over as {axis}={here}, where the bundle brings the driver",
        severity=severity,
        location=document.locate(f"{_PROFILE}/value"),
        pointer=f"{_PROFILE}/value",
        fix=fix,
    )


def _at(document: Document, pointer: str) -> Any:
    try:
        return resolve(document.data, pointer)
    except LookupError:
        return None


def _text(document: Document, pointer: str) -> str | None:
    value = _at(document, pointer)
    if value is not None and not isinstance(value, str):
        raise _malformed(document, pointer, "is not a string")
    return value


def _malformed(document: Document, pointer: str, problem: str) -> InvalidInput:
    return InvalidInput(
        "AICR-X002",
        f"upstream recipe's {pointer[1:].replace('/', '.')} {problem}",
        location=document.locate(pointer),
        pointer=pointer,
        fix="generate the recipe again",
    )
