"""Looking into a rendered Workflow."""

ALL_REDUCE = "communication/nccl-all-reduce"
COMMUNICATION = [
    ALL_REDUCE,
    "communication/nccl-all-gather",
    "communication/nccl-alltoall",
    "communication/nccl-loopback",
    "communication/nccl-loopback-nvswitch",
]
MPI = COMMUNICATION[:3]
SWEEP = ["-b", "8", "-e", "16G", "-f", "2", "-n", "100", "-N", "10"]
ARM64 = {"key": "kubernetes.io/arch", "operator": "Equal", "value": "arm64", "effect": "NoSchedule"}
GPU = {"key": "nvidia.com/gpu", "operator": "Equal", "value": "present", "effect": "NoSchedule"}
ANY_GPU = {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}


def runtime(workflow):
    return next(one for one in workflow["spec"]["dependencies"] if one["kind"] == "TrainingRuntime")


def pod(workflow, job="node"):
    """The pod template of a replicated job."""
    jobs = runtime(workflow)["spec"]["template"]["spec"]["replicatedJobs"]
    return next(one for one in jobs if one["name"] == job)["template"]["spec"]["template"]


def node(workflow, job="node"):
    """The first container of a replicated job."""
    return pod(workflow, job)["spec"]["containers"][0]


def trainer(workflow):
    return workflow["spec"]["jobTemplate"]["spec"]["workload"]["trainJob"]["trainer"]


def env(container):
    return {variable["name"]: variable.get("value") for variable in container.get("env", ())}


def handed_over(workflow):
    """What mpirun hands to every rank: NAME=VALUE of each -x, in order."""
    args = trainer(workflow)["args"]
    return [args[index + 1] for index, word in enumerate(args) if word == "-x"]


def kinds(workflow):
    return [dependency["kind"] for dependency in workflow["spec"]["dependencies"]]


def resources(workflow):
    """Limits of the worker, which are its requests."""
    stated = node(workflow)["resources"]
    assert stated.get("limits") == stated.get("requests")
    return stated.get("limits") or {}
