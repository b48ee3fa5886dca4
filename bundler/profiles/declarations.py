"""Rules that profile declarations keep among themselves, checked when an axis is used and, over all axes, by `aicr lint`.

Union totality: every value of an axis writes the same paths, so that changing the choice changes these and nothing else. Components
that a value brings are exempt, as they exist only with it. Disjoint ownership: no path belongs to two axes.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from bundler.compose.wording import listed, nearest
from bundler.errors import InvalidInput
from bundler.model.finding import Finding
from bundler.model.pointer import parent, tokens
from bundler.profiles import parameters
from bundler.profiles.axes import Axes
from bundler.profiles.machines import machine_parameter, misfit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bundler.catalog.catalog import Catalog
    from bundler.model.document import JsonObject
    from bundler.model.trace import Assignment
    from bundler.profiles.axes import Axis, AxisValue
    from bundler.profiles.inputs import Parameter

__all__ = ["broken", "check_declarations", "owned_path"]


def check_declarations(catalog: Catalog) -> tuple[Finding, ...]:
    """Everything that is wrong with the profiles of a catalogue, by axis."""
    axes = catalog.derived(Axes.of)
    every = [axes[name] for name in sorted(axes)]
    findings = list(broken(every))
    for axis in every:
        for value in axis.values.values():
            findings.extend(_unknown_components(axis, value))
            findings.extend(_unfit_values(value))
    return tuple(findings)


def broken(axes: Sequence[Axis]) -> Iterator[Finding]:
    """What keeps these axes from being used together."""
    for axis in axes:
        yield from _partial(axis)
    for one, other in combinations(axes, 2):
        yield from _shared(one, other)


def owned_path(pointer: str) -> str:
    """A pointer into the composed tree as `component:path`."""
    _, component, _, *path = tokens(pointer)
    return f"{component}:{'.'.join(path)}"


def _partial(axis: Axis) -> Iterator[Finding]:
    """Values that leave out a path which another value of the axis writes."""
    for value in axis.values.values():
        left_out = sorted(axis.owned - value.assigned.keys())
        if left_out:
            other = next(name for name, peer in axis.values.items() if left_out[0] in peer.lasting)
            yield Finding(
                rule="AICR-P016",
                message=(
                    f"{axis.name}={value.name} does not set {listed(map(owned_path, left_out))}, "
                    f"which {axis.name}={other} sets: every value of an axis sets the same paths"
                ),
                location=value.location,
                pointer=value.layer.root,
                fix="state it for this value too; null says that it is absent",
            )


def _shared(one: Axis, other: Axis) -> Iterator[Finding]:
    """Paths that two axes write, or of which one stands above the other."""
    mine, theirs = _written(one), _written(other)
    above = {pointer: pointer for pointer in theirs}
    for pointer in theirs:
        step = parent(pointer)
        while step and step not in above:
            above[step] = pointer
            step = parent(step)
    for pointer, assignment in mine.items():
        at = pointer
        while at and at not in theirs:
            at = parent(at)
        clash = at or above.get(pointer)
        if clash:
            peer = theirs[clash]
            yield Finding(
                rule="AICR-P017",
                message=(
                    f"{owned_path(pointer)} is set by {assignment.layer} and {owned_path(clash)} by {peer.layer} "
                    f"({peer.location}): a path belongs to one axis"
                ),
                location=assignment.location,
                pointer=pointer,
                fix="leave the path to one of the two",
            )


def _written(axis: Axis) -> Mapping[str, Assignment]:
    """Pointer → the first value's assignment that writes there."""
    written: dict[str, Assignment] = {}
    for value in axis.values.values():
        for pointer, assignment in value.assigned.items():
            written.setdefault(pointer, assignment)
    return written


def _unknown_components(axis: Axis, value: AxisValue) -> Iterator[Finding]:
    known = axis.index.components
    brought = [(inclusion.value, inclusion.location) for inclusion in value.layer.inclusions]
    named = [(part.name, part.location) for part in value.layer.components]
    for name, location in (*brought, *named):
        if name not in known:
            message = f"component {name!r} is not in the registry ({value.layer.label})"
            fix = f"{nearest(name, known)}; components are registered in recipes/registry.yaml"
            yield Finding(rule="AICR-C012", message=message, location=location, fix=fix)


def _unfit_values(value: AxisValue) -> Iterator[Finding]:
    """Defaults and examples that the parameter itself would refuse, and tables that do not exist."""
    try:
        named = machine_parameter(value)
        machines = {} if named is None else _stated_machines(named[1])
        yield from _unfit_machines(value, machines)
        for parameter in value.parameters.values():
            if parameter.keys_from is not None:
                yield from _unfit_keys(parameter, None if named is None else named[0], machines)
            elif parameter.machine_table is None:
                yield from _unfit(parameter, parameter)
    except InvalidInput as error:
        yield from error.findings


def _unfit(parameter: Parameter, as_used: Parameter) -> Iterator[Finding]:
    stated = [*parameter.defaults, *([parameter.declaration["example"]] if "example" in parameter.declaration else [])]
    for data in stated:
        for finding in parameters.check(as_used, data, parameter.location):
            yield _broken(parameter, finding.message, "correct the default or the example")


def _stated_machines(parameter: Parameter) -> dict[str, JsonObject | None]:
    """The machines that the default and the example name, each with its row."""
    stated = [parameter.declaration[key] for key in ("default", "example") if key in parameter.declaration]
    return {str(name): parameter.machines.get(str(name)) for name in stated}


def _unfit_machines(value: AxisValue, machines: dict[str, JsonObject | None]) -> Iterator[Finding]:
    """Machines of the default and the example that the value does not fit, and a second parameter that names a machine."""
    named = [each for each in value.parameters.values() if each.machine_table is not None]
    for parameter in named[1:]:
        yield _broken(parameter, f"a value names one machine, and {named[0].label} names it", "leave one of the two out")
    for name, row in machines.items():
        reason = "is in no row of its table" if row is None else misfit(value, row)
        if reason:
            yield _broken(named[0], f"{name} {reason}", "correct the default or the example")


def _unfit_keys(parameter: Parameter, named: str | None, machines: dict[str, JsonObject | None]) -> Iterator[Finding]:
    """A map whose keys no machine lists, or whose example has other keys than the example of its machine."""
    assert parameter.keys_from is not None
    source, fact = parameter.keys_from
    if source != named:
        yield _broken(parameter, f"keysFrom names {source!r}, which is no parameter with a machine table", "name that parameter")
        return
    for row in machines.values():
        if row is not None and isinstance(row.get(fact), list):
            yield from _unfit(parameter, parameter.keyed(row[fact]))


def _broken(parameter: Parameter, message: str, fix: str) -> Finding:
    message = f"the declaration breaks its own rule: {message}"
    return Finding(rule="AICR-P020", message=message, location=parameter.location, fix=fix)
