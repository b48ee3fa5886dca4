"""The JobSet that a TrainJob becomes, and what is made beside it."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from bundler.dataclass import dataclass
from bundler.trainer.draft import pod_spec

if TYPE_CHECKING:
    from bundler.model.document import JsonObject

__all__ = ["API_VERSION", "JobSet", "set_defaults"]

API_VERSION = "jobset.x-k8s.io/v1alpha2"


@dataclass(frozen=True, slots=True, kw_only=True)
class JobSet:
    """What Kubeflow Trainer applies for one TrainJob.

    Attributes:
        data: the JobSet with the defaults that a server adds.
        others: its pod group, and the host file and keys of MPI. Of a Secret only the names of its keys are known.
    """

    data: JsonObject = field(repr=False)
    others: tuple[JsonObject, ...] = field(default=(), repr=False)

    @property
    def name(self) -> str:
        """`metadata.name`, which is the TrainJob's."""
        return str(self.data["metadata"]["name"])

    @property
    def jobs(self) -> list[JsonObject]:
        """Its replicated jobs."""
        jobs: list[JsonObject] = self.data["spec"].get("replicatedJobs", [])
        return jobs

    @property
    def suspended(self) -> bool:
        """Whether no pod is made for now."""
        return bool(self.data["spec"]["suspend"])

    def job(self, name: str) -> JsonObject | None:
        """A replicated job."""
        return next((job for job in self.jobs if job["name"] == name), None)


def set_defaults(spec: JsonObject) -> None:
    """What the CRD and the webhook of JobSet add to a spec that does not say otherwise (pkg/webhooks/jobset_webhook.go)."""
    spec.setdefault("network", {})
    spec["network"] = {"enableDNSHostnames": True, "publishNotReadyAddresses": True, **spec["network"]}
    spec["successPolicy"] = {"operator": "All", **spec.get("successPolicy", {})}
    spec["startupPolicy"] = {"startupPolicyOrder": "AnyOrder", **spec.get("startupPolicy", {})}
    for job in spec.get("replicatedJobs", ()):
        job.setdefault("replicas", 1)
        job.setdefault("groupName", "default")
        pod = pod_spec(job)
        job["template"]["spec"].setdefault("completionMode", "Indexed")
        pod.setdefault("restartPolicy", "OnFailure")
        for container in (*pod.get("initContainers", ()), *pod.get("containers", ())):
            if "ports" in container:
                container["ports"] = [{"protocol": "TCP", **port} for port in container["ports"]]
