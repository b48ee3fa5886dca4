"""A TrainJob against the schema of its CRD: what a server refuses, and what it drops in silence, by the client that sends it.

What depends on the client was recorded: `kubectl` and server-side apply refuse a field that is not declared, whatever is asked of
them; a plain create without strict field validation, as most client libraries send it, is accepted and the field is gone.
"""

from __future__ import annotations

import re
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

_INSTEAD = tuple(
    (re.compile(pattern), fix)
    for pattern, fix in (
        (r"^/spec/podTemplateOverrides$", "write it as runtimePatches, which took its place in Trainer 2.2"),
        (r"^/spec/(labels|annotations)$", "set them in template.metadata of runtimePatches, as from Trainer 2.2 on"),
        (
            r"^/spec/runtimePatches/.*/terminationGracePeriodSeconds$",
            "leave it to the runtime: Trainer 2.3 is the first to have it",
        ),
        (r"^/spec/trainer/numProcPerNode$", "leave it out, which takes all GPUs as auto did before Trainer 2.2, or write a number"),
        (r"^/spec/runtimePatches/.*/containers/\d+/(image|command|args)$", "set it in spec.trainer; a patch cannot"),
        (r"^/spec/runtimePatches/.*/(initC|c)ontainers/\d+/[a-zA-Z]+$", "change it in the runtime; a patch cannot"),
    )
)
"""Fields that another version has or takes otherwise, or that users look for in a patch → what to do instead."""


def declared(job: TrainJob, schema: JsonObject) -> tuple[TrainJob, tuple[Finding, ...]]:
    """What a server keeps of the job when nobody refuses it, and what is wrong with it.

    A status, as every job read from a cluster has one, is neither: all servers pass over it.

    Returns:
        The job without undeclared fields, and a finding for each of them and for each value that every server refuses.
    """
    kept: Any = job.data
    found = []
    for fault in faults({key: value for key, value in job.data.items() if key != "status"}, schema):
        fix = next((instead for pattern, instead in _INSTEAD if pattern.search(fault.pointer)), fault.fix)
        if fault.rule == _UNDECLARED:
            kept = _without(kept, tokens(fault.pointer))
            found.append(job.finding(UNKNOWN_FIELD, fault.pointer, f"{fault.message}: {_BY_CLIENT}", fix))
        else:
            found.append(job.finding(fault.rule, fault.pointer, fault.message, fix))
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
