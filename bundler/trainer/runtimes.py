"""The runtimes that a TrainJob can refer to, with what is asked of each of them more than once."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bundler.conform.conform import ADMISSION, structure
from bundler.conform.context import own
from bundler.conform.objects import metadata
from bundler.dataclass import dataclass
from bundler.trainer.draft import runtime_jobs
from bundler.trainer.elements import is_attached, parts
from bundler.trainer.materialise import materialise
from bundler.trainer.realised import pod_faults
from bundler.trainer.trainjob import GROUP

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bundler.conform.context import Context
    from bundler.kube.resource import Resource
    from bundler.model.document import JsonObject
    from bundler.model.finding import Finding
    from bundler.trainer.elements import Part
    from bundler.trainer.trainjob import TrainJob
    from bundler.trainer.versions import TrainerVersion

__all__ = ["Runtime", "Runtimes"]


@dataclass(frozen=True, kw_only=True)
class Runtime:
    """One ClusterTrainingRuntime or TrainingRuntime."""

    resource: Resource
    _refused: list[tuple[Finding, ...]] = field(default_factory=list, repr=False, compare=False)
    _faults: dict[str, frozenset[tuple[str, str]]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def data(self) -> JsonObject:
        """The whole object."""
        return self.resource.data

    @cached_property
    def parts(self) -> dict[Part, Any]:
        """Its parts."""
        return parts(runtime_jobs(self.data))

    @cached_property
    def attached(self) -> bool:
        """Whether it attaches its pods to a fabric."""
        return is_attached(self.parts)

    def refused(self, context: Context) -> tuple[Finding, ...]:
        """What a server refuses or drops of it, where it was written; nothing can be worked out from such a runtime."""
        if not self._refused:
            found = tuple(structure(self.resource, context))
            sound = () if found else (finding for rule in (own(metadata), *ADMISSION) for finding in rule(self.resource, context))
            self._refused.append((*found, *sound))
        return self._refused[0]

    def faults(self, version: TrainerVersion) -> frozenset[tuple[str, str]]:
        """Rule and message of what is wrong with its pods whatever a TrainJob says."""
        if version.name not in self._faults:
            bare = {"metadata": {"name": "x"}, "spec": {"trainer": {}}}
            found = pod_faults(materialise(bare, self.data, version))
            self._faults[version.name] = frozenset((finding.rule, finding.message) for finding in found)
        return self._faults[version.name]


@dataclass(frozen=True, kw_only=True)
class Runtimes:
    """Runtimes at hand.

    Attributes:
        by_name: kind and name → runtime.
        shipped: whether they are all that a bundle ships, so that one of them may be the better choice.
        offered: names of runtimes that could be had.
    """

    by_name: dict[tuple[str, str], Runtime] = field(repr=False)
    shipped: bool = False
    offered: tuple[str, ...] = ()

    @classmethod
    def of(cls, resources: Iterable[Resource], *, shipped: bool = False, offered: tuple[str, ...] = ()) -> Runtimes:
        """Runtimes among some objects; one without metadata is nobody's."""
        named = (one for one in resources if isinstance(one.data.get("metadata"), dict))
        found = {(one.kind, one.name): Runtime(resource=one) for one in named}
        return cls(by_name=found, shipped=shipped, offered=offered)

    def of_job(self, job: TrainJob) -> Runtime | None:
        """The runtime that a job refers to. One with a namespace serves that namespace only."""
        runtime = self.by_name.get((job.runtime_kind, job.runtime_name)) if job.runtime_group == GROUP else None
        if runtime is not None and runtime.resource.namespace and job.namespace not in {"", runtime.resource.namespace}:
            return None
        return runtime

    def namespaces(self) -> dict[tuple[str, str], str]:
        """Kind and name of each → the only namespace it serves; empty when it serves more."""
        return {key: runtime.resource.namespace for key, runtime in self.by_name.items()}

    @cached_property
    def attached(self) -> list[tuple[str, str, str]]:
        """Name, kind and namespace of those that attach their pods, where the choice is among all that are shipped."""
        attached = ((key, runtime) for key, runtime in self.by_name.items() if self.shipped and runtime.attached)
        return sorted((name, kind, runtime.resource.namespace) for (kind, name), runtime in attached)
