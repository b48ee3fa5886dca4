"""The frameworks besides torch and MPI: none at all, JAX and XGBoost.

Source: pkg/runtime/framework/plugins/{plainml,jax,xgboost} of github.com/kubeflow/trainer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.errors import InvalidInput
from bundler.trainer.resources import gpus
from bundler.trainer.torch import COMPLETION_INDEX, MASTER_PORT
from bundler.trainer.upsert import by_name, converted_env, upsert

if TYPE_CHECKING:
    from bundler.model.document import JsonObject
    from bundler.trainer.draft import Draft

__all__ = ["form_jax_processes", "form_xgboost_workers", "size_plain_job"]


def size_plain_job(draft: Draft) -> None:
    """Nodes and variables of the TrainJob, where no framework with rules of its own takes care of them."""
    if any(draft.framework(name) is not None for name in ("torch", "mpi", "jax")):
        return
    if draft.framework("flux") is not None:
        message = "the runtime is of the flux framework, which is not modelled here"
        raise InvalidInput("AICR-J002", message, fix="check it on a cluster")
    index = draft.trainer_job
    draft.resize(index)
    node = draft.container(index)
    if draft.wanted is not None and node is not None:
        node["env"] = upsert(node.get("env"), converted_env(draft.wanted.get("env")), by_name)


def form_jax_processes(draft: Draft) -> None:
    """One JAX process a node; the first one coordinates. The variables are there even without `spec.trainer`."""
    if draft.framework("jax") is None:
        return
    index = draft.trainer_job
    draft.resize(index)
    node = draft.container(index)
    if index is None or node is None:
        message = "a JAX runtime has no container 'node' in a replicated job that trains, so the Trainer makes no JobSet"
        raise InvalidInput("AICR-J002", message, fix="give a replicated job the ancestor label and a container 'node'")
    variables: list[JsonObject] = [
        {"name": "JAX_NUM_PROCESSES", "value": str(draft.counts[index])},
        {"name": "JAX_PROCESS_ID", "valueFrom": {"fieldRef": {"fieldPath": COMPLETION_INDEX}}},
        {"name": "JAX_COORDINATOR_ADDRESS", "value": f"{draft.first_pod()}:{MASTER_PORT}"},
    ]
    _join(draft, node, [*converted_env((draft.wanted or {}).get("env")), *variables])


def form_xgboost_workers(draft: Draft) -> None:
    """The tracker on the first node, and one worker a GPU, or one a node."""
    index = draft.trainer_job
    node = draft.container(index)
    if draft.framework("xgboost") is None or draft.wanted is None or index is None or node is None:
        return
    workers = draft.counts[index] * max(gpus(draft.resources_per_node()), 1)
    variables: list[JsonObject] = [
        {"name": "DMLC_TRACKER_URI", "value": draft.first_pod()},
        {"name": "DMLC_TRACKER_PORT", "value": str(MASTER_PORT)},
        {"name": "DMLC_TASK_ID", "valueFrom": {"fieldRef": {"fieldPath": COMPLETION_INDEX}}},
        {"name": "DMLC_NUM_WORKER", "value": str(workers)},
    ]
    _join(draft, node, variables)


def _join(draft: Draft, node: JsonObject, variables: list[JsonObject]) -> None:
    node["env"] = upsert(node.get("env"), variables, by_name)
    node["ports"] = upsert(node.get("ports"), [{"containerPort": MASTER_PORT}], draft.version.same_port)
