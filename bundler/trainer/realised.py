"""The pods that a TrainJob becomes, against the rules that hold for every pod: what a server refuses once they are made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.conform import workloads
from bundler.conform.conform import PODS
from bundler.kube.resource import Resource
from bundler.model.pointer import tokens
from bundler.trainer.draft import pod_spec
from bundler.trainer.elements import Part

if TYPE_CHECKING:
    from bundler.model.finding import Finding
    from bundler.trainer.jobset import JobSet

__all__ = ["faulty_part", "pod_faults"]


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


def faulty_part(jobset: JobSet, fault: Finding) -> Part | None:
    """The part of a JobSet that a fault of its pods is about; None when it is about something that is no part."""
    match tokens(fault.pointer):
        case ["spec", "template", "spec", "replicatedJobs", index, "template", "spec", "template", "spec", *steps]:
            job = jobset.jobs[int(index)]
        case _:
            return None
    match steps:
        case ["volumes", at, *_]:
            return Part(job["name"], "", "volume", pod_spec(job)["volumes"][int(at)]["name"])
        case ["containers" | "initContainers" as key, at, *inner]:
            container = pod_spec(job)[key][int(at)]
        case _:
            return None
    match inner:
        case ["resources", _, name]:
            return Part(job["name"], container["name"], "resource", name)
        case ["env", at, *_]:
            return Part(job["name"], container["name"], "variable", container["env"][int(at)]["name"])
        case _:
            return None
