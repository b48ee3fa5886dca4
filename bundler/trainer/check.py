"""A TrainJob before it is submitted: what servers say of it, what its pods will be, and whether they keep the fabric."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING

from bundler.compose.wording import listed, shown
from bundler.conform import objects
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.kube.names import dns_label
from bundler.model.finding import Severity
from bundler.model.pointer import parent
from bundler.trainer.admission import admit, refers
from bundler.trainer.clients import UNKNOWN_FIELD, declared
from bundler.trainer.realised import faulty_part
from bundler.trainer.refusals import no_jobset, no_pod, patches_miss
from bundler.trainer.survival import Fate, report, survival
from bundler.trainer.trainjob import TrainJob
from bundler.trainer.traps import fabric_traps, ignored, launcher_traps, no_processes, no_such_host, process_traps, wrong_runtime
from bundler.trainer.variants import BLAMELESS, Variants

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.conform.context import Context
    from bundler.model.document import Document, JsonObject
    from bundler.model.finding import Finding
    from bundler.trainer.elements import Part
    from bundler.trainer.jobset import JobSet
    from bundler.trainer.runtimes import Runtime, Runtimes
    from bundler.trainer.survival import Survivor
    from bundler.trainer.variants import Variant
    from bundler.trainer.versions import TrainerVersion

__all__ = ["Checker", "Verdict"]

_NO_CONTAINERS = "AICR-J032"
_REFERS = "AICR-K054"
_COSTS_A_CLAIM = "AICR-J042"
_MERGED = {
    "AICR-K043": "state {name} in requests and limits of resourcesPerNode, or in neither",
    "AICR-K053": "leave {name} to the runtime: a patch cannot take its source away",
    "AICR-K057": "give the patched volume a name of its own",
}
"""Rule on statements that contradict each other → what helps where the runtime made one of them and the job the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What is known of one TrainJob.

    Attributes:
        runtime: what it runs on; None when that is not at hand.
        jobset: what it becomes; None when it becomes nothing.
        survivors: the fate of each part of the runtime.
        admitted: whether a server takes the job.
        findings: everything that is wrong or worth knowing, admission first.
    """

    job: TrainJob
    version: TrainerVersion
    runtime: Runtime | None = None
    jobset: JobSet | None = field(default=None, repr=False)
    survivors: tuple[Survivor, ...] = field(default=(), repr=False)
    admitted: bool = True
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Checker:
    """What TrainJobs are held against.

    Attributes:
        schema: of TrainJob, for the version.
    """

    version: TrainerVersion
    schema: JsonObject = field(repr=False)
    runtimes: Runtimes
    context: Context = field(repr=False)

    def check(self, document: Document) -> Verdict:
        """Everything about one TrainJob. What cannot be said because something before it is wrong is not said."""
        job, broken = declared(TrainJob.of(document), self.schema)
        refused = [*broken, *self._named(job)]
        if any(finding.rule != UNKNOWN_FIELD for finding in broken) or not job.name:
            return Verdict(job=job, version=self.version, admitted=False, findings=tuple(refused))
        runtime = self.runtimes.of_job(job)
        refused += refers(job, self.runtimes.namespaces(), self.runtimes.offered)
        if runtime is not None:
            refused += (unsound := runtime.refused(self.context))
        if runtime is None or unsound:
            return Verdict(job=job, version=self.version, admitted=False, findings=tuple(refused))
        try:
            refused += admit(job, runtime.data, self.version)
            admitted = not any(finding.severity is Severity.ERROR for finding in refused)
            variants = Variants(job=job.data, runtime=runtime.data, version=self.version)
            jobset = variants.whole.jobset
        except InvalidInput as error:
            refused += (job.finding(one.rule, "/spec/runtimeRef", one.message, one.fix) for one in error.findings)
            return Verdict(job=job, version=self.version, runtime=runtime, admitted=False, findings=tuple(refused))
        survivors = survival(runtime.parts, variants)
        missed = tuple(patches_miss(job, runtime.data, self.version))
        blocked = tuple(no_jobset(job, jobset))
        findings = [*refused, *missed, *(one for one in blocked if not (missed and one.rule == _NO_CONTAINERS))]
        if not blocked:
            added = tuple(parent(one.pointer) for one in missed)
            faults = tuple(self._pods(job, runtime, variants))
            told = {part for part, fault in faults if fault.severity is Severity.ERROR and fault.pointer != BLAMELESS}
            untold = tuple(one for one in survivors if one.fate is Fate.KEPT or one.part not in told)
            said = (*(fault for _, fault in faults), *self._lost(job, runtime, variants, untold))
            findings += [*no_pod(job, jobset), *(one for one in said if not _within(one.pointer, added))]
        return Verdict(
            job=job,
            version=self.version,
            runtime=runtime,
            jobset=jobset,
            survivors=survivors,
            admitted=admitted and not (missed and self.version.refuses_misses),
            findings=tuple(dict.fromkeys(findings)),
        )

    def _named(self, job: TrainJob) -> Iterator[Finding]:
        """Name, namespace, labels and annotations. That there is no metadata at all is for the schema to say."""
        if isinstance(job.data.get("metadata"), dict):
            yield from objects.metadata(job.resource())
            if job.namespace and (reason := dns_label(job.namespace)):
                message = f"namespace {shown(job.namespace)} {reason}"
                yield job.finding("AICR-K013", "/metadata/namespace", message, "correct the namespace")

    def _pods(self, job: TrainJob, runtime: Runtime, variants: Variants) -> Iterator[tuple[Part | None, Finding]]:
        """What a server refuses of the pods of a job that has a JobSet, each with the part that it is about."""
        jobset = variants.whole.jobset
        own = runtime.faults(self.version)
        for fault in variants.whole.faults:
            key, part = (fault.rule, fault.message), faulty_part(jobset, fault)

            def holds(variant: Variant, key: tuple[str, str] = key) -> bool:
                return key in {(one.rule, one.message) for one in variant.faults}

            cause = BLAMELESS if key in own else variants.cause(holds)
            fix = fault.fix if part is None or cause == BLAMELESS else self._edit(fault, part, runtime, variants)
            yield part, job.finding(fault.rule, cause, fault.message, fix, severity=fault.severity)

    def _edit(self, fault: Finding, part: Part, runtime: Runtime, variants: Variants) -> str:
        """The edit of the job that mends a fault of its pods: the author of a pod could do more."""
        if fault.rule == _REFERS and (
            late := [name for name in self._reserved if f"$({name})" in str(variants.whole.parts.get(part))]
        ):
            return f"read {listed(late)} in the command: the Trainer adds it behind all others"
        return _MERGED[fault.rule].format(name=part.name) if fault.rule in _MERGED and part in runtime.parts else fault.fix

    @cached_property
    def _reserved(self) -> list[str]:
        """The variables that the Trainer adds."""
        return sorted(frozenset[str]().union(*self.version.reserved.values()))

    def _lost(self, job: TrainJob, runtime: Runtime, variants: Variants, survivors: tuple[Survivor, ...]) -> Iterator[Finding]:
        """What the job has pods for, and loses."""
        jobset = variants.whole.jobset
        fabric = tuple(fabric_traps(job, runtime.parts, variants.whole.parts, survivors)) if runtime.attached else ()
        costs_a_claim = any(one.rule == _COSTS_A_CLAIM for one in fabric)
        untold = (one for one in survivors if not _has_its_own(one, attached=runtime.attached, costs_a_claim=costs_a_claim))
        yield from report(job, tuple(untold), attached=runtime.attached)
        yield from process_traps(job, jobset, runtime)
        yield from no_processes(job, runtime.data, self.version)
        yield from no_such_host(job, jobset)
        yield from launcher_traps(job, jobset, runtime.data)
        yield from ignored(job, runtime.data, variants)
        yield from fabric
        if not runtime.attached:
            yield from wrong_runtime(job, jobset, self.runtimes.attached)


def _has_its_own(survivor: Survivor, *, attached: bool, costs_a_claim: bool) -> bool:
    """Whether a finding of its own tells of a part: a number of GPUs of an attached runtime, or a claim that devices cost."""
    part = survivor.part
    if part.kind == "claim":
        return costs_a_claim
    return attached and survivor.fate is Fate.CHANGED and part.kind == "resource" and "gpu" in part.name.lower()


def _within(pointer: str, added: tuple[str, ...]) -> bool:
    """Whether something is part of what a patch adds by mistake, of which that is said and all else follows from it."""
    return any(pointer == one or pointer.startswith(f"{one}/") for one in added)
