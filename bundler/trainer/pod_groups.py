"""Pods that are scheduled together or not at all.

Source: pkg/runtime/framework/plugins/{coscheduling,volcano} of github.com/kubeflow/trainer.
"""

from __future__ import annotations

from decimal import ROUND_CEILING, Decimal
from typing import TYPE_CHECKING

from bundler.conform.pods import step
from bundler.trainer.draft import NODE, TRAINER, pod_spec
from bundler.trainer.resources import pod_requests, total

if TYPE_CHECKING:
    from bundler.model.document import JsonObject
    from bundler.trainer.draft import Draft

__all__ = ["QUEUE", "group_pods"]

QUEUE = "scheduling.volcano.sh/queue-name"
"""Annotation of the JobSet that names the queue of volcano."""

_TIMEOUT = 60
_THOUSAND = 1000


def group_pods(draft: Draft) -> None:
    """The pod group that the runtime's policy asks for, and the label or annotation by which pods belong to it."""
    coscheduling: JsonObject | None = draft.pod_group.get("coscheduling")
    volcano: JsonObject | None = draft.pod_group.get("volcano")
    if coscheduling is not None:
        draft.pod_labels["scheduling.x-k8s.io/pod-group"] = draft.name
        timeout = coscheduling.get("scheduleTimeoutSeconds", _TIMEOUT)
        draft.objects.append(_group(draft, "scheduling.x-k8s.io/v1alpha1", {"scheduleTimeoutSeconds": timeout}))
    if volcano is not None:
        draft.pod_annotations["scheduling.k8s.io/group-name"] = draft.name
        queue = {"queue": draft.annotations[QUEUE]} if QUEUE in draft.annotations else {}
        topology = {"networkTopology": volcano["networkTopology"]} if "networkTopology" in volcano else {}
        draft.objects.append(_group(draft, "scheduling.volcano.sh/v1beta1", {**queue, **topology}))


def _group(draft: Draft, api_version: str, rest: JsonObject) -> JsonObject:
    requests = total(
        {name: value * count for name, value in pod_requests(_counted(draft, job)).items()}
        for job, count in zip(draft.jobs, draft.counts, strict=True)
    )
    amounts = {"minResources": {name: _text(value) for name, value in requests.items()}} if requests else {}
    metadata = {"name": draft.name, **({"namespace": draft.namespace} if draft.namespace else {})}
    spec: JsonObject = {"minMember": sum(draft.counts), **amounts, **rest}
    return {"apiVersion": api_version, "kind": "PodGroup", "metadata": metadata, "spec": spec}


def _counted(draft: Draft, job: JsonObject) -> JsonObject:
    """The pod as a group counts it. 2.2 counts resourcesPerNode in the place of the resources, whatever it states."""
    pod = pod_spec(job)
    wanted = (draft.wanted or {}).get("resourcesPerNode")
    if wanted is None or draft.version.counts_merged_resources or step(job) != TRAINER or draft.policy is None:
        return pod
    containers = [{**one, "resources": wanted} if one["name"] == NODE else one for one in pod.get("containers", ())]
    return {**pod, "containers": containers}


def _text(value: Decimal) -> str:
    if value == value.to_integral_value():
        return str(int(value))
    return f"{int((value * _THOUSAND).to_integral_value(rounding=ROUND_CEILING))}m"
