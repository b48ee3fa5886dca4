"""A TrainJob against the schema of its CRD: what a server refuses, and what it drops in silence, by the client that sends it.

What depends on the client was recorded: `kubectl` and server-side apply refuse a field that is not declared, whatever is asked of
them; a plain create without strict field validation, as most client libraries send it, is accepted and the field is gone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bundler.conform.structure import faults
from bundler.model.pointer import tokens

if TYPE_CHECKING:
    from bundler.model.document import JsonObject
    from bundler.model.finding import Finding
    from bundler.trainer.trainjob import TrainJob

__all__ = ["UNKNOWN_FIELD", "declared"]

UNKNOWN_FIELD = "AICR-J003"
_UNDECLARED = "AICR-K002"
_BY_CLIENT = "kubectl and server-side apply refuse it; a client library drops it in silence, and the job runs without it"


def declared(job: TrainJob, schema: JsonObject) -> tuple[TrainJob, tuple[Finding, ...]]:
    """What a server keeps of the job when nobody refuses it, and what is wrong with it.

    Returns:
        The job without undeclared fields, and a finding for each of them and for each value that every server refuses.
    """
    kept: Any = job.data
    found = []
    for fault in faults(job.data, schema):
        if fault.rule == _UNDECLARED:
            kept = _without(kept, tokens(fault.pointer))
            found.append(job.finding(UNKNOWN_FIELD, fault.pointer, f"{fault.message}: {_BY_CLIENT}", fault.fix))
        else:
            found.append(job.finding(fault.rule, fault.pointer, fault.message, fault.fix))
    return replace(job, data=kept), tuple(found)


def _without(data: Any, steps: tuple[str, ...]) -> Any:
    """A copy of `data` without what stands at `steps`; a list keeps its length, so that other pointers hold."""
    head, *rest = steps
    if isinstance(data, list):
        index = int(head)
        return [_without(item, tuple(rest)) if at == index else item for at, item in enumerate(data)]
    if not rest:
        return {key: value for key, value in data.items() if key != head}
    return {key: _without(value, tuple(rest)) if key == head else value for key, value in data.items()}
