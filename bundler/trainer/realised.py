"""The pods that a TrainJob becomes, against the rules that hold for every pod: what a server refuses once they are made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.conform import workloads
from bundler.conform.conform import PODS
from bundler.kube.resource import Resource

if TYPE_CHECKING:
    from bundler.model.finding import Finding
    from bundler.trainer.jobset import JobSet

__all__ = ["pod_faults"]


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
    return tuple(finding for rule in (*PODS, workloads.dependencies) for finding in rule(resource))
