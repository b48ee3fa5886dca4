"""MPI: a launcher that reaches the nodes by SSH, keys from a Secret, hosts from a ConfigMap.

Source: pkg/runtime/framework/plugins/mpi/mpi.go of github.com/kubeflow/trainer, and what runs of 2.3 recorded. Defaults are those
of the CRD.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.errors import InvalidInput
from bundler.trainer.draft import LAUNCHER, NODE, pod_spec
from bundler.trainer.resources import gpus
from bundler.trainer.upsert import by_mount_path, by_name, upsert

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.model.document import JsonObject
    from bundler.trainer.draft import Draft
    from bundler.trainer.versions import TrainerVersion

__all__ = ["connect_mpi_nodes", "launches_as_node", "list_mpi_hosts"]

_KEYS = "mpi-ssh-auth"
_HOSTS = "mpi-hostfile"
_HOST_FILE = "hostfile"
_HOSTS_FOLDER = "/etc/mpi"
_KEY_FILES = (("ssh-privatekey", "id_rsa"), ("ssh-publickey", "id_rsa.pub"), ("ssh-publickey", "authorized_keys"))
_SSH_FOLDER = "/root/.ssh"
_FILE_BYTES = 1024 * 1024
_SSH_ARGUMENTS = "-o ConnectionAttempts=10"


def launches_as_node(draft: Draft) -> bool:
    """Whether the launcher is one of the nodes."""
    return bool((draft.framework("mpi") or {}).get("runLauncherAsNode", False))


def connect_mpi_nodes(draft: Draft) -> None:
    """Nodes, keys on launcher and nodes, and on the launcher what mpirun reads."""
    policy = draft.framework("mpi")
    if policy is None:
        return
    nodes = (draft.wanted or {}).get("numNodes")
    if nodes is not None:
        draft.resize(draft.job_named(NODE), max(nodes - 1, 1) if launches_as_node(draft) else nodes)
    for index, job in enumerate(draft.jobs):
        if job["name"] in {NODE, LAUNCHER}:
            _connect(draft, index, policy)


def list_mpi_hosts(draft: Draft) -> None:
    """The host file, once the number of nodes is known, and the keys."""
    policy = draft.framework("mpi")
    if policy is None:
        return
    slots, pods = _slots(draft, policy), sum(draft.counts)
    if pods * len(draft.first_pod()) > _FILE_BYTES:
        message = f"the host file of {pods} pods is larger than a ConfigMap can be, so the Trainer makes no JobSet"
        raise InvalidInput("AICR-J002", message, fix="set numNodes to less")
    hosts = "".join(f"{host} slots={slots}\n" for host in _hosts(draft))
    owned = {"namespace": draft.namespace} if draft.namespace else {}
    hosts_map = {"name": f"{draft.name}-{_HOSTS}", **owned}
    keys = {"name": f"{draft.name}-{_KEYS}", **owned}
    draft.objects += [
        {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": keys,
            "type": "kubernetes.io/ssh-auth",
            "immutable": True,
            "data": {"ssh-privatekey": "", "ssh-publickey": ""},
        },
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": hosts_map, "data": {_HOST_FILE: hosts}},
    ]


def _connect(draft: Draft, index: int, policy: JsonObject) -> None:
    launcher = draft.jobs[index]["name"] == LAUNCHER
    pod = pod_spec(draft.jobs[index])
    volumes = [_keys(draft.name, draft.version), *([_hosts_volume(draft.name)] if launcher else [])]
    pod["volumes"] = upsert(pod.get("volumes"), volumes, by_name)
    node = draft.container(index)
    if node is None:
        return
    mounts = [{"name": _KEYS, "mountPath": policy.get("sshAuthMountPath", _SSH_FOLDER)}]
    if launcher:
        mounts.append({"name": _HOSTS, "mountPath": _HOSTS_FOLDER})
        variables = [
            {"name": "OMPI_MCA_orte_default_hostfile", "value": f"{_HOSTS_FOLDER}/{_HOST_FILE}"},
            {"name": "OMPI_MCA_orte_keep_fqdn_hostnames", "value": "true"},
            {"name": "OMPI_MCA_orte_set_default_slots", "value": str(_slots(draft, policy))},
            {"name": "OMPI_MCA_plm_rsh_args", "value": _SSH_ARGUMENTS},
        ]
        node["env"] = upsert(node.get("env"), variables, by_name)
    node["volumeMounts"] = upsert(node.get("volumeMounts"), mounts, by_mount_path)


def _slots(draft: Draft, policy: JsonObject) -> int:
    """Processes a node: the TrainJob's number; else the runtime's; and where that is 1, the number of GPUs."""
    stated = (draft.wanted or {}).get("numProcPerNode")
    if stated is not None:
        return int(stated)
    slots = int(policy.get("numProcPerNode", 1))
    return max(gpus(draft.resources_per_node()), 1) if slots == 1 else slots


def _hosts(draft: Draft) -> Iterator[str]:
    domain = (draft.spec.get("network") or {}).get("subdomain") or draft.name
    for index, job in enumerate(draft.jobs):
        if job["name"] == NODE or (job["name"] == LAUNCHER and launches_as_node(draft)):
            replicas = job.get("replicas", 1) if draft.version.every_replica else 1
            for replica in range(replicas):
                for pod in range(draft.counts[index]):
                    yield f"{draft.name}-{job['name']}-{replica}-{pod}.{domain}"


def _keys(name: str, version: TrainerVersion) -> JsonObject:
    modes = version.key_modes
    items = [{"key": key, "path": path, **({"mode": modes[path]} if path in modes else {})} for key, path in _KEY_FILES]
    default = {"defaultMode": modes[""]} if "" in modes else {}
    return {"name": _KEYS, "secret": {"secretName": f"{name}-{_KEYS}", **default, "items": items}}


def _hosts_volume(name: str) -> JsonObject:
    items = [{"key": _HOST_FILE, "path": _HOST_FILE, "mode": 0o444}]
    return {"name": _HOSTS, "configMap": {"name": f"{name}-{_HOSTS}", "items": items}}
