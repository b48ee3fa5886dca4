"""Rules on pods: values from closed lists, restart policies, tolerations, selectors, placement.

A custom resource's schema declares none of the closed lists (recorded: `restartPolicy: Sometimes` is admitted), so a typo would
surface when the pod is made.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from bundler.conform.affinity import LABEL_OPERATORS, LABEL_TERMS, NODE_OPERATORS, NODE_TERMS
from bundler.conform.context import found
from bundler.conform.paths import Paths
from bundler.conform.pods import PodTemplate, is_runtime, pod_templates, replicated_jobs, spec, training_pods
from bundler.kube import names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.conform.context import Context
    from bundler.kube.resource import Resource
    from bundler.model.document import JsonObject
    from bundler.model.finding import Finding

__all__ = ["closed_lists", "dependencies", "job_names", "placement", "restart_policies", "selector", "tolerations"]

_CONTAINERS = ("initContainers/*", "containers/*")
_CLOSED: Paths[tuple[str, ...]] = Paths.of(
    (
        ("dnsPolicy", ("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None")),
        ("preemptionPolicy", ("Never", "PreemptLowerPriority")),
        ("tolerations/*/operator", ("Exists", "Equal")),
        ("tolerations/*/effect", ("", "NoSchedule", "PreferNoSchedule", "NoExecute")),
        (
            "volumes/*/hostPath/type",
            ("", "DirectoryOrCreate", "Directory", "FileOrCreate", "File", "Socket", "CharDevice", "BlockDevice"),
        ),
        ("topologySpreadConstraints/*/whenUnsatisfiable", ("DoNotSchedule", "ScheduleAnyway")),
        *((f"{term}/operator", NODE_OPERATORS) for term in NODE_TERMS),
        *((f"{term}/operator", LABEL_OPERATORS) for term in LABEL_TERMS),
        *((f"{container}/imagePullPolicy", ("Always", "IfNotPresent", "Never")) for container in _CONTAINERS),
        *((f"{container}/terminationMessagePolicy", ("File", "FallbackToLogsOnError")) for container in _CONTAINERS),
        *(
            (f"{container}/volumeMounts/*/mountPropagation", ("None", "HostToContainer", "Bidirectional"))
            for container in _CONTAINERS
        ),
        *((f"{container}/ports/*/protocol", ("TCP", "UDP", "SCTP")) for container in _CONTAINERS),
        *(
            (f"{container}/securityContext/seccompProfile/type", ("RuntimeDefault", "Unconfined", "Localhost"))
            for container in _CONTAINERS
        ),
    )
)
"""Path below a pod's spec → its closed list (k8s.io/api/core/v1)."""
_POD_RESTARTS = {"DaemonSet": ("Always",), "Deployment": ("Always",)}
_JOB_RESTARTS = ("Never", "OnFailure")


def closed_lists(resource: Resource) -> Iterator[Finding]:
    """Values that Kubernetes takes from closed lists."""
    for pod in pod_templates(resource):
        for allowed, pointer, value in _CLOSED.select(pod.spec, f"{pod.pointer}/spec"):
            if value not in allowed:
                yield _not_allowed(resource, pointer, value, allowed)


def restart_policies(resource: Resource) -> Iterator[Finding]:
    """A job's pods do not restart for ever, a daemon's do; of containers only native sidecars state a policy: Always."""
    allowed = _JOB_RESTARTS if is_runtime(resource) else _POD_RESTARTS.get(resource.kind, ())
    for pod in pod_templates(resource):
        policy = pod.spec.get("restartPolicy")
        if policy is not None and allowed and policy not in allowed:
            yield _not_allowed(resource, f"{pod.pointer}/spec/restartPolicy", policy, allowed)
        for container in pod.containers():
            policy = container.data.get("restartPolicy")
            at = f"{container.pointer}/restartPolicy"
            if policy is not None and not container.init:
                message = f"container {container.name!r} states restartPolicy, which is for native sidecars in initContainers"
                yield found(resource, "AICR-K060", at, message, "remove restartPolicy")
            elif policy not in {None, "Always"}:
                yield _not_allowed(resource, at, policy, ("Always",))


