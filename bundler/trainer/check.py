"""A TrainJob before it is submitted: what servers say of it, what its pods will be, and whether they keep the fabric."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from bundler.compose.wording import shown
from bundler.conform import objects
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.kube.names import dns_label
from bundler.model.finding import Severity
from bundler.trainer.admission import admit, refers
from bundler.trainer.clients import UNKNOWN_FIELD, declared
from bundler.trainer.realised import pod_faults
from bundler.trainer.refusals import no_jobset, no_pod, patches_miss
from bundler.trainer.survival import Fate, report, survival
from bundler.trainer.trainjob import TrainJob
from bundler.trainer.traps import fabric_traps, ignored, launcher_traps, no_processes, no_such_host, process_traps, wrong_runtime
from bundler.trainer.variants import Variants

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.conform.context import Context
    from bundler.model.document import Document, JsonObject
    from bundler.model.finding import Finding
    from bundler.trainer.jobset import JobSet
    from bundler.trainer.runtimes import Runtime, Runtimes
    from bundler.trainer.survival import Survivor
    from bundler.trainer.variants import Variant
    from bundler.trainer.versions import TrainerVersion

__all__ = ["Checker", "Verdict"]

_NO_IMAGE = "AICR-K052"
_NO_CONTAINERS = "AICR-J032"
"""Said of what a patch adds by mistake, where that the patch adds it is said before."""


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
            findings += self._pods(job, runtime, variants, known=bool(missed))
            findings += self._lost(job, runtime, variants, survivors)
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

    def _pods(self, job: TrainJob, runtime: Runtime, variants: Variants, *, known: bool) -> Iterator[Finding]:
        """What keeps a job that has a JobSet from having pods; `known` is whether added containers are said already."""
        jobset = variants.whole.jobset
        yield from no_pod(job, jobset)
        own = runtime.faults(self.version)
        for fault in pod_faults(jobset):
            if known and fault.rule == _NO_IMAGE:
                continue
            key = fault.rule, fault.message

            def holds(variant: Variant, key: tuple[str, str] = key) -> bool:
                return key in {(one.rule, one.message) for one in pod_faults(variant.jobset)}

            cause = "/spec/runtimeRef" if key in own else variants.cause(holds)
            yield job.finding(fault.rule, cause, fault.message, fault.fix, severity=fault.severity)

    def _lost(self, job: TrainJob, runtime: Runtime, variants: Variants, survivors: tuple[Survivor, ...]) -> Iterator[Finding]:
        """What the job has pods for, and loses."""
        jobset = variants.whole.jobset
        kept = tuple(one for one in survivors if one.fate is Fate.KEPT or not _is_gpu_count(one, attached=runtime.attached))
        yield from report(job, kept, attached=runtime.attached)
        yield from process_traps(job, jobset, runtime)
        yield from no_processes(job, runtime.data, self.version)
        yield from no_such_host(job, jobset)
        yield from launcher_traps(job, jobset, runtime.data)
        yield from ignored(job, runtime.data, variants)
        if runtime.attached:
            yield from fabric_traps(job, runtime.parts, variants.whole.parts, survivors)
        else:
            yield from wrong_runtime(job, jobset, self.runtimes.attached)


def _is_gpu_count(survivor: Survivor, *, attached: bool) -> bool:
    """Whether a part is a number of GPUs that became another: of an attached runtime, that has a finding of its own."""
    part = survivor.part
    return attached and survivor.fate is Fate.CHANGED and part.kind == "resource" and "gpu" in part.name.lower()
