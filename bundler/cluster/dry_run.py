"""Objects, judged by the API server without being stored: create with dryRun=All and strict field validation."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from bundler.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bundler.cluster.api import Answer, Api
    from bundler.model.document import JsonObject

__all__ = ["NAMESPACE", "Row", "Verdict", "dry_run"]

NAMESPACE = "default"
"""Where an object is judged that names no namespace, as `kubectl create` does."""

_OK = 200
_ERROR = 400
_FORBIDDEN = 403
_NOT_FOUND = 404
_FAULT = 500


class Verdict(StrEnum):
    """What the server makes of an object."""

    OK = "OK"
    WARN = "WARN"
    INVALID = "INVALID"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The verdict on one object.

    Attributes:
        resource: the object, as `Kind/name`.
        message: what the server says; empty when it has nothing to say.
    """

    resource: str
    verdict: Verdict
    message: str = ""


def dry_run(api: Api, objects: Sequence[JsonObject], *, namespace: str = NAMESPACE) -> tuple[Row, ...]:
    """The verdict on each object, in their order.

    An object that the server cannot judge, because it exists already, names something that comes into being later or may not be
    created by this user, is a warning: nothing is proven either way. Whatever else the server refuses is invalid.

    Args:
        api: the connection.
        objects: whole manifests.
        namespace: for objects that state none.

    Raises:
        Unavailable: the server cannot be reached or does not accept the credentials.
        TimedOut: the time is over.
    """
    served: dict[str, dict[str, tuple[str, bool]]] = {}
    return tuple(_row(api, data, namespace, served) for data in objects)


def _row(api: Api, data: JsonObject, namespace: str, served: dict[str, dict[str, tuple[str, bool]]]) -> Row:
    version, kind, metadata = data["apiVersion"], data["kind"], data.get("metadata", {})
    resource = f"{kind}/{metadata.get('name', '')}"
    root = f"/apis/{version}" if "/" in version else f"/api/{version}"
    if version not in served:
        discovery = api.get(root)
        if discovery.status not in {_OK, _NOT_FOUND}:
            return Row(resource=resource, verdict=Verdict.WARN, message=f"not judged: {discovery.message}")
        served[version] = _resources(discovery)
    if kind not in served[version]:
        return Row(resource=resource, verdict=Verdict.INVALID, message=f"the server has no kind {kind} in {version}")
    plural, namespaced = served[version][kind]
    if namespaced:
        place = metadata.get("namespace", namespace)
        data = {**data, "metadata": {**metadata, "namespace": place}}
        root = f"{root}/namespaces/{place}"
    return _judged(resource, api.dry_run(f"{root}/{plural}", data), place if namespaced else "")


def _resources(answer: Answer) -> dict[str, tuple[str, bool]]:
    """Kind → plural name and whether it is namespaced, as discovery tells; subresources have a slash."""
    found = answer.data.get("resources", []) if answer.status == _OK else []
    return {item["kind"]: (item["name"], bool(item.get("namespaced"))) for item in found if "/" not in item["name"]}


def _judged(resource: str, answer: Answer, namespace: str) -> Row:
    if answer.status < _ERROR:
        message = "; ".join(answer.warnings)
        return Row(resource=resource, verdict=Verdict.WARN if message else Verdict.OK, message=message)
    if answer.status >= _FAULT:
        return Row(resource=resource, verdict=Verdict.WARN, message=f"not judged: {answer.message}")
    if answer.reason == "AlreadyExists":
        return Row(resource=resource, verdict=Verdict.WARN, message=f"not judged, it exists already: {answer.message}")
    if answer.status == _FORBIDDEN and answer.reason == "Forbidden" and "cannot create" in answer.message:
        return Row(resource=resource, verdict=Verdict.WARN, message=f"not judged: {answer.message}")
    no_namespace = bool(namespace) and f'namespaces "{namespace}" not found' in answer.message
    if not no_namespace and ("not found" in answer.message or "must be created before" in answer.message):
        return Row(resource=resource, verdict=Verdict.WARN, message=f"references what is created at run time: {answer.message}")
    nowhere = f"the namespace {namespace} does not exist: create it, or name another in metadata.namespace"
    return Row(resource=resource, verdict=Verdict.INVALID, message=nowhere if no_namespace else answer.message)
