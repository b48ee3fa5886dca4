"""What the controllers make of a Workflow: a Job of its template, and of that the workload. A server has rules for each.

Without the affinity and the tolerations that the controller adds for the nodes of a group: they are of the cluster's making.
Source: pkg/render of NVIDIA/cluster-readiness-engine, whose names these objects have, and ADR-079 for the labels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.certify.api import API_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.model.document import JsonObject

__all__ = ["made_of"]

_JOB = "dry-run-job"
_WORKLOAD = "dry-run-workload"
_TRAINER = "trainer.kubeflow.org/v1alpha1"


def made_of(workflow: JsonObject) -> Iterator[JsonObject]:
    """What comes into being with a rendered Workflow, in order: its dependencies, itself, its Job, its workload.

    Args:
        workflow: rendered, its overrides resolved.
    """
    spec = workflow["spec"]
    yield from spec.get("dependencies") or ()
    yield workflow
    if "overrides" in spec:
        return  # for which cluster the job would be is not decided
    template = spec["jobTemplate"]
    job = template["spec"]
    yield {"apiVersion": API_VERSION, "kind": "Job", "metadata": {**template.get("metadata", {}), "name": _JOB}, "spec": job}
    labels = (job.get("workloadMetadata") or {}).get("labels")
    metadata = {"name": _WORKLOAD, **({"labels": labels} if labels else {})}
    yield {"apiVersion": _TRAINER, "kind": "TrainJob", "metadata": metadata, "spec": job["workload"]["trainJob"]}
