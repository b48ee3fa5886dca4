"""Runtimes and TrainJobs in a few words, and what is asked of the JobSet they become."""

from bundler.trainer.materialise import materialise
from bundler.trainer.versions import trainer_version

BOTH = ("2.2.0", "2.3.0")
ANCESTOR = "trainer.kubeflow.org/trainjob-ancestor-step"


def replicated(name="node", *, step="trainer", container="node", parallelism=None, pod=None, **fields):
    spec = {"containers": [{"name": container, "image": "registry.example.com/app:1", **fields}], **(pod or {})}
    job = {"name": name, "template": {"spec": {"template": {"spec": spec}}}}
    if step:
        job["template"]["metadata"] = {"labels": {ANCESTOR: step}}
    if parallelism is not None:
        job["template"]["spec"]["parallelism"] = parallelism
    return job


def runtime(*jobs, policy=None, group=None, **template):
    spec = {"template": {**template, "spec": {"replicatedJobs": list(jobs)}}}
    if policy is not None:
        spec["mlPolicy"] = policy
    if group is not None:
        spec["podGroupPolicy"] = group
    return {"kind": "ClusterTrainingRuntime", "metadata": {"name": "rt"}, "spec": spec}


def trainjob(trainer=None, **spec):
    if trainer is not None:
        spec["trainer"] = trainer
    return {"kind": "TrainJob", "metadata": {"name": "test-job", "namespace": "ns"}, "spec": {"runtimeRef": {"name": "rt"}, **spec}}


def patch(*jobs, manager="example.com/a", **template):
    template = {**template, **({"spec": {"replicatedJobs": list(jobs)}} if jobs else {})}
    return {"manager": manager, "trainingRuntimeSpec": {"template": template}}


def pod_patch(job="node", **spec):
    return {"name": job, "template": {"spec": {"template": {"spec": spec}}}}


def made(job, base, version="2.3.0"):
    return materialise(job, base, trainer_version(version))


def node(jobset, job="node"):
    return next(one for one in pod(jobset, job)["containers"] if one["name"] == "node")


def pod(jobset, job="node"):
    return jobset.job(job)["template"]["spec"]["template"]["spec"]


def env(container):
    return {entry["name"]: entry.get("value") for entry in container.get("env", ())}


def counts(jobset):
    return {job["name"]: job["template"]["spec"]["completions"] for job in jobset.jobs}
