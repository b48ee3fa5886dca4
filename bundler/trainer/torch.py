"""The torch framework: the process group that torchrun reads from its environment.

Source: pkg/runtime/framework/plugins/torch/torch.go of github.com/kubeflow/trainer, and what runs of 2.3 recorded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.trainer.draft import NODE
from bundler.trainer.resources import cpus, gpus
from bundler.trainer.upsert import by_name, converted_env, upsert

if TYPE_CHECKING:
    from bundler.model.document import JsonObject
    from bundler.trainer.draft import Draft

__all__ = ["COMPLETION_INDEX", "MASTER_PORT", "TORCHTUNE", "form_process_group", "processes_per_node"]

MASTER_PORT = 29500
COMPLETION_INDEX = "metadata.annotations['batch.kubernetes.io/job-completion-index']"
TORCHTUNE = ["tune", "run"]
"""The command that makes a TrainJob one of torchtune, whose own arguments say where the first process is."""

_AUTO = "auto"


def form_process_group(draft: Draft) -> None:
    """Variables and port of the process group on the training container, and on what the runtime lists for it.

    A TrainJob without `spec.trainer`, even an empty one, gets neither; what the runtime lists gets them in any case.
    """
    policy = draft.framework("torch")
    if policy is None:
        return
    index = draft.trainer_job
    draft.resize(index)
    rank = _rank(draft, index)
    node = draft.container(index)
    if draft.wanted is not None and node is not None:
        group = rank if draft.wanted.get("command") == TORCHTUNE else [*rank, *_master(draft)]
        node["env"] = upsert(node.get("env"), [*converted_env(draft.wanted.get("env")), *group], by_name)
        node["ports"] = upsert(node.get("ports"), [{"containerPort": MASTER_PORT}], draft.version.same_port)
    if draft.version.injects_env:
        for container in _listed(draft, policy):
            container["env"] = upsert(container.get("env"), [*rank, *_master(draft)], by_name)


def processes_per_node(draft: Draft) -> str:
    """PET_NPROC_PER_NODE: the TrainJob's number; else `auto` where there are GPUs, which torchrun counts itself; else CPUs.

    GPUs are looked for in resourcesPerNode alone as soon as the TrainJob states any.
    """
    stated = (draft.wanted or {}).get("numProcPerNode")
    if stated is not None:
        return str(stated)
    resources = draft.resources_per_node()
    return _AUTO if gpus(resources) else str(cpus(resources))


def _rank(draft: Draft, index: int | None) -> list[JsonObject]:
    return [
        {"name": "PET_NNODES", "value": str(1 if index is None else draft.counts[index])},
        {"name": "PET_NPROC_PER_NODE", "value": processes_per_node(draft)},
        {"name": "PET_NODE_RANK", "valueFrom": {"fieldRef": {"fieldPath": COMPLETION_INDEX}}},
    ]


def _master(draft: Draft) -> list[JsonObject]:
    return [
        {"name": "PET_MASTER_ADDR", "value": draft.first_pod()},
        {"name": "PET_MASTER_PORT", "value": str(MASTER_PORT)},
    ]


def _listed(draft: Draft, policy: JsonObject) -> list[JsonObject]:
    """The containers of `envInjection`; of two with one name the plain one."""
    targets = (policy.get("envInjection") or {}).get("targets") or ()
    found = []
    for target in targets:
        index = draft.job_named(target["jobName"])
        for name in target["containerNames"]:
            container = draft.container(index, name) or draft.container(index, name, init=True)
            if container is not None and name != NODE:
                found.append(container)
    return found