def tolerations(resource: Resource) -> Iterator[Finding]:
    """A toleration tolerates something, and labels in a node selector are labels."""
    for pod in pod_templates(resource):
        for index, toleration in enumerate(pod.spec.get("tolerations") or ()):
            pointer = f"{pod.pointer}/spec/tolerations/{index}"
            exists = toleration.get("operator") == "Exists"
            if exists and toleration.get("value"):
                yield found(resource, "AICR-K061", pointer, "a toleration with operator Exists has a value", "remove the value")
            if not exists and not toleration.get("key"):
                yield found(
                    resource, "AICR-K061", pointer, "a toleration without key needs operator Exists", "add operator: Exists"
                )
            if toleration.get("tolerationSeconds") is not None and toleration.get("effect") != "NoExecute":
                message = "tolerationSeconds counts only with effect NoExecute, and is refused with any other"
                yield found(resource, "AICR-K061", pointer, message, "set effect: NoExecute, or remove tolerationSeconds")
        for key, value in (pod.spec.get("nodeSelector") or {}).items():
            if reason := names.qualified_name(key) or names.label_value(value):
                at = f"{pod.pointer}/spec/nodeSelector"
                message = f"node selector {key!r}: {value!r} {reason}"
                yield found(resource, "AICR-K061", at, message, "correct the label")


def selector(resource: Resource) -> Iterator[Finding]:
    """A workload selects its own pods."""
    if resource.kind not in _POD_RESTARTS:
        return
    wanted = (resource.data["spec"].get("selector") or {}).get("matchLabels") or {}
    for pod in pod_templates(resource):
        labels = pod.metadata.get("labels") or {}
        if any(labels.get(key) != value for key, value in wanted.items()):
            message = "the pod template's labels do not match the selector"
            yield found(resource, "AICR-K062", f"{pod.pointer}/metadata", message, "give the template the labels of the selector")


def job_names(resource: Resource) -> Iterator[Finding]:
    """A replicated job's name becomes part of host names, where underscores and dots have no place."""
    for pointer, job in replicated_jobs(resource) if is_runtime(resource) else ():
        if reason := names.dns_label(job["name"]):
            message = f"name {job['name']!r} of a replicated job {reason}"
            yield found(resource, "AICR-K063", f"{pointer}/name", message, "correct the name")


def dependencies(resource: Resource) -> Iterator[Finding]:
    """A replicated job depends only on those before it, or no JobSet is ever made."""
    before: set[str] = set()
    for pointer, job in replicated_jobs(resource) if is_runtime(resource) else ():
        for index, dependency in enumerate(job.get("dependsOn") or ()):
            if dependency["name"] not in before:
                message = f"replicated job {job['name']!r} depends on {dependency['name']!r}, which is not before it"
                yield found(resource, "AICR-K064", f"{pointer}/dependsOn/{index}", message, "order the replicated jobs")
        before.add(job["name"])


def placement(resource: Resource, context: Context) -> Iterator[Finding]:
    """What was asked for nodes with GPUs stands on the pods that train: the effect is checked, not a value that should cause it."""
    wanted = context.composition.accelerated
    for pod in _training_pods(resource):
        labels = pod.spec.get("nodeSelector") or {}
        missing = {key: value for key, value in wanted.node_selector.items() if labels.get(key) != value}
        if missing:
            listed = ", ".join(f"{key}={value}" for key, value in missing.items())
            message = f"the pod template does not select the accelerated nodes: {listed}"
            at = f"{pod.pointer}/spec/nodeSelector"
            yield found(resource, "AICR-K065", at, message, "use accelerated.nodeSelector in the template")
        stated = pod.spec.get("tolerations") or []
        for toleration in wanted.tolerations:
            if toleration not in stated and {"operator": "Exists"} not in stated:
                message = f"the pod template lacks the toleration {_described(toleration)} of the accelerated nodes"
                at = f"{pod.pointer}/spec/tolerations"
                yield found(resource, "AICR-K065", at, message, "use accelerated.tolerations in the template")


def _training_pods(resource: Resource) -> Iterator[PodTemplate]:
    """The pods that use GPUs. Without MPI a job of no step may train, too."""
    if is_runtime(resource):
        yield from training_pods(resource)
        if (spec(resource).get("mlPolicy") or {}).get("mpi") is None:
            yield from (pod for pod in pod_templates(resource) if not pod.step)


def _described(toleration: JsonObject) -> str:
    return ", ".join(f"{key} {value!r}" for key, value in toleration.items())


def _not_allowed(resource: Resource, pointer: str, value: Any, allowed: tuple[str, ...]) -> Finding:
    field = pointer.rpartition("/")[2]
    near = get_close_matches(str(value), allowed, n=1)
    message = f"{field} {value!r} is not one of {', '.join(name for name in allowed if name)}"
    return found(
        resource, "AICR-K060", pointer, message, f"did you mean {near[0]!r}?" if near else f"choose one of {', '.join(allowed)}"
    )
