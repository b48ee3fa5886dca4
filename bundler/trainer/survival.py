"""The survival report: for each part of a runtime whether the pods of a TrainJob still have it, and what took it away."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from bundler.compose.wording import shown
from bundler.dataclass import dataclass
from bundler.kube.quantity import Quantity
from bundler.model.finding import Severity
from bundler.trainer.elements import NATIVE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bundler.model.finding import Finding
    from bundler.trainer.elements import Part
    from bundler.trainer.trainjob import TrainJob
    from bundler.trainer.variants import Variant, Variants

__all__ = ["Fate", "Survivor", "report", "shown_value", "survival"]

_CHOSEN = frozenset({"variable", "command", "args", "node selector", "dnsPolicy", "security context"})
"""Kinds that a TrainJob may mean to change; whoever does is told, not stopped."""


_OWN_DOING = frozenset({"/spec/runtimeRef", "/spec/trainer"})
"""Causes that no edit of the job removes: what the Trainer does to any job that has a trainer."""


_OWN_EDITS = {"port": "name the port in the runtime, and not 29500"}
_EDITS = {
    "toleration": "repeat the runtime's tolerations in the patch, which replaces the list",
    "variable": "leave {name} to the runtime, unless you mean to change it",
    "volume": "give the patched volume a name of its own",
    "mount": "mount at a path of its own",
    "node affinity": "repeat it in every term of the patch, which replaces the list, or narrow the nodes with nodeSelector",
    "command": "leave it to the runtime, or do what it does in your own",
    "args": "leave it to the runtime, or do what it does in your own",
}
"""Kind → the edit that keeps a part of it, whatever the cause."""
_CAPABILITY_EDITS = {
    "add": "repeat the runtime's capabilities in the patch, which replaces the list",
    "drop": "leave {name} out of drop, which wins over what is added",
}


class Fate(StrEnum):
    """What became of a part."""

    KEPT = "kept"
    CHANGED = "changed"
    LOST = "lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class Survivor:
    """A part of the runtime and what became of it.

    Attributes:
        value: what the runtime says; `now` what the pod has.
        cause: pointer into the TrainJob of what changed or removed it; empty for a part that is kept.
    """

    part: Part
    fate: Fate
    value: Any
    now: Any = None
    cause: str = ""


def survival(before: Mapping[Part, Any], variants: Variants) -> tuple[Survivor, ...]:
    """The fate of every part of a runtime, in the order of the runtime."""
    after = variants.whole.parts
    return tuple(_fate(part, value, after, variants) for part, value in before.items())


def report(job: TrainJob, survivors: tuple[Survivor, ...], *, attached: bool) -> Iterator[Finding]:
    """What is not kept, as findings.

    Args:
        job: the TrainJob.
        survivors: the fate of every part.
        attached: whether the runtime attaches its pods to a fabric; in one that does not, a command is only a command.
    """
    for survivor in survivors:
        if survivor.fate is Fate.KEPT:
            continue
        part = survivor.part
        severity = _severity(survivor, attached=attached)
        what = f"{part} of {part.place}"
        message = f"{what} is {_became(survivor)}"
        rule = "AICR-J040" if severity is Severity.ERROR else "AICR-J041"
        yield job.finding(rule, survivor.cause, message, _keeping(survivor), severity=severity)


def _fate(part: Part, value: Any, after: Mapping[Part, Any], variants: Variants) -> Survivor:
    if part in after and after[part] == value:
        return Survivor(part=part, fate=Fate.KEPT, value=value, now=value)

    def holds(variant: Variant) -> bool:
        return bool(variant.parts.get(part) != value)

    fate = Fate.CHANGED if part in after else Fate.LOST
    return Survivor(part=part, fate=fate, value=value, now=after.get(part), cause=variants.cause(holds))


def _severity(survivor: Survivor, *, attached: bool) -> Severity:
    part, lost = survivor.part, survivor.fate is Fate.LOST
    chosen = part.kind in _CHOSEN and not (lost and part.kind in {"variable", "node selector"})
    if part.kind == "resource" and not attached:
        return Severity.WARNING if lost else Severity.NOTE
    if part.kind == "resource" and part.name in NATIVE and not lost:
        return Severity.NOTE
    if chosen or (part.kind == "resource" and part.name in NATIVE):
        return Severity.WARNING if attached else Severity.NOTE
    return Severity.ERROR if attached or lost else Severity.WARNING


def _became(survivor: Survivor) -> str:
    if survivor.fate is Fate.LOST:
        return "lost"
    match survivor.part.kind:
        case "resource":
            return f"{_amount(survivor.now)}, where the runtime has {_amount(survivor.value)}"
        case "variable" if isinstance(survivor.now, str) and isinstance(survivor.value, str):
            return f"{shown(survivor.now)}, where the runtime has {shown(survivor.value)}"
        case _:
            return "not the one of the runtime"


def shown_value(part: Part, value: Any) -> Any:
    """The value of a part as data."""
    return _amount(value) if part.kind == "resource" and value is not None else value


def _amount(value: tuple[Any, Any]) -> str:
    requested, limit = (None if each is None else Quantity.shown(each) for each in value)
    if limit is None:
        return f"{requested} requested without a limit"
    return str(limit) if requested == limit else f"{requested} requested of at most {limit}"


def _keeping(survivor: Survivor) -> str:
    """The edit that keeps the part."""
    part, cause = survivor.part, survivor.cause
    if cause in _OWN_DOING:
        return _OWN_EDITS.get(part.kind, "remove it from the runtime: the Trainer sets it")
    if cause.endswith("/resourcesPerNode"):
        if part.kind == "claim":
            return "leave resourcesPerNode out: it erases the claims of the runtime"
        return f"leave resourcesPerNode out, or state {part.name} in its requests and limits as the runtime does"
    if part.kind == "capability":
        field = cause.rpartition("/")[2]
        edit = _CAPABILITY_EDITS.get(field, "leave the user to the runtime: only processes of root have capabilities")
        return edit.format(name=part.name)
    return _EDITS.get(part.kind, "leave {part} to the runtime").format(part=part, name=part.name)
