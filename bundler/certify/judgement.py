"""Rules that every rendered Workflow keeps, whatever made it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bundler.certify.runtimes import is_runtime, jobs, pod_of, trainer_of
from bundler.model.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bundler.model.document import JsonObject
    from bundler.model.location import Location

__all__ = ["check_workflow"]

_NICS = re.compile(r"rdma/.+|nvidia\.com/mlnxnics|vpc\.amazonaws\.com/efa|networking\.gke\.io\.networks/.+")
_SOURCES = ("torch", "mpi", "plainML", "openMPI", "jax")


def check_workflow(spec: JsonObject, *, subject: str, location: Location | None = None) -> Iterator[Finding]:
    """What a server would refuse, or what would wait for ever.

    Args:
        spec: of the rendered Workflow.
        subject: `Workflow/name`.
        location: where the workload was asked for.
    """

    def found(rule: str, pointer: str, message: str, fix: str) -> Finding:
        return Finding(rule=rule, message=message, location=location, pointer=pointer, subject=subject, fix=fix)

    for index, dependency in enumerate(spec.get("dependencies") or ()):
        if is_runtime(dependency):
            policy = (dependency.get("spec") or {}).get("mlPolicy") or {}
            sources = [name for name in _SOURCES if name in policy]
            if len(sources) != 1:
                message = f"the runtime's mlPolicy has {' and '.join(sources) or 'no policy'}; a server takes exactly one"
                fix = "keep one of them" if sources else "state torch or mpi, as the workload is started"
                yield found("AICR-R014", f"/spec/dependencies/{index}/spec/mlPolicy", message, fix)
    for pointer, names in _environments(spec):
        if twice := sorted({name for name in names if names.count(name) > 1}):
            message = f"{', '.join(twice)} {'stand' if len(twice) > 1 else 'stands'} twice in one environment"
            yield found("AICR-R015", f"/spec{pointer}", message, "state each variable once: a server refuses the second")
    for pointer, job in jobs(spec):
        for number, container in enumerate(pod_of(job).get("containers") or ()):
            at = f"/spec{pointer}/template/spec/template/spec/containers/{number}/resources"
            yield from (found("AICR-R016", at, message, fix) for message, fix in _nic_faults(container))


def _nic_faults(container: JsonObject) -> Iterator[tuple[str, str]]:
    resources = container.get("resources") or {}
    limits, requests = resources.get("limits") or {}, resources.get("requests") or {}
    for name in sorted({*limits, *requests}):
        if _NICS.fullmatch(name):
            amounts = {str(limits.get(name, "")), str(requests.get(name, limits.get(name, "")))}
            if len(amounts) != 1 or not (amount := amounts.pop()).isdigit() or int(amount) == 0:
                message = f"the amount of {name} is {limits.get(name)!r} in limits and {requests.get(name)!r} in requests"
                yield message, "request one positive number, or leave the resource out"


def _environments(spec: JsonObject) -> Iterator[tuple[str, list[str]]]:
    yield "/jobTemplate/spec/workload/trainJob/trainer/env", _names(trainer_of(spec).get("env") or ())
    for pointer, job in jobs(spec):
        pod = pod_of(job)
        for kind in ("initContainers", "containers"):
            for index, container in enumerate(pod.get(kind) or ()):
                yield f"{pointer}/template/spec/template/spec/{kind}/{index}/env", _names(container.get("env") or ())


def _names(env: Iterable[Any]) -> list[str]:
    return [variable["name"] for variable in env]
