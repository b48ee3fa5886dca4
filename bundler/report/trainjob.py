"""What TrainJobs become, and what becomes of the runtimes they run on: as data, and as text for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.compose.wording import plural
from bundler.report.printable import printable
from bundler.report.table import table
from bundler.report.text import count
from bundler.trainer.survival import Fate, shown_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bundler.model.document import JsonObject
    from bundler.model.finding import Finding
    from bundler.trainer.check import Verdict
    from bundler.trainer.erasable import Erasure
    from bundler.trainer.lint import RuntimeVerdict
    from bundler.trainer.survival import Survivor
    from bundler.trainer.versions import TrainerVersion

__all__ = ["erasures_data", "erasures_text", "verdicts_data", "verdicts_text"]

_LISTED = 3
"""Parts of one kind and place that are named; more are counted."""


def verdicts_text(verdicts: Sequence[Verdict]) -> str:
    """Per job: what it runs on, its pods, and each part of the runtime that it changes or loses."""
    return "\n".join(_job(verdict) for verdict in verdicts)


def verdicts_data(verdicts: Sequence[Verdict]) -> list[JsonObject]:
    """Per job: whether it is admitted, its pods, the fate of every part of its runtime, and all findings."""
    return [_job_data(verdict) for verdict in verdicts]


def erasures_text(verdicts: Sequence[RuntimeVerdict]) -> str:
    """Per runtime: the fields of a TrainJob that cost it something, and what."""
    return "\n".join(_runtime(verdict) for verdict in verdicts)


def erasures_data(verdicts: Sequence[RuntimeVerdict]) -> list[JsonObject]:
    """Per runtime: the fields of a TrainJob that cost it something, with every part, and all findings."""
    return [
        {
            "runtime": verdict.resource.subject,
            "location": str(verdict.resource.locate("")),
            "trainer": verdict.version.name,
            "erasures": [
                {"field": each.field, "parts": [{"place": part.place, "kind": part.kind, "name": part.name} for part in each.parts]}
                for each in verdict.erasures
            ],
            "findings": list(map(_finding, verdict.findings)),
        }
        for verdict in verdicts
    ]


def _job(verdict: Verdict) -> str:
    where = verdict.job.document.locate("")
    lines = [f"{where} {verdict.job.subject}, {_trainer(verdict.version)}"]
    if verdict.runtime is not None:
        attached = "attached to a fabric" if verdict.runtime.attached else "not attached to a fabric"
        lines.append(f"  runtime: {verdict.runtime.resource.subject}, {attached}")
    if verdict.jobset is not None:
        pods = ", ".join(f"{name} {number}" for name, number in _pods(verdict).items())
        lines.append(f"  pods: {pods or 'none'}")
        kept = sum(survivor.fate is Fate.KEPT for survivor in verdict.survivors)
        lines.append(f"  kept: {kept} of {plural(len(verdict.survivors), 'part')} of the runtime")
    lines.append(f"  {'admitted' if verdict.admitted else 'not admitted'}; {count(verdict.findings)}")
    text = "".join(f"{printable(line)}\n" for line in lines)
    rows = [
        (survivor.fate.value, survivor.part.place, str(survivor.part), survivor.cause)
        for survivor in verdict.survivors
        if survivor.fate is not Fate.KEPT
    ]
    return f"{text}{_indented(table(('fate', 'where', 'part', 'by'), rows))}" if rows else text


def _job_data(verdict: Verdict) -> JsonObject:
    return {
        "job": verdict.job.name,
        "location": str(verdict.job.document.locate("")),
        "trainer": verdict.version.name,
        "runtime": verdict.runtime.resource.subject if verdict.runtime else None,
        "attached": verdict.runtime.attached if verdict.runtime else None,
        "admitted": verdict.admitted,
        "pods": _pods(verdict),
        "parts": [_part(survivor) for survivor in verdict.survivors],
        "findings": list(map(_finding, verdict.findings)),
    }


def _trainer(version: TrainerVersion) -> str:
    return f"Trainer {version.name}{' (planned)' if version.preview else ''}"


def _pods(verdict: Verdict) -> dict[str, int]:
    """Pods of each replicated job."""
    jobs = verdict.jobset.jobs if verdict.jobset is not None else []
    return {job["name"]: job["replicas"] * job["template"]["spec"]["parallelism"] for job in jobs}


def _part(survivor: Survivor) -> JsonObject:
    part = survivor.part
    found = {"place": part.place, "kind": part.kind, "name": part.name, "fate": survivor.fate.value}
    if survivor.fate is Fate.KEPT:
        return found
    was, now = (shown_value(survivor.part, value) for value in (survivor.value, survivor.now))
    return {**found, "cause": survivor.cause, "runtime": was, "pod": now}


def _finding(finding: Finding) -> JsonObject:
    stated: dict[str, Any] = {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "message": finding.message,
        "location": str(finding.location or ""),
        "pointer": finding.pointer,
        "fix": finding.fix,
    }
    return stated


def _runtime(verdict: RuntimeVerdict) -> str:
    head = f"{verdict.resource.locate('')} {verdict.resource.subject}, {_trainer(verdict.version)}: {count(verdict.findings)}"
    rows = [(each.field, place, what) for each in verdict.erasures for place, what in _grouped(each)]
    text = f"{printable(head)}\n"
    if not rows:
        return text
    return f"{text}  what a TrainJob can take from it:\n{_indented(table(('field', 'where', 'what'), rows))}"


def _grouped(erasure: Erasure) -> list[tuple[str, str]]:
    """Place and what is lost there; many parts of one kind are counted."""
    groups: dict[tuple[str, str], list[str]] = {}
    for part in erasure.parts:
        groups.setdefault((part.place, part.kind), []).append(str(part))
    return [
        (place, ", ".join(names) if len(names) <= _LISTED else plural(len(names), kind)) for (place, kind), names in groups.items()
    ]


def _indented(text: str) -> str:
    return "".join(f"  {line}\n" for line in text.splitlines())
