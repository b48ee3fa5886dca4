"""The pods that a TrainJob becomes, against the rules that hold for every pod: what a server refuses once they are made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.conform import containers, objects, resources, volumes, workloads
from bundler.kube.resource import Resource

if TYPE_CHECKING:
    from bundler.conform.context import OwnRule
    from bundler.model.finding import Finding
    from bundler.trainer.jobset import JobSet

__all__ = ["pod_faults"]

_RULES: tuple[OwnRule, ...] = (
    containers.container_names,
    containers.missing_images,
    containers.environment,
    containers.references,
    containers.container_ports,
    containers.privileges,
    volumes.sources,
    volumes.mounts,
    resources.amounts,
    resources.requests_and_limits,
    resources.claims,
    workloads.closed_lists,
    workloads.restart_policies,
    workloads.tolerations,
    workloads.dependencies,
    objects.pod_metadata,
)


def pod_faults(jobset: JobSet) -> tuple[Finding, ...]:
    """What is wrong with the pods of a JobSet. Places are those of the JobSet, which nobody wrote: only rules and messages count.

    The rules know pods of runtimes, and a JobSet has them where a runtime has them.
    """
    shaped = {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "ClusterTrainingRuntime",
        "metadata": {"name": jobset.name},
        "spec": {"template": {"spec": jobset.data["spec"]}},
    }
    resource = Resource(data=shaped, template="", positions={}, owner="")
    return tuple(finding for rule in _RULES for finding in rule(resource))
