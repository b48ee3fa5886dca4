"""Operations that a later override undoes: what was appended to a list is lost when a later `jobTemplate` sets that list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.model.finding import Finding, Severity
from bundler.model.pointer import tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bundler.model.document import JsonObject
    from bundler.model.location import Location

__all__ = ["wiped_patches"]


def wiped_patches(overrides: Sequence[tuple[int, JsonObject, Location | None]]) -> Iterator[Finding]:
    """Every operation on a list that a later override replaces, if both can apply to one cluster."""
    for place, (index, override, location) in enumerate(overrides):
        for operation in override.get("jobTemplatePatch", ()):
            steps = tokens(operation["path"])
            for later, other, _ in overrides[place + 1 :]:
                if _replaces(other.get("jobTemplate", {}), steps) and _compatible(override["when"], other["when"]):
                    yield Finding(
                        rule="AICR-R017",
                        message=f"override[{index}] patches {operation['path']}, and override[{later}] replaces that list",
                        severity=Severity.WARNING,
                        location=location,
                        pointer=operation["path"],
                        fix="move the patch behind the override that sets the list, or state the whole list there",
                    )


def _replaces(template: Any, steps: tuple[str, ...]) -> bool:
    """Whether a merge patch sets a list that `steps` lead into."""
    for step in steps:
        if not isinstance(template, dict) or step not in template:
            return False
        template = template[step]
        if isinstance(template, list):
            return True
    return False


def _compatible(first: JsonObject, second: JsonObject) -> bool:
    """Whether two conditions on platform and architecture can hold together, as far as their names say."""
    return all(_overlap(first.get(name, {}), second.get(name, {})) for name in ("platform", "gpuArchitecture"))


def _overlap(first: JsonObject, second: JsonObject) -> bool:
    wanted, others = _wanted(first), _wanted(second)
    if wanted is None and others is None:
        return True
    candidates = wanted if others is None else others if wanted is None else wanted & others
    assert candidates is not None
    return bool(candidates - {*first.get("notIn", ()), *second.get("notIn", ())})


def _wanted(condition: JsonObject) -> set[str] | None:
    """The values a condition names, or None when it names none to be."""
    named = [set(values) for values in ([condition["equals"]] if "equals" in condition else None, condition.get("in")) if values]
    return set.intersection(*named) if named else None
