"""Paths that a profile owns: no flag may set them to anything but what the chosen value says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.compose.assignments import same
from bundler.compose.wording import listed, shown
from bundler.errors import InvalidInput
from bundler.model.finding import Finding
from bundler.model.pointer import join, resolve, tokens
from bundler.profiles.declarations import owned_path

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bundler.model.document import JsonObject
    from bundler.model.trace import Assignment
    from bundler.profiles.selection import Choice

__all__ = ["refuse_absent", "refuse_overrides"]

_ABSENT = object()


def refuse_absent(choices: Sequence[Choice], included: Mapping[str, object]) -> None:
    """Refuse profile values that write to a component which neither the recipe includes nor the value brings.

    Raises:
        InvalidInput: one finding a component.
    """
    findings = [
        Finding(
            rule="AICR-P018",
            message=f"{choice.layer.label} sets values of {part.name!r}, which the recipe does not include",
            location=part.location,
            fix=f"include {part.name!r} in a layer, or list it under brings",
        )
        for choice in choices
        for part in choice.layer.components
        if part.name not in included
    ]
    if findings:
        raise InvalidInput.of(findings)


def refuse_overrides(
    choices: Sequence[Choice],
    before: Mapping[str, JsonObject],
    after: Mapping[str, JsonObject],
    flags: Sequence[Assignment],
) -> None:
    """Refuse flags that change a path which a profile owns. To state the chosen value again is no change.

    Args:
        choices: what was chosen on each axis.
        before: component → values of the layers.
        after: component → values with the flags over them.
        flags: what the flags wrote.

    Raises:
        InvalidInput: one finding for each path changed.
    """
    if not flags:
        return
    findings = [
        finding
        for choice in choices
        for pointer in choice.selection.owned
        if (finding := _changed(choice, pointer, before, after, flags)) is not None
    ]
    if findings:
        raise InvalidInput.of(findings)


def _changed(
    choice: Choice,
    pointer: str,
    before: Mapping[str, JsonObject],
    after: Mapping[str, JsonObject],
    flags: Sequence[Assignment],
) -> Finding | None:
    chosen, now = _value(before, pointer), _value(after, pointer)
    if (chosen is now) or (chosen is not _ABSENT and now is not _ABSENT and same(chosen, now)):
        return None
    axis, value = choice.selection.axis, choice.selection.value
    writer = next(made for made in reversed(flags) if _touches(made.pointer, pointer))
    message = f"{owned_path(pointer)} belongs to the profile: {axis}={value} makes it {_word(chosen)}, not {_word(now)}"
    meant = [other for other in choice.alternatives if pointer in other.assigned and same(other.assigned[pointer].value, now)]
    if meant:
        fix = f"choose {' or '.join(other.flag for other in meant)} instead"
    else:
        others = listed(other.name for other in choice.alternatives)
        fix = f"leave it out, or choose another value with --profile {axis}=VALUE: {others}"
    return Finding(rule="AICR-P015", message=message, location=writer.location, pointer=pointer, fix=fix)


def _value(values: Mapping[str, JsonObject], pointer: str) -> Any:
    _, component, _, *path = tokens(pointer)
    try:
        return resolve(values[component], join(path))
    except LookupError:
        return _ABSENT


def _touches(one: str, other: str) -> bool:
    return one == other or one.startswith(f"{other}/") or other.startswith(f"{one}/")


def _word(value: Any) -> str:
    return "absent" if value is _ABSENT else shown(value)
