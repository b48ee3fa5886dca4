"""Whether the pods of a Workflow are in the queue that it persists: a Workflow that somebody wrote or changed may say two things.

The label of the workload object is the controller's own and is put back; schedulers and queues of runtimes are only asked for: they
may be somebody's on purpose. Source: ValidateResolvedGangScheduling of NVIDIA/cluster-readiness-engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.certify.runtimes import jobs, pod_of
from bundler.model.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.model.document import JsonObject
    from bundler.model.location import Location

__all__ = ["disagreeing"]


def disagreeing(spec: JsonObject, gang: JsonObject, *, subject: str, location: Location | None = None) -> Iterator[Finding]:
    """Where a runtime schedules its pods otherwise than `gangScheduler` says, or no runtime is there to be asked.

    Args:
        spec: of the Workflow, nothing in it malformed.
        gang: resolved.
        subject: `Workflow/name`.
        location: where `gangScheduler` stands.
    """
    key, queue, scheduler = gang["queueLabelKey"], gang["queue"], gang["schedulerName"]

    def found(pointer: str, message: str) -> Finding:
        fix = "state one scheduler and one queue, in gangScheduler and in the runtime"
        return Finding(rule="AICR-R013", message=message, location=location, pointer=f"/spec{pointer}", subject=subject, fix=fix)

    every = list(jobs(spec))
    if not every:
        yield found(
            "/gangScheduler", "gangScheduler is stated, and no runtime among the dependencies has pods to be scheduled by it"
        )
    for pointer, job in every:
        template = job.get("template") or {}
        labelled = {"job": template, "pods": (template.get("spec") or {}).get("template") or {}}
        for what, part in labelled.items():
            if (stated := ((part.get("metadata") or {}).get("labels") or {}).get(key)) != queue:
                there = f"is {stated!r}" if stated else "is missing"
                yield found(pointer, f"the label {key} on the {what} of {job.get('name')!r} {there}; gangScheduler says {queue!r}")
        if (by := pod_of(job).get("schedulerName")) != scheduler:
            yield found(pointer, f"the pods of {job.get('name')!r} are scheduled by {by or 'the default'}, not by {scheduler}")
