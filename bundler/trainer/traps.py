"""Jobs that are admitted, run, and do not do what their author meant.

Source: how the Trainer counts processes and forms the process group (2.2 and 2.3, with recorded runs), and what attaching a pod to
a fabric asks of a job: all GPUs of its nodes, and what only the runtime can bring.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.compose.wording import listed, plural, shown
from bundler.conform.pods import step
from bundler.model.finding import Severity
from bundler.trainer.draft import NODE, TRAINER, pod_spec, runtime_jobs
from bundler.trainer.elements import NATIVE, Part
from bundler.trainer.resources import amount, gpus
from bundler.trainer.survival import Fate
from bundler.trainer.variants import BLAMELESS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from decimal import Decimal

    from bundler.model.document import JsonObject
    from bundler.model.finding import Finding
    from bundler.trainer.jobset import JobSet
    from bundler.trainer.runtimes import Runtime
    from bundler.trainer.survival import Survivor
    from bundler.trainer.trainjob import TrainJob
    from bundler.trainer.variants import Variant, Variants
    from bundler.trainer.versions import TrainerVersion

__all__ = [
    "claims_fix",
    "fabric_traps",
    "ignored",
    "launcher_traps",
    "no_processes",
    "no_such_host",
    "process_traps",
    "wrong_runtime",
]

_PER_NODE = "/spec/trainer/resourcesPerNode"
_PROCESSES = "PET_NPROC_PER_NODE"
_AUTO = "auto"
_ADDRESSES = frozenset({"PET_MASTER_ADDR", "JAX_COORDINATOR_ADDRESS", "DMLC_TRACKER_URI"})
"""Variables by which pods find the first one, of which the Trainer follows no name and no network of the runtime."""


def no_processes(job: TrainJob, runtime: JsonObject, version: TrainerVersion) -> Iterator[Finding]:
    """A number of processes that no launcher takes, where the version does not refuse it."""
    policy, stated = _policy(runtime), (job.trainer or {}).get("numProcPerNode")
    if (
        "numProcPerNode" not in version.least
        and stated is not None
        and stated < 1
        and any(policy.get(name) is not None for name in ("torch", "mpi"))
    ):
        message = f"numProcPerNode is {stated}, so no process starts"
        yield job.finding("AICR-J052", "/spec/trainer/numProcPerNode", message, "leave it out, or set it to 1 or more")


def no_such_host(job: TrainJob, jobset: JobSet) -> Iterator[Finding]:
    """Pods that look for the first one under a name that no pod has."""
    network, first = jobset.data["spec"]["network"], jobset.job(NODE)
    domain = network.get("subdomain") or jobset.name
    if first is None or step(first) != TRAINER:
        reason = f"no replicated job named {NODE!r} trains"
    elif not network["enableDNSHostnames"]:
        reason = "network.enableDNSHostnames of the runtime is false"
    elif domain != jobset.name:
        reason = f"network.subdomain of the runtime is {domain!r}"
    else:
        return
    for training in jobset.jobs:
        if step(training) == TRAINER:
            severity = Severity.ERROR if training["template"]["spec"]["parallelism"] > 1 else Severity.WARNING
            entries = [entry for one in pod_spec(training).get("containers", ()) for entry in one.get("env") or ()]
            for entry in entries:
                if entry["name"] in _ADDRESSES:
                    message = f"{entry['name']} is {entry.get('value')}, and no pod has that name: {reason}"
                    fix = "correct the runtime, or use another"
                    yield job.finding("AICR-J057", "/spec/runtimeRef", message, fix, severity=severity)


def process_traps(job: TrainJob, jobset: JobSet, runtime: Runtime) -> Iterator[Finding]:
    """Torch: a process group that is missing or has another size than the GPUs of its pods."""
    if _policy(runtime.data).get("torch") is None:
        return
    asked = any(_gpus(runtime.parts))
    for training in jobset.jobs:
        if step(training) == TRAINER:
            yield from _no_group(job, training)
            for container in pod_spec(training).get("containers", ()):
                if container["name"] == NODE:
                    yield from _processes(job, container, asked=asked)


def fabric_traps(
    job: TrainJob, before: Mapping[Part, Any], after: Mapping[Part, Any], survivors: tuple[Survivor, ...]
) -> Iterator[Finding]:
    """A runtime that attaches its pods: fewer GPUs than the nodes have, and devices that cost the claims of the runtime."""
    for part, shipped in _gpus(before):
        has, wants = (_most(amounts) for amounts in (after.get(part, shipped), shipped))
        if has != wants:
            message = f"{part.name} of {part.place} is {has:f}, and the runtime attaches whole nodes of {wants:f}"
            yield job.finding("AICR-J043", _PER_NODE, message, "take all GPUs of a node, or a runtime for less than a node")
    lost = [survivor.part for survivor in survivors if survivor.part.kind == "claim" and survivor.fate is not Fate.KEPT]
    wanted = (job.trainer or {}).get("resourcesPerNode") or {}
    devices = sorted({name for section in ("limits", "requests") for name in wanted.get(section) or {}} - NATIVE)
    if lost and devices:
        message = f"{listed(devices)} in resourcesPerNode cost the job the claim {listed(shown(part.name) for part in lost)}"
        brings = all(any(part.kind == "resource" and part.name == name for part in before) for name in devices)
        fix = "leave resourcesPerNode out: the runtime brings both" if brings else "use a runtime that brings both; no job can"
        yield job.finding("AICR-J042", _PER_NODE, message, fix)


def wrong_runtime(job: TrainJob, jobset: JobSet, attached: list[tuple[str, str, str]]) -> Iterator[Finding]:
    """Several nodes on a runtime that attaches none, where one that does is at hand.

    Args:
        job: the TrainJob.
        jobset: what it becomes.
        attached: name, kind and namespace of the runtimes at hand that attach their pods.
    """
    nodes = sum(one["template"]["spec"]["parallelism"] for one in jobset.jobs if step(one) == TRAINER)
    if attached and nodes > 1:
        message = f"{nodes} nodes on runtime {job.runtime_name!r}, which attaches no pod to the fabric: they talk over TCP"
        fix = f"set it to {' or '.join(_choice(job, *one) for one in attached)}"
        yield job.finding("AICR-J044", "/spec/runtimeRef/name", message, fix, severity=Severity.WARNING)


def claims_fix(job: TrainJob, runtime: JsonObject) -> str:
    """What to do instead of stating claims in resourcesPerNode, where no version takes them."""
    brought = {claim["name"] for one in runtime_jobs(runtime) for claim in pod_spec(one).get("resourceClaims") or ()}
    stated = {claim["name"] for claim in ((job.trainer or {}).get("resourcesPerNode") or {}).get("claims") or ()}
    return "leave resourcesPerNode out: the runtime has the claims" if stated <= brought else "use a runtime that has the claims"


def ignored(job: TrainJob, runtime: JsonObject, variants: Variants) -> Iterator[Finding]:
    """What the job states and its pods do not have."""
    training = _training(variants.whole)
    if not training and (job.trainer or _policy(runtime).get("torch") is not None):
        what = "no pod trains" if job.trainer is None else "spec.trainer is ignored"
        cause = variants.cause(lambda variant: not _training(variant))
        if cause == BLAMELESS:
            message = f"{what}: no replicated job of runtime {job.runtime_name!r} has the ancestor label of a trainer"
            yield job.finding("AICR-J055", "/spec/trainer", message, "use a runtime that trains, or add the label to it")
        else:
            message = f"{what}: the patch takes the ancestor label of a trainer from the job that trains"
            yield job.finding("AICR-J055", cause, message, "leave the label to the runtime")
    if not training or not job.trainer:
        return
    for index, entry in enumerate(job.trainer.get("env") or ()):
        if entry.get("valueFrom") is not None and entry.get("value"):
            message = f"the value of {entry['name']} reaches no pod: valueFrom stands in its place"
            yield job.finding("AICR-J055", f"/spec/trainer/env/{index}/value", message, "keep one of them")
    wanted = job.trainer.get("resourcesPerNode") or {}
    if wanted.get("claims") and not variants.version.refuses_claims:
        message = "claims in resourcesPerNode reach no pod"
        yield job.finding("AICR-J055", f"{_PER_NODE}/claims", message, claims_fix(job, runtime))
    nodes = [one for each in training for one in pod_spec(each).get("containers", ()) if one["name"] == NODE]
    for section in ("limits", "requests"):
        for name in wanted.get(section) or {}:
            if any(amount((one.get("resources") or {}).get(section), name) != amount(wanted[section], name) for one in nodes):
                message = f"{name} in {section} of resourcesPerNode reaches no pod: the runtime has no mlPolicy"
                yield job.finding("AICR-J055", f"{_PER_NODE}/{section}", message, "add mlPolicy to the runtime")


def launcher_traps(job: TrainJob, jobset: JobSet, runtime: JsonObject) -> Iterator[Finding]:
    """MPI: GPUs that go to the launcher, and fewer slots than the nodes have GPUs."""
    mpi = _policy(runtime).get("mpi")
    if mpi is None:
        return
    if not mpi.get("runLauncherAsNode") and gpus((job.trainer or {}).get("resourcesPerNode") or {}):
        message = "resourcesPerNode goes to the launcher, and the nodes get none of it"
        yield job.finding("AICR-J056", _PER_NODE, message, "state the GPUs of nodes in the runtime", severity=Severity.WARNING)
    slots = {line.rpartition("=")[2] for one in jobset.others for line in _host_file(one)}
    node = jobset.job(NODE)
    devices = max((gpus(one.get("resources") or {}) for one in pod_spec(node).get("containers", ())), default=0) if node else 0
    if devices > 1 and slots and str(devices) not in slots:
        given = " or ".join(plural(int(one), "slot") for one in sorted(slots))
        message = f"the host file gives each node {given}, and a node has {devices} GPUs"
        yield job.finding("AICR-J056", "/spec/trainer", message, f"set numProcPerNode to {devices}", severity=Severity.WARNING)


def _choice(job: TrainJob, name: str, kind: str, namespace: str) -> str:
    """A runtime to refer to instead, with what else has to change for it."""
    of_kind = "" if kind == job.runtime_kind else f" with kind: {kind}"
    moved = f", and the namespace to {namespace}" if namespace and namespace != job.namespace else ""
    return f"{name}{of_kind}{moved}"


def _host_file(made: JsonObject) -> list[str]:
    return str((made.get("data") or {}).get("hostfile", "")).splitlines() if made["kind"] == "ConfigMap" else []


def _no_group(job: TrainJob, training: JsonObject) -> Iterator[Finding]:
    if job.trainer is None:
        nodes = training["template"]["spec"]["parallelism"]
        message = f"without spec.trainer no pod of {nodes} gets PET_ variables and the port, so torchrun finds no process group"
        severity = Severity.ERROR if nodes > 1 else Severity.WARNING
        empty = "trainer" in job.spec
        at, fix = ("/spec/trainer", "write `trainer: {}`") if empty else ("/spec", "add `trainer: {}` to spec")
        yield job.finding("AICR-J050", at, message, fix, severity=severity)


def _processes(job: TrainJob, container: JsonObject, *, asked: bool) -> Iterator[Finding]:
    """Processes a node against GPUs a node; `asked` is whether the runtime states GPUs, which the job then gave up."""
    resources = container.get("resources") or {}
    counts = {
        name: int(stated)
        for section in ("limits", "requests")
        for name, stated in (resources.get(section) or {}).items()
        if "gpu" in name.lower() and str(stated).isdigit()
    }
    processes = next((str(entry.get("value")) for entry in container.get("env") or () if entry["name"] == _PROCESSES), None)
    devices = max(counts.values(), default=0)
    wanted = (job.trainer or {}).get("numProcPerNode")
    if len(set(counts.values())) > 1:
        message = f"the Trainer takes any of {listed(sorted(counts))} for the number of GPUs"
        yield job.finding("AICR-J053", _PER_NODE, message, "use a resource without 'gpu' in its name", severity=Severity.WARNING)
    if processes is None or processes == _AUTO:
        return
    if wanted is not None and devices and 0 < wanted != devices:
        message = f"numProcPerNode is {wanted}, and the pod has {plural(devices, 'GPU')}"
        yield job.finding("AICR-J052", "/spec/trainer/numProcPerNode", message, "leave it out", severity=Severity.WARNING)
    elif wanted is None and devices:
        message = f"{_PROCESSES} becomes {processes}, and the pod has {plural(devices, 'GPU')}: resourcesPerNode names none"
        yield job.finding("AICR-J051", _PER_NODE, message, "leave resourcesPerNode out, or state the GPUs in it")
    elif wanted is None and not asked:
        message = f"no GPU is asked for: {processes} process{'es' if processes != '1' else ''} a node"
        fix = "state GPUs in resourcesPerNode if the job needs any"
        yield job.finding("AICR-J054", "/spec", message, fix, severity=Severity.NOTE)


def _policy(runtime: JsonObject) -> JsonObject:
    """`spec.mlPolicy` of a runtime, empty when absent."""
    return (runtime.get("spec") or {}).get("mlPolicy") or {}


def _training(variant: Variant) -> list[JsonObject]:
    """The replicated jobs that train."""
    return [one for one in variant.jobset.jobs if step(one) == TRAINER]


def _most(amounts: tuple[Decimal, Decimal | None]) -> Decimal:
    """The limit, or what is requested where there is none."""
    requested, limit = amounts
    return (requested if limit is None else limit).normalize()


def _gpus(parts: Mapping[Part, Any]) -> Iterator[tuple[Part, Any]]:
    return ((part, value) for part, value in parts.items() if part.kind == "resource" and "gpu" in part.name.lower())
