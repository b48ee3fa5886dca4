"""A TrainJob and its runtime become a JobSet: the rules of Kubeflow Trainer, in the order in which it applies them.

Source: pkg/runtime of github.com/kubeflow/trainer, tags v2.2.0, v2.2.1 and v2.3.0, held against runs of a real controller.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.trainer.containers import fill_initializers, fill_trainer, give_resources, label_pods
from bundler.trainer.draft import Draft, pod_spec
from bundler.trainer.frameworks import form_jax_processes, form_xgboost_workers, size_plain_job
from bundler.trainer.jobset import API_VERSION, JobSet, set_defaults
from bundler.trainer.mpi import connect_mpi_nodes, list_mpi_hosts
from bundler.trainer.pod_groups import group_pods
from bundler.trainer.torch import form_process_group
from bundler.trainer.upsert import upsert

if TYPE_CHECKING:
    from collections.abc import Callable

    from bundler.model.document import JsonObject
    from bundler.trainer.versions import TrainerVersion

__all__ = ["materialise"]


def materialise(trainjob: JsonObject, runtime: JsonObject, version: TrainerVersion) -> JobSet:
    """The JobSet that a version of Kubeflow Trainer makes. Whether a server takes it is another question.

    Args:
        trainjob: an object that its schema accepts.
        runtime: the ClusterTrainingRuntime or TrainingRuntime that it refers to.
        version: whose rules hold.

    Raises:
        InvalidInput: the Trainer would fail to make one, or the runtime is of a framework that is not modelled.
    """
    draft = Draft.of(trainjob, runtime, version)
    for rule in _RULES:
        rule(draft)
    metadata = {
        "name": draft.name,
        "namespace": draft.namespace,
        "labels": draft.labels,
        "annotations": draft.annotations,
    }
    data = {
        "apiVersion": API_VERSION,
        "kind": "JobSet",
        "metadata": {key: value for key, value in metadata.items() if value},
        "spec": draft.spec,
    }
    return JobSet(data=data, others=tuple(draft.objects))


def give_and_count_resources(draft: Draft) -> None:
    """What a TrainJob asks for reaches the containers before a pod group counts them in 2.3, and after it in 2.2."""
    rules = (give_resources, group_pods)
    for rule in rules if draft.version.counts_merged_resources else reversed(rules):
        rule(draft)


def write_ports_back(draft: Draft) -> None:
    """The ports of each container are written into that container once more.

    That is without effect unless two of them are taken for one: then one is there twice and the other is lost. 2.2 passes over
    initContainers.
    """
    lists = ("initContainers", "containers") if draft.version.injects_env else ("containers",)
    for job in draft.jobs:
        for key in lists:
            for container in pod_spec(job).get(key, ()):
                if "ports" in container:
                    container["ports"] = upsert(container["ports"], container["ports"], draft.version.same_port)


def complete_every_pod(draft: Draft) -> None:
    """Every pod runs at once, and each has to complete."""
    for job, count in zip(draft.jobs, draft.counts, strict=True):
        job["template"]["spec"] |= {"parallelism": count, "completions": count}


def suspend(draft: Draft) -> None:
    """Only the TrainJob says whether it starts; what the runtime says is overwritten."""
    draft.spec["suspend"] = draft.suspend


def finish(draft: Draft) -> None:
    """What a server adds."""
    set_defaults(draft.spec)


_RULES: tuple[Callable[[Draft], None], ...] = (
    size_plain_job,
    form_process_group,
    form_jax_processes,
    form_xgboost_workers,
    connect_mpi_nodes,
    give_and_count_resources,
    list_mpi_hosts,
    write_ports_back,
    complete_every_pod,
    fill_initializers,
    fill_trainer,
    label_pods,
    suspend,
    finish,
)
"""Patches come before all of them, the framework of the runtime before what the TrainJob writes into containers."""
