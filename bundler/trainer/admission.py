"""What a server admits besides the schema: the CEL rules of the TrainJob CRD and the rules of its webhook, by hand.

Sources: x-kubernetes-validations in manifests/base/crds/trainer.kubeflow.org_trainjobs.yaml, pkg/webhooks/trainjob_webhook.go and
the Validate functions of pkg/runtime/framework/plugins of github.com/kubeflow/trainer, with recorded verdicts. Rules that bind
only when an object is changed are not repeated here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bundler.compose.wording import listed, near_name, nearest, shown
from bundler.kube import names
from bundler.model.finding import Severity
from bundler.trainer.draft import LAUNCHER, NODE, Draft
from bundler.trainer.pod_groups import QUEUE
from bundler.trainer.torch import TORCHTUNE
from bundler.trainer.trainjob import GROUP
from bundler.trainer.traps import claims_fix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bundler.model.document import JsonObject
    from bundler.model.finding import Finding
    from bundler.trainer.trainjob import TrainJob
    from bundler.trainer.versions import TrainerVersion

__all__ = ["RUNTIME_KINDS", "admit", "refers"]

RUNTIME_KINDS = ("ClusterTrainingRuntime", "TrainingRuntime")
_RESERVED_CONTAINERS = ("dataset-initializer", "model-initializer", "node")
_INITIALIZERS = {"dataset": "dataset-initializer", "model": "model-initializer"}
_PATH = re.compile(r"[A-Za-z0-9/\-._~%!$&'()*+,;=:]+\Z")
_PLACE = re.compile(r"[a-z][a-z0-9+.-]*://.+\Z", re.IGNORECASE)
_SUPPORT = "trainer.kubeflow.org/support"
_TWO_NODES = 2


def refers(job: TrainJob, known: Mapping[tuple[str, str], str], offered: Sequence[str] = ()) -> Iterator[Finding]:
    """Whether the runtime that the job refers to is there.

    Args:
        job: the TrainJob.
        known: kind and name of each runtime → the only namespace it serves, or the empty string.
        offered: names that could have been meant where none is known.
    """
    if not job.runtime_name:
        yield job.finding("AICR-J011", "/spec/runtimeRef/name", "the job refers to no runtime", "name one in spec.runtimeRef")
        return
    if job.runtime_kind not in RUNTIME_KINDS or job.runtime_group != GROUP:
        kind, group = job.runtime_kind or "kind without a name", job.runtime_group or "no group"
        message = f"runtimeRef is to a {kind} of {group}, which the Trainer does not run"
        fix = nearest(job.runtime_kind, RUNTIME_KINDS) if job.runtime_group == GROUP else "remove apiGroup"
        yield job.finding("AICR-J010", "/spec/runtimeRef", message, fix)
        return
    namespace = known.get((job.runtime_kind, job.runtime_name))
    if namespace is None:
        other = [kind for kind, name in known if name == job.runtime_name]
        message = f"no {job.runtime_kind} {shown(job.runtime_name)}; it has to exist before the job"
        fix = f"set kind: {other[0]}" if other else _meant(job.runtime_name, [name for _, name in known], offered)
        yield job.finding("AICR-J011", f"/spec/runtimeRef/{'kind' if other else 'name'}", message, fix)
    elif namespace and job.namespace not in {"", namespace}:
        message = f"{job.runtime_kind} {shown(job.runtime_name)} is in namespace {namespace!r}, and the job in {job.namespace!r}"
        yield job.finding("AICR-J011", "/metadata/namespace", message, f"put the job into namespace {namespace!r}")


def _meant(name: str, known: Sequence[str], offered: Sequence[str]) -> str:
    if known:
        return nearest(name, known, label="runtimes")
    near = near_name(name, offered)
    other = "give its file with --runtime, or the bundle that has it with --bundle"
    return f"did you mean {near!r}? If not, {other}" if near else other


def admit(job: TrainJob, runtime: JsonObject, version: TrainerVersion) -> Iterator[Finding]:
    """What CRD and webhook say of a job whose structure is right."""
    draft = Draft.of(job.data, runtime, version)
    for rule in _RULES:
        yield from rule(job, runtime, draft)


def _numbers(job: TrainJob, _runtime: JsonObject, draft: Draft) -> Iterator[Finding]:
    """The least numbers, where a version has any, and the jobs that an MPI launcher needs to be a node."""
    trainer = job.trainer or {}
    for name, least in draft.version.least.items():
        if (number := trainer.get(name)) is not None and number < least:
            yield job.finding("AICR-J012", f"/spec/trainer/{name}", f"{name} is {number}", f"set it to {least} or more")
    stated = trainer.get("numNodes") or 0
    if stated >= _TWO_NODES and (draft.framework("mpi") or {}).get("runLauncherAsNode"):
        missing = [name for name in (LAUNCHER, NODE) if draft.job_named(name) is None]
        if missing:
            message = f"numNodes is {stated}, and the MPI runtime has no replicated job {listed(map(repr, missing))}"
            yield job.finding("AICR-J012", "/spec/trainer/numNodes", message, "set it to 1, or use a runtime with both jobs")


def _claims(job: TrainJob, runtime: JsonObject, draft: Draft) -> Iterator[Finding]:
    """Claims that a version refuses where others ignore them."""
    if draft.version.refuses_claims and ((job.trainer or {}).get("resourcesPerNode") or {}).get("claims"):
        at = "/spec/trainer/resourcesPerNode/claims"
        yield job.finding("AICR-J022", at, "claims in resourcesPerNode are not admitted", claims_fix(job, runtime))


def _reserved_variables(job: TrainJob, _runtime: JsonObject, draft: Draft) -> Iterator[Finding]:
    """Variables that the framework of the runtime sets itself."""
    for framework, reserved in draft.version.reserved.items():
        if draft.framework(framework) is None:
            continue
        for index, entry in enumerate((job.trainer or {}).get("env") or ()):
            if entry["name"] in reserved:
                message = f"{entry['name']} is set by the Trainer, and a TrainJob may not"
                yield job.finding("AICR-J013", f"/spec/trainer/env/{index}/name", message, "remove the variable")


def _initializers(job: TrainJob, _runtime: JsonObject, draft: Draft) -> Iterator[Finding]:
    """An initialiser needs a replicated job and a container of its name, from 2.3 with the mount `initializer`."""
    for field, name in _INITIALIZERS.items():
        wanted = (job.spec.get("initializer") or {}).get(field)
        if wanted is None:
            continue
        at = f"/spec/initializer/{field}"
        index = draft.job_named(name)
        container = draft.container(index, name) or draft.container(index, name, init=True)
        if container is None:
            missing = "replicated job" if index is None else "container"
            message = f"the runtime has no {missing} {name!r}, which initializer.{field} needs"
            yield job.finding("AICR-J014", at, message, "use a runtime that has it")
        elif draft.version.initializer_mount and not any(
            mount["name"] == "initializer" for mount in container.get("volumeMounts") or ()
        ):
            message = f"container {name!r} of the runtime does not mount a volume 'initializer'"
            yield job.finding("AICR-J014", at, message, "use a runtime that mounts it")
        place = wanted.get("storageUri")
        if place and draft.version.initializer_mount and not _PLACE.match(place):
            message = f"storageUri {shown(place)} has no scheme"
            yield job.finding("AICR-J014", f"{at}/storageUri", message, "write scheme://place")


def _patches(job: TrainJob, _runtime: JsonObject, draft: Draft) -> Iterator[Finding]:
    """Who patches, and what no patch may touch."""
    for number, patch in enumerate(job.spec.get("runtimePatches") or ()):
        at = f"/spec/runtimePatches/{number}"
        if reason := _no_domain_path(patch["manager"]):
            message = f"manager {shown(patch['manager'])} {reason}"
            yield job.finding("AICR-J015", f"{at}/manager", message, "write a domain and a path, such as example.com/team")
        spec = ((patch.get("trainingRuntimeSpec") or {}).get("template") or {}).get("spec") or {}
        for index, one in enumerate(spec.get("replicatedJobs") or ()):
            pointer = f"{at}/trainingRuntimeSpec/template/spec/replicatedJobs/{index}"
            yield from _patched_job(job, one, pointer, draft)


def _patched_job(job: TrainJob, patch: JsonObject, pointer: str, draft: Draft) -> Iterator[Finding]:
    if draft.job_named(patch["name"]) is None:
        message = f"the runtime has no replicated job {patch['name']!r}"
        fix = nearest(patch["name"], [one["name"] for one in draft.jobs])
        yield job.finding("AICR-J016", f"{pointer}/name", message, fix)
    pod = ((patch.get("template") or {}).get("spec") or {}).get("template") or {}
    for index, container in enumerate((pod.get("spec") or {}).get("containers") or ()):
        if container["name"] in _RESERVED_CONTAINERS and container.get("env"):
            at = f"{pointer}/template/spec/template/spec/containers/{index}/env"
            message = f"a patch may not set variables of container {container['name']!r}"
            where = "spec.trainer.env" if container["name"] == NODE else "spec.initializer"
            yield job.finding("AICR-J017", at, message, f"set them in {where}")


def _env_injection(job: TrainJob, _runtime: JsonObject, draft: Draft) -> Iterator[Finding]:
    """The containers that the runtime wants the variables of torch in."""
    torch = draft.framework("torch") or {}
    for target in (torch.get("envInjection") or {}).get("targets") or () if draft.version.injects_env else ():
        index = draft.job_named(target["jobName"])
        for name in target["containerNames"]:
            if (draft.container(index, name) or draft.container(index, name, init=True)) is None:
                message = f"envInjection of the runtime names container {name!r} of {target['jobName']!r}, which is not there"
                yield job.finding("AICR-J018", "/spec/runtimeRef", message, "correct the runtime")


def _queue(job: TrainJob, _runtime: JsonObject, draft: Draft) -> Iterator[Finding]:
    """The queue of volcano is named or absent."""
    if draft.pod_group.get("volcano") is not None and draft.annotations.get(QUEUE) == "":
        yield job.finding(
            "AICR-J019", "/spec/runtimeRef", f"annotation {QUEUE} of the JobSet is empty", "name a queue, or remove it"
        )


def _deprecated(job: TrainJob, runtime: JsonObject, _draft: Draft) -> Iterator[Finding]:
    labels = (runtime.get("metadata") or {}).get("labels") or {}
    if labels.get(_SUPPORT) == "deprecated" and job.runtime_kind == RUNTIME_KINDS[0]:
        message = f"runtime {job.runtime_name!r} is deprecated and will be removed"
        yield job.finding("AICR-J020", "/spec/runtimeRef/name", message, "move to its successor", severity=Severity.WARNING)


def _torchtune(job: TrainJob, _runtime: JsonObject, draft: Draft) -> Iterator[Finding]:
    if draft.framework("torch") is not None and (job.trainer or {}).get("command") == TORCHTUNE:
        message = "the Trainer adds arguments of its own to the command of torchtune, which are not shown here"
        yield job.finding("AICR-J021", "/spec/trainer/command", message, "read them off the pod", severity=Severity.NOTE)


def _no_domain_path(manager: str) -> str | None:
    domain, slash, path = manager.partition("/")
    if not slash or not domain or not path:
        return "is not a path with a domain in front"
    if names.dns_subdomain(domain):
        return f"starts with {shown(domain)}, which is no domain"
    return None if _PATH.match(path) else f"has the path {shown(path)}, which cannot stand in an address"


_RULES: tuple[Callable[[TrainJob, JsonObject, Draft], Iterator[Finding]], ...] = (
    _numbers,
    _claims,
    _reserved_variables,
    _initializers,
    _patches,
    _env_injection,
    _queue,
    _deprecated,
    _torchtune,
)
