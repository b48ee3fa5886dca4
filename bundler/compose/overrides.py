"""`--set component:path=value` and its relatives: the grammar, the type, the refusal of what nobody knows.

A value is data: nothing in it is expanded, and commas, braces and quotes are themselves. `null` alone deletes. Lists are set whole.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bundler.compose.assignments import everywhere, leaves, repeated
from bundler.compose.layer import values_pointer
from bundler.compose.merge import merge
from bundler.compose.scalars import scalar, words
from bundler.compose.targets import stands
from bundler.compose.wording import listed, near_name, nearest, shown
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.model.finding import Finding, Severity
from bundler.model.location import Location
from bundler.model.pointer import tokens

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from bundler.compose.index import Index
    from bundler.compose.schema import Place
    from bundler.model.document import JsonObject
    from bundler.model.request import Override
    from bundler.model.trace import Assignment

__all__ = ["FLAGS", "Overridden", "dotted", "override", "parse_set", "resolve_component", "unknown_path"]

FLAGS = "flags"
"""The label of what command-line flags write."""

MAX_LENGTH = 65_536
MAX_STEPS = 32
_COMPONENT = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\Z")
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_STEP = re.compile(r"(?:[^.\\]|\\.)+")
_FORM = "write COMPONENT:PATH=VALUE, such as gpu-operator:driver.enabled=false"
_SEARCHED = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Overridden:
    """Component values with the overrides over them."""

    values: Mapping[str, JsonObject]
    assignments: tuple[Assignment, ...] = ()
    warnings: tuple[Finding, ...] = ()


def parse_set(text: str, *, flag: str = "--set") -> tuple[str, tuple[str, ...], str]:
    r"""Component, path and raw value of one assignment.

    The path is keys joined by dots; a dot, an equals sign or a backslash within a key has a backslash before it. What follows the
    first equals sign that has none is the value, character for character.

    Args:
        text: as given.
        flag: the flag's name, for messages.

    Raises:
        InvalidInput: the text is not an assignment, or is longer than any that could be meant.
    """
    if len(text) > MAX_LENGTH:
        raise _unreadable(flag, f"has {len(text):,} characters, more than {MAX_LENGTH:,}", "put the value into a file: --set-file")
    if _UNPRINTABLE.search(text):
        raise _unreadable(flag, f"has a character that no value may have: {shown(text)}", "put binary data elsewhere")
    split = re.search(r"(?<!\\)(?:\\\\)*=", text)
    if split is None:
        raise _unreadable(flag, f"has no '=': {shown(text)}")
    target, raw = text[: split.end() - 1], text[split.end() :]
    component, colon, path = target.partition(":")
    if not _COMPONENT.match(component):
        raise _unreadable(flag, f"names no component: {shown(text)}")
    if not colon or not path:
        raise _unreadable(flag, f"names no path: {shown(text)}")
    steps = _STEP.findall(path)
    if ".".join(steps) != path:
        raise _unreadable(flag, f"has an empty key in its path: {shown(path)}")
    if len(steps) > MAX_STEPS:
        raise _unreadable(flag, f"has a path of {len(steps)} keys, more than {MAX_STEPS}")
    if indexed := next((step for step in steps if re.search(r"\[[^\]]*\]\Z", step)), None):
        raise _unreadable(flag, f"indexes a list: {shown(indexed)}", f"set the whole list with --set-json {component}:PATH=[…]")
    return component, tuple(re.sub(r"\\(.)", r"\1", step) for step in steps), raw


def dotted(path: tuple[str, ...]) -> str:
    """A path as `--set` takes it."""
    return ".".join(re.sub(r"([.\\=])", r"\\\1", step) for step in path)


def resolve_component(index: Index, included: Collection[str], name: str) -> str | tuple[str, str, str]:
    """The component that a name or alias means, or rule, message and fix when there is none in the recipe."""
    if name not in index.names:
        return "AICR-C051", f"component {shown(name)} is not known", nearest(name, index.names)
    component = index.names[name]
    if component not in included:
        return "AICR-C052", f"component {component!r} is not part of this recipe", f"its components are {listed(sorted(included))}"
    return component


def override(index: Index, values: Mapping[str, JsonObject], overrides: tuple[Override, ...]) -> Overridden:
    """Apply overrides in the order given; later wins.

    Args:
        index: the prepared catalogue.
        values: component → values so far; its keys are the components of the recipe.
        overrides: as stated.

    Raises:
        InvalidInput: an override names an unknown component or path, or a value of another type.
    """
    changed = dict(values)
    assignments: list[Assignment] = []
    findings: list[Finding] = []
    warnings: list[Finding] = []
    for item in overrides:
        name = resolve_component(index, values, item.component)
        if isinstance(name, tuple):
            rule, message, fix = name
            findings.append(Finding(rule=rule, message=message, location=item.location, fix=fix))
            continue
        known = index.components[name]
        place = known.place(values[name])
        value, problem = (item.value, None) if item.raw is None else _typed(item, name, place)
        made = tuple(
            leaves(
                _nested(item.path, value),
                pointer=values_pointer(name),
                source="",
                layer=FLAGS,
                locate=everywhere(item.location),
                lists=known.lists,
            )
        )
        problems = [problem] if problem else [*_unknown(made, item, name, place), *_twice(made)]
        if problems:
            findings.extend(problems)
            continue
        warnings.extend(_idle(made, name, changed[name]))
        changed[name] = merge(changed[name], _nested(item.path, value), known.lists)
        assignments.extend(made)
    if findings:
        raise InvalidInput.of(findings)
    return Overridden(values=changed, assignments=tuple(assignments), warnings=tuple(warnings))


def _typed(item: Override, name: str, place: Place) -> tuple[Any, Finding | None]:
    """The value that the raw text stands for, or what is wrong with it."""
    assert item.raw is not None
    if item.raw == "null":
        return None, None
    at = place.at(item.path)
    if at is None:
        return None, unknown_path(name, place, item.path, item.location)
    try:
        return scalar(item.raw, at.types), None
    except ValueError:
        where = f"{name}:{dotted(item.path)}"
        message = f"{where} is {words(at.types)}, not {shown(item.raw)}"
        structured = not at.types & {"boolean", "integer", "number", "string"}
        fix = f"give it with --set-json {where}=JSON" if structured else f"give {words(at.types)}"
        return None, Finding(rule="AICR-C054", message=message, location=item.location, fix=fix)


def _unknown(made: tuple[Assignment, ...], item: Override, name: str, place: Place) -> Iterator[Finding]:
    """One finding for each leaf that stands where nobody knows a value."""
    for assignment in made:
        path = tokens(assignment.pointer.removeprefix(values_pointer(name)))
        if not _known(place, path):
            yield unknown_path(name, place, path, item.location)


def _twice(made: tuple[Assignment, ...]) -> Iterator[Finding]:
    """A list with keys that holds one of them twice."""
    if pair := repeated(made):
        message = f"{pair[1].pointer} is written twice"
        yield Finding(rule="AICR-C011", message=message, location=pair[1].location, fix="join the two entries")


def _known(place: Place, path: tuple[str, ...]) -> bool:
    """Whether the schema knows a path; what stands below a list is left to validation."""
    here: Place | None = place
    for step in path:
        if here is None or "array" in here.types:
            break
        here = here.below(step)
    return here is not None


def unknown_path(name: str, place: Place, path: tuple[str, ...], location: Location) -> Finding:
    """What is said of a path that a component's values do not have.

    Args:
        name: the component.
        place: the root of its values.
        path: as stated.
        location: where.
    """
    message = f"{name} has no value {dotted(path)!r}"
    return Finding(rule="AICR-C053", message=message, location=location, fix=_nearest_path(name, place, path))


def _nearest_path(name: str, place: Place, path: tuple[str, ...]) -> str:
    """The path that differs in the step that is unknown; else the highest that ends like it; else what is known there."""
    here, depth = place, 0
    while depth < len(path) and (below := here.below(path[depth])) is not None:
        here, depth = below, depth + 1
    near = near_name(path[depth], here.names)
    if near is not None:
        whole = (*path[:depth], near, *path[depth + 1 :])
        meant = whole if place.at(whole) is not None else whole[: depth + 1]
        return f"did you mean {f'{name}:{dotted(meant)}'!r}?"
    elsewhere = {known[-1]: known for known in reversed([*place.paths(_SEARCHED)])}
    near = near_name(path[-1], elsewhere)
    if near is not None:
        return f"did you mean {f'{name}:{dotted(elsewhere[near])}'!r}?"
    if here.names:
        return f"known below {name}{':' if depth else ''}{dotted(path[:depth])}: {listed(here.names)}"
    return f"nothing stands below {name}:{dotted(path[:depth])}" if depth else f"{name} takes no values"


def _idle(made: tuple[Assignment, ...], name: str, below: JsonObject) -> Iterator[Finding]:
    for assignment in made:
        path = tokens(assignment.pointer.removeprefix(values_pointer(name)))
        if assignment.action == "delete" and not stands(below, path):
            yield Finding(
                rule="AICR-C013",
                message=f"null deletes nothing: no layer sets {name}:{dotted(path)}",
                severity=Severity.WARNING,
                location=assignment.location,
                fix="leave it out; a chart's own default is changed by stating another value",
            )


def _nested(path: tuple[str, ...], value: Any) -> JsonObject:
    for step in reversed(path):
        value = {step: value}
    assert isinstance(value, dict)
    return value


def _unreadable(flag: str, problem: str, fix: str = _FORM) -> InvalidInput:
    return InvalidInput("AICR-C050", f"{flag} {problem}", location=Location(file=flag), fix=fix)
