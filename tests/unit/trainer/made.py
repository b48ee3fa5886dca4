"""Runtimes and TrainJobs in a few words, and what is asked of the JobSet they become."""

from bundler.trainer.materialise import materialise
from bundler.trainer.versions import trainer_version

BOTH = ("2.2.0", "2.3.0")
API = "trainer.kubeflow.org/v1alpha1"
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
    return {"apiVersion": API, "kind": "ClusterTrainingRuntime", "metadata": {"name": "rt"}, "spec": spec}


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


def wired(**resources):
    """A runtime with everything that attaches a pod to a fabric: annotation, sidecar, claim, device, capability, host path."""
    sidecar = {
        "name": "daemon",
        "image": "registry.example.com/daemon:1",
        "restartPolicy": "Always",
        "env": [{"name": "D", "value": "1"}],
        "securityContext": {"capabilities": {"add": ["NET_ADMIN"]}},
    }
    pod_fields = {
        "initContainers": [sidecar],
        "resourceClaims": [{"name": "channel", "resourceClaimTemplateName": "channel"}],
        "tolerations": [{"key": "example.com/gpu", "operator": "Exists"}],
        "volumes": [{"name": "library", "hostPath": {"path": "/opt/library"}}],
    }
    amounts = {"nvidia.com/gpu": "8", "example.com/nic": "4"}
    job = replicated(
        pod=pod_fields,
        env=[{"name": "NCCL_NET", "value": "Plugin"}],
        resources=resources or {"requests": amounts, "limits": amounts, "claims": [{"name": "channel"}]},
        volumeMounts=[{"name": "library", "mountPath": "/opt/library"}],
        securityContext={"capabilities": {"add": ["IPC_LOCK"]}},
    )
    job["template"]["spec"]["template"]["metadata"] = {"annotations": {"example.com/interfaces": "eth0,eth1"}}
    return runtime(job, policy={"numNodes": 2, "torch": {}})


def submitted(trainer=None, **spec):
    """A TrainJob with all that its schema asks for."""
    return {"apiVersion": API, **trainjob(trainer, **spec)}


def found(verdict, *rules):
    """Rule, pointer and message of each finding, of some rules or of all."""
    return [(one.rule, one.pointer, one.message) for one in verdict.findings if not rules or one.rule in rules]
