"""What of a runtime attaches a pod to its fabric, part by part, so that a runtime and what became of it can be compared.

A part has a place (replicated job and container), a kind and a name. Images are not among them: whoever trains brings one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from bundler.trainer.draft import NODE, pod_spec
from bundler.trainer.resources import amount

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from decimal import Decimal

    from bundler.model.document import JsonObject

__all__ = ["NATIVE", "Part", "is_attached", "parts"]

NATIVE = frozenset({"cpu", "memory", "ephemeral-storage"})
"""Resources that any container has; all others are devices or reserved for them."""

_POD_FIELDS = ("hostNetwork", "hostIPC", "hostPID", "runtimeClassName", "dnsPolicy")
_CONTAINER_FIELDS = ("command", "args", "restartPolicy")
_NETWORKING = frozenset({"IPC_LOCK", "NET_ADMIN"})
"""Capabilities of what drives a NIC itself: it pins memory that the NIC writes to, or sets interfaces up (capabilities(7))."""
_HANDED_OUT = ("networking.gke.io/", "devices.gke.io/", "k8s.v1.cni.cncf.io/")
"""Domains of annotations that hand a pod interfaces or devices: GKE's networks and device injector, and Multus."""
_HUGE_PAGES = "hugepages-"
_DEVICE_FILE = re.compile(r"/dev/(?!shm\b)")


class Part(NamedTuple):
    """One part.

    Attributes:
        job: the replicated job.
        container: the container; empty for a part of the pod.
        kind: `annotation`, `variable`, `mount`…
        name: what it is told apart by within its kind.
    """

    job: str
    container: str
    kind: str
    name: str

    @property
    def place(self) -> str:
        """Where it is, such as `node/tcpxo-daemon`."""
        return f"{self.job}/{self.container}" if self.container else self.job

    def __str__(self) -> str:
        return f"{self.kind} {self.name}" if self.name else self.kind


def parts(jobs: list[JsonObject]) -> dict[Part, Any]:
    """Every part of replicated jobs with its value; amounts are compared by value and are therefore numbers."""
    return {Part(job["name"], container, kind, name): value for job in jobs for container, kind, name, value in _of_job(job)}


def is_attached(found: Mapping[Part, Any]) -> bool:
    """Whether the parts attach a pod to more than the cluster's own network.

    Claims, devices other than GPUs, device files and interfaces of the host, annotations that ask for any of them, and the
    capabilities that drive a NIC do. Other annotations and sidecars prove nothing: a pod may have them for its logs or its mesh.
    """
    return any(_attaches(part, value) for part, value in found.items())


def _attaches(part: Part, value: Any) -> bool:
    match part.kind:
        case "claim" | "hostNetwork":
            return True
        case "annotation":
            return part.name.startswith(_HANDED_OUT)
        case "capability":
            return part.name in _NETWORKING
        case "volume":
            return bool(_DEVICE_FILE.match(str((value.get("hostPath") or {}).get("path", ""))))
        case "resource":
            return part.name not in NATIVE and not part.name.startswith(_HUGE_PAGES) and "gpu" not in part.name.lower()
        case _:
            return False


def _of_job(job: JsonObject) -> Iterator[tuple[str, str, str, Any]]:
    pod = pod_spec(job)
    metadata = job["template"]["spec"]["template"].get("metadata") or {}
    for key, value in (metadata.get("annotations") or {}).items():
        yield "", "annotation", key, value
    shared = pod.get("securityContext") or {}
    for kind, name, value in (*_of_pod(pod), *_of_security(shared)):
        yield "", kind, name, value
    for container in (*(pod.get("initContainers") or ()), *(pod.get("containers") or ())):
        for kind, name, value in _of_container(container, shared):
            yield container["name"], kind, name, value


def _of_pod(pod: JsonObject) -> Iterator[tuple[str, str, Any]]:
    for key, value in (pod.get("nodeSelector") or {}).items():
        yield "node selector", key, value
    for toleration in pod.get("tolerations") or ():
        yield "toleration", _toleration(toleration), True
    for volume in pod.get("volumes") or ():
        yield "volume", volume["name"], volume
    for claim in pod.get("resourceClaims") or ():
        yield "claim", claim["name"], claim
    yield from _of_affinity(pod.get("affinity") or {})
    for field in _POD_FIELDS:
        if pod.get(field):
            yield field, "", pod[field]


