"""Component values that are left to whoever installs the bundle: `--dynamic component:path`.

A value may be left open only where nothing that was checked hangs on it: it belongs to no profile, no other component has to agree
with it, it names no image, and no object of the bundle was rendered with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.bom.chart_images import declaration
from bundler.catalog.image_fields import image_fields
from bundler.compose.agreements import value_paths
from bundler.compose.index import Index
from bundler.compose.overrides import dotted, resolve_component, unknown_path
from bundler.errors import InvalidInput
from bundler.kube.references import references
from bundler.model.finding import Finding
from bundler.model.pointer import tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bundler.catalog.catalog import Catalog
    from bundler.model.composition import Component, Composition
    from bundler.model.document import JsonObject
    from bundler.model.request import InstallTime, Request

__all__ = ["Path", "left_open", "split"]

Path = tuple[str, ...]
"""Keys from the root of a component's values."""


def left_open(composition: Composition, request: Request, catalog: Catalog) -> dict[str, tuple[Path, ...]]:
    """Component → the paths of its values that are left to install time, sorted.

    Args:
        composition: what the request composed.
        request: names the values.
        catalog: says which values there are, and what hangs on them.

    Raises:
        InvalidInput: a component or a path is unknown, or the bundle depends on the value; every finding.
    """
    if not request.install_time:
        return {}
    index = catalog.derived(Index.of)
    components = {component.name: component for component in composition.components}
    found: dict[str, list[Path]] = {}
    findings: list[Finding] = []
    for item in request.install_time:
        name = resolve_component(index, components, item.component)
        if isinstance(name, tuple):
            rule, message, fix = name
            findings.append(Finding(rule=rule, message=message, location=item.location, fix=fix))
            continue
        place = index.components[name].place(components[name].values)
        others = found.setdefault(name, [])
        if components[name].chart is not None and place.at(item.path) is None:
            findings.append(unknown_path(name, place, item.path, item.location))
        elif refusal := _refusal(components[name], item, others, composition, catalog):
            findings.append(refusal)
        else:
            others.append(item.path)
    if findings:
        raise InvalidInput.of(findings)
    return {name: tuple(sorted(paths)) for name, paths in found.items()}


def split(values: JsonObject, paths: Sequence[Path]) -> tuple[JsonObject, JsonObject | None]:
    """Values without some paths, and what stood at these; None when there are no paths."""
    if not paths:
        return values, None
    moved: JsonObject = {}
    for path in paths:
        values, value = _without(values, path)
        if value is not _ABSENT:
            at = moved
            for step in path[:-1]:
                at = at.setdefault(step, {})
            at[path[-1]] = value
    return values, moved


_ABSENT = object()


def _without(values: JsonObject, path: Path) -> tuple[JsonObject, Any]:
    """Values without a path and without maps that are empty for want of it, and what stood there."""
    first, rest = path[0], path[1:]
    if first not in values or (rest and not isinstance(values[first], dict)):
        return values, _ABSENT
    others = {key: value for key, value in values.items() if key != first}
    if not rest:
        return others, values[first]
    below, value = _without(values[first], rest)
    if value is _ABSENT:
        return values, _ABSENT
    return {key: below if key == first else kept for key, kept in values.items() if key != first or below}, value


def _refusal(
    component: Component, item: InstallTime, others: Sequence[Path], composition: Composition, catalog: Catalog
) -> Finding | None:
    where = f"{component.name}:{dotted(item.path)}"
    if component.chart is None or component.manifests:
        what = "its objects are" if component.chart is None else "objects beside its chart are"
        message = f"{where} cannot be left to install time: {what} rendered with its values"
        return Finding(rule="AICR-A011", message=message, location=item.location, fix="set it with --set, and bundle again")
    if other := next((path for path in others if _meet(path, item.path)), None):
        message = f"{where} is left to install time twice, with {component.name}:{dotted(other)}"
        return Finding(rule="AICR-A013", message=message, location=item.location, fix="give one of the two")
    for path, rule, reason, fix in _depends(component, composition, catalog):
        if _meet(path, item.path):
            message = f"{where} cannot be left to install time: {reason}"
            return Finding(rule=rule, message=message, location=item.location, fix=fix)
    return None


def _depends(component: Component, composition: Composition, catalog: Catalog) -> Iterator[tuple[Path, str, str, str]]:
    """What of a component's values the bundle depends on: path, rule, reason, fix."""
    for selection in composition.selections:
        for pointer in selection.owned:
            _, owner, _, *steps = tokens(pointer)
            if owner == component.name:
                reason = f"{owner}:{dotted(tuple(steps))} belongs to the profile {selection.axis}={selection.value}"
                yield tuple(steps), "AICR-A010", reason, f"choose it with --profile {selection.axis}=VALUE"
    present = {each.name for each in composition.components}
    for agreement, _ in catalog.agreements:
        named = [path.partition(":")[::2] for path in value_paths(agreement)]
        if {owner for owner, _ in named} <= present:
            for owner, path in named:
                if owner == component.name:
                    reason = f"components must agree on {owner}:{path} ({agreement['reason']})"
                    yield tuple(path.split(".")), "AICR-A011", reason, "set it with --set, and bundle again"
    for image in _image_paths(component, catalog):
        reason = f"{dotted(image)} decides which images are pulled, and the lock lists them"
        yield image, "AICR-A012", reason, "set it with --set, and bundle again"


def _image_paths(component: Component, catalog: Catalog) -> Iterator[Path]:
    declared: Mapping[str, Any] = declaration(catalog, component) or {}
    for entry in declared.get("images", ()):
        yield from (tuple(path.split(".")) for path in entry.get("values", {}).values())
        if "when" in entry:
            yield tuple(entry["when"]["path"].split("."))
    for reference in references(component.values, image_fields(catalog)):
        yield from (tuple(tokens(pointer)) for pointer in {reference.pointer, *reference.parts.values()} if pointer)


def _meet(one: Path, other: Path) -> bool:
    """Whether one path is the other, or above it."""
    shared = min(len(one), len(other))
    return one[:shared] == other[:shared]
