"""What the controllers make of a Workflow: a Job of its template, and of that the workload. A server has rules for each.

Without the affinity and the tolerations that the controller adds for the nodes of a group: they are of the cluster's making.
Source: pkg/render and pkg/naming of NVIDIA/cluster-readiness-engine, and ADR-079 for the labels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.certify.api import API_VERSION
from bundler.certify.naming import shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.model.document import JsonObject

__all__ = ["made_of"]

_JOB, _WORKLOAD = 35, 44
"""The longest names, which leave room for what is appended further down."""

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
    name = shortened(f"{workflow['metadata']['name']}-job", _JOB)
    yield {"apiVersion": API_VERSION, "kind": "Job", "metadata": {**template.get("metadata", {}), "name": name}, "spec": job}
    labels = (job.get("workloadMetadata") or {}).get("labels")
    metadata = {"name": shortened(f"{name}-workload", _WORKLOAD), **({"labels": labels} if labels else {})}
    yield {"apiVersion": _TRAINER, "kind": "TrainJob", "metadata": metadata, "spec": job["workload"]["trainJob"]}