def _of_affinity(affinity: JsonObject) -> Iterator[tuple[str, str, Any]]:
    """Each rule by itself: one may stand beside the runtime's.

    Of the terms for nodes one is enough, so what a pod asks of its node is what all of them ask for; a pod may ask for more. Where
    they differ, the terms count as a whole, too.
    """
    for kind, rules in affinity.items():
        for field, rule in rules.items():
            terms = [_expressions(term) for term in (rule.get("nodeSelectorTerms") or ())] if isinstance(rule, dict) else []
            yield from (("node affinity", name, True) for name in (terms[0] if terms else ()) if all(name in one for one in terms))
            if not terms or any(set(one) != set(terms[0]) for one in terms):
                yield "affinity", f"{kind}.{field}", rule


def _expressions(term: JsonObject) -> list[str]:
    """Each requirement of a term as one would say it, such as `zone In a, b`."""
    stated = [one for section in ("matchExpressions", "matchFields") for one in term.get(section) or ()]
    return [f"{one['key']} {one['operator']} {', '.join(sorted(one.get('values') or ()))}".rstrip() for one in stated]


def _of_container(container: JsonObject, shared: JsonObject) -> Iterator[tuple[str, str, Any]]:
    if container["name"] != NODE:
        yield "container", "", container.get("image")
    for field in _CONTAINER_FIELDS:
        if container.get(field):
            yield field, "", container[field]
    for entry in container.get("env") or ():
        yield "variable", entry["name"], _value(entry)
    for source in container.get("envFrom") or ():
        yield "variables from", _source(source), True
    for mount in container.get("volumeMounts") or ():
        yield "mount", mount["mountPath"], mount
    for port in container.get("ports") or ():
        yield "port", port.get("name") or str(port["containerPort"]), port["containerPort"]
    yield from _of_resources(container.get("resources") or {})
    security = container.get("securityContext") or {}
    for capability in _capabilities(security, shared):
        yield "capability", capability, True
    if security.get("privileged"):
        yield "privileged", "", True
    yield from _of_security(security)


def _value(entry: JsonObject) -> Any:
    """Text, or where it comes from; both where a patch added one to the other."""
    stated = {key: value for key, value in entry.items() if key != "name"}
    return stated if "valueFrom" in stated else stated.get("value", "")


def _of_security(security: JsonObject) -> Iterator[tuple[str, str, Any]]:
    """The fields of a security context that are no part of another kind."""
    for field, value in security.items():
        if field not in {"capabilities", "privileged"}:
            yield "security context", field, value


def _capabilities(security: JsonObject, shared: JsonObject) -> list[str]:
    """The capabilities that processes of a container have beyond the usual ones.

    What is dropped by name is not there although it is added, and no process but root's has any: runtimes of containers set none as
    ambient. Of user and `runAsNonRoot` those of the container win over those of the pod.
    """
    effective = {**shared, **security}
    if effective.get("runAsNonRoot") or effective.get("runAsUser"):
        return []
    stated = security.get("capabilities") or {}
    return [name for name in stated.get("add") or () if name not in (stated.get("drop") or ())]


def _of_resources(resources: JsonObject) -> Iterator[tuple[str, str, Any]]:
    """Requests as a pod has them: what is stated only as a limit is requested, too."""
    limits, requests = resources.get("limits") or {}, resources.get("requests") or {}
    for name in dict.fromkeys((*requests, *limits)):
        requested = amount(requests if name in requests else limits, name)
        limit: Decimal | None = amount(limits, name) if name in limits else None
        yield "resource", name, (requested, limit)
    for claim in resources.get("claims") or ():
        yield "claim", claim["name"], claim


def _toleration(toleration: JsonObject) -> str:
    key = toleration.get("key", "*")
    value = f"={toleration['value']}" if toleration.get("value") else ""
    return f"{key}{value}:{toleration.get('effect', '*')}"


def _source(source: JsonObject) -> str:
    kind, inner = next((key, value) for key, value in source.items() if isinstance(value, dict))
    return f"{kind} {inner.get('name', '')}"
