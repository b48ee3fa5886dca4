"""What a TrainJob writes into the containers of a runtime: those that train, and those that fetch data and models.

Source: pkg/runtime/framework/plugins/jobset/builder.go of github.com/kubeflow/trainer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.conform.pods import step
from bundler.trainer.draft import NODE, TRAINER
from bundler.trainer.mpi import launches_as_node
from bundler.trainer.upsert import by_name, converted_env, upsert

if TYPE_CHECKING:
    from bundler.model.document import JsonObject
    from bundler.trainer.draft import Draft

__all__ = ["fill_initializers", "fill_trainer", "give_resources", "label_pods"]

_INITIALIZERS = {"dataset-initializer": "dataset", "model-initializer": "model"}
"""Step, which is also the name of its container → field of `spec.initializer`."""

_STATED = ("image", "command", "args")


def give_resources(draft: Draft) -> None:
    """`resourcesPerNode` reaches the container `node` and no other."""
    wanted = (draft.wanted or {}).get("resourcesPerNode")
    if wanted is None:
        return
    for index, job in enumerate(draft.jobs):
        node = draft.container(index)
        if node is not None and _trains(draft, job):
            node["resources"] = draft.version.resourced(node.get("resources") or {}, wanted, draft.policy is not None)


def fill_initializers(draft: Draft) -> None:
    """Where from, with which variables and which secret: in this order, so that the TrainJob's own variables win."""
    for index, job in enumerate(draft.jobs):
        name = step(job)
        if name not in _INITIALIZERS:
            continue
        job["replicas"] = 1
        container, wanted = draft.container(index, name), draft.initializer.get(_INITIALIZERS[name])
        if container is None or wanted is None:
            continue
        place = [{"name": "STORAGE_URI", "value": wanted["storageUri"]}] if "storageUri" in wanted else []
        container["env"] = upsert(container.get("env"), [*place, *converted_env(wanted.get("env"))], by_name)
        if "secretRef" in wanted:
            container["envFrom"] = [*container.get("envFrom", ()), {"secretRef": {"name": wanted["secretRef"].get("name", "")}}]


def fill_trainer(draft: Draft) -> None:
    """Image, command and arguments replace those of the runtime, each by itself; variables are written among its own.

    A node of MPI that is not the launcher gets the variables and nothing else.
    """
    for index, job in enumerate(draft.jobs):
        trains = step(job) == TRAINER
        if trains:
            job["replicas"] = 1
        node = draft.container(index)
        if draft.wanted is None or node is None:
            continue
        if trains:
            for key in _STATED:
                _write(node, key, draft.wanted.get(key))
        if _trains(draft, job):
            node["env"] = upsert(node.get("env"), converted_env(draft.wanted.get("env")), by_name)


def _write(container: JsonObject, key: str, value: Any) -> None:
    """Nothing keeps what the runtime says; an empty list clears it."""
    if value == []:
        container.pop(key, None)
    elif value is not None:
        container[key] = value


def _trains(draft: Draft, job: JsonObject) -> bool:
    """Whether a job trains, or is a node beside a launcher that does."""
    return step(job) == TRAINER or (job["name"] == NODE and launches_as_node(draft))


def label_pods(draft: Draft) -> None:
    """Labels and annotations of the pod group, on every pod."""
    for job in draft.jobs:
        template = job["template"]["spec"]["template"]
        for section, added in (("labels", draft.pod_labels), ("annotations", draft.pod_annotations)):
            if added:
                metadata = template.setdefault("metadata", {})
                metadata[section] = {**metadata.get(section, {}), **added}
