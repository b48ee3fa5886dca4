"""Folded components as what a bundle installs: a version each, values that their schema accepts, in an order that works."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.compose.dependencies import in_order
from bundler.compose.layer import values_pointer
from bundler.compose.origins import stated
from bundler.compose.overrides import resolve_component
from bundler.compose.schema import Place
from bundler.compose.targets import stands
from bundler.compose.wording import listed, shown
from bundler.errors import InvalidInput
from bundler.model.composition import Chart, Component
from bundler.model.finding import Finding
from bundler.model.pointer import join, parent, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bundler.compose.fold import Folded
    from bundler.compose.index import Index
    from bundler.model.document import JsonObject
    from bundler.model.location import Location
    from bundler.model.request import Request
    from bundler.model.trace import Trace

__all__ = ["check_values", "choose_versions", "install"]


def choose_versions(index: Index, included: Mapping[str, object], request: Request) -> dict[str, str]:
    """Component → the version to install: the registry's pin, or another that it lists as selectable.

    Raises:
        InvalidInput: a version is chosen for a component that is not there, or is not selectable.
    """
    versions = {name: index.components[name].entry.version for name in included}
    chosen: dict[str, str] = {}
    findings = []
    for given, version in request.versions.items():
        location = stated(request, join(("versions", given)), "--component-version")
        name = resolve_component(index, included, given)
        if isinstance(name, tuple):
            rule, message, fix = name
            findings.append(Finding(rule=rule, message=message, location=location, fix=fix))
            continue
        entry = index.components[name].entry
        if name in chosen and chosen[name] != version:
            message = f"component {name!r} is given two versions, {shown(chosen[name])} and {shown(version)}"
            findings.append(Finding(rule="AICR-C055", message=message, location=location, fix="give one of the two"))
        elif not entry.version:
            message = f"component {name!r} has no version to choose: it has no chart"
            findings.append(Finding(rule="AICR-C022", message=message, location=location, fix="leave it out"))
        elif version not in entry.selectable:
            message = f"version {shown(version)} of {name} is not selectable"
            fix = f"selectable: {listed(entry.selectable)}"
            findings.append(Finding(rule="AICR-C022", message=message, location=location, fix=fix))
        chosen[name] = version
    if findings:
        raise InvalidInput.of(findings)
    return {**versions, **chosen}


def check_values(index: Index, values: Mapping[str, JsonObject], trace: Trace) -> None:
    """Refuse composed values that break the component's schema, each at the line that wrote the value.

    Raises:
        InvalidInput: every finding of every component.
    """
    findings = list(_deleted_requirements(index, values, trace))
    for name in sorted(values):
        validator = index.components[name].validator
        if validator is not None and not any(finding.pointer.startswith(f"{values_pointer(name)}/") for finding in findings):
            findings.extend(validator.check(values[name], locate=_Locator(trace), root=values_pointer(name)))
    if findings:
        raise InvalidInput.of(findings)


def install(index: Index, folded: Folded, values: Mapping[str, JsonObject], versions: Mapping[str, str]) -> tuple[Component, ...]:
    """The components, each after those it depends on.

    Raises:
        InvalidInput: a dependency is not included, or dependencies form a circle.
    """
    return tuple(_component(index, folded, name, values[name], versions[name]) for name in in_order(folded.needs))


def _component(index: Index, folded: Folded, name: str, values: JsonObject, version: str) -> Component:
    entry = index.components[name].entry
    return Component(
        name=name,
        version=version,
        namespace=entry.namespace,
        chart=Chart(repository=entry.repository, name=entry.chart, version=version) if entry.chart else None,
        values=values,
        dependencies=tuple(sorted(folded.needs[name])),
        manifests=folded.manifests[name],
    )


def _deleted_requirements(index: Index, values: Mapping[str, JsonObject], trace: Trace) -> Iterator[Finding]:
    """Deletions that leave a value missing which the component's schema requires."""
    for pointer, made in trace.assignments.items():
        if made[-1].action != "delete":
            continue
        _, name, _, *path = tokens(pointer)
        schema = index.components[name].schema
        above = None if schema is None else Place.of(schema).at(tuple(path[:-1]))
        if above is None or path[-1] not in above.required:
            continue
        if stands(values[name], tuple(path[:-1])) and not stands(values[name], tuple(path)):
            yield Finding(
                rule="AICR-C014",
                message=f"null deletes {name}:{'.'.join(path)}, which the component requires ({made[-1].layer})",
                location=made[-1].location,
                pointer=pointer,
                fix="state another value",
            )


class _Locator:
    """Pointer into the composed tree → where its value, or what is above it, was last written."""

    def __init__(self, trace: Trace) -> None:
        self._assignments = trace.assignments

    def __call__(self, pointer: str) -> Location | None:
        while pointer:
            if pointer in self._assignments:
                return self._assignments[pointer][-1].location
            pointer = parent(pointer)
        return None
