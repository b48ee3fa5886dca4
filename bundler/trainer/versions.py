"""The versions of Kubeflow Trainer: each difference between them as a value or a small strategy, all in one table.

Source: tags v2.2.0, v2.2.1 and v2.3.0 of github.com/kubeflow/trainer; what is planned for 2.4 from its pull requests.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING

from bundler.compose.wording import listed, shown
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.trainer.patches import Patching, merged_jobs, merged_spec
from bundler.trainer.resources import Resourcing, overlaid, overlaid_with_claims, replaced
from bundler.trainer.upsert import Same, by_number, by_number_or_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bundler.model.location import Location

__all__ = ["VERSIONS", "TrainerVersion", "trainer_version"]

_TORCH = frozenset({"PET_NNODES", "PET_NPROC_PER_NODE", "PET_NODE_RANK", "PET_MASTER_ADDR", "PET_MASTER_PORT"})
_XGBOOST = frozenset({"DMLC_TRACKER_URI", "DMLC_TRACKER_PORT", "DMLC_TASK_ID", "DMLC_NUM_WORKER"})
_MPI = frozenset(
    {
        "OMPI_MCA_orte_default_hostfile",
        "OMPI_MCA_plm_rsh_args",
        "OMPI_MCA_orte_keep_fqdn_hostnames",
        "OMPI_MCA_orte_set_default_slots",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainerVersion:
    """What one version does differently.

    Attributes:
        schemas: the version whose CRD schemas are vendored.
        patched: how patches change a template.
        adds_jobs: whether a patch of a replicated job that is not there adds it, or is refused.
        resourced: what resourcesPerNode makes of the runtime's resources.
        counts_merged_resources: whether a pod group counts them so, or takes resourcesPerNode for the whole.
        same_port: which ports are taken for one.
        reserved: framework → variables that a TrainJob may not set.
        injects_env: whether a runtime's `torch.envInjection` is known.
        key_modes: file → mode of the SSH keys of MPI; the empty name for all others.
        every_replica: whether a host file lists the pods of all replicas of a job.
        initializer_mount: whether an initialiser's container needs the mount `initializer`.
        least: field of `spec.trainer` → the smallest number that is admitted.
        refuses_misses: whether a patch of what the runtime has not is refused, or adds it.
        refuses_claims: whether claims in resourcesPerNode are refused, or ignored.
        preview: whether it is a plan.
    """

    name: str
    schemas: str
    patched: Patching
    adds_jobs: bool
    resourced: Resourcing
    counts_merged_resources: bool
    same_port: Same = by_number_or_name
    reserved: Mapping[str, frozenset[str]]
    injects_env: bool
    key_modes: Mapping[str, int] = field(default_factory=dict)
    every_replica: bool
    initializer_mount: bool
    least: Mapping[str, int] = field(default_factory=dict)
    refuses_misses: bool = False
    refuses_claims: bool = False
    preview: bool = False


_V220 = TrainerVersion(
    name="2.2.0",
    schemas="2.2.0",
    patched=merged_jobs,
    adds_jobs=False,
    resourced=replaced,
    counts_merged_resources=False,
    reserved={"torch": _TORCH, "xgboost": _XGBOOST},
    injects_env=False,
    every_replica=False,
    initializer_mount=False,
)
_V221 = replace(_V220, name="2.2.1")
_V230 = TrainerVersion(
    name="2.3.0",
    schemas="2.3.0",
    patched=merged_spec,
    adds_jobs=True,
    resourced=overlaid,
    counts_merged_resources=True,
    reserved={"torch": _TORCH, "xgboost": _XGBOOST, "mpi": _MPI},
    injects_env=True,
    key_modes={"": 0o400, "id_rsa": 0o640, "id_rsa.pub": 0o644, "authorized_keys": 0o644},
    every_replica=True,
    initializer_mount=True,
)
_V240 = replace(
    _V230,
    name="2.4-preview",
    resourced=overlaid_with_claims,
    same_port=by_number,
    least={"numNodes": 0, "numProcPerNode": 1},  # pull request 3809
    refuses_misses=True,  # pull request 3948
    refuses_claims=True,  # pull request 4027
    preview=True,
)

VERSIONS: Mapping[str, TrainerVersion] = {version.name: version for version in (_V220, _V221, _V230, _V240)}
"""Full version → what it does; `2.4-preview` is what is planned, merged or open, and may change.

What a plan adds to the schemas is not known here: a field of it is an unknown one."""

_ALIASES = {"2.2": "2.2.0", "2.3": "2.3.0"}


def trainer_version(text: str, *, location: Location | None = None) -> TrainerVersion:
    """The version that a user or a bundle names, such as `2.3`, `2.3.0` or `v2.3.0`.

    Raises:
        InvalidInput: its behaviour is not known.
    """
    name = text.removeprefix("v")
    version = VERSIONS.get(_ALIASES.get(name, name))
    if version is None:
        message = f"Kubeflow Trainer {shown(text)} is not known here"
        raise InvalidInput("AICR-J001", message, location=location, fix=f"known versions: {listed(VERSIONS)}")
    return version
