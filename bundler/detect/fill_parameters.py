"""Parameters of the chosen profile values, each asked of the snapshot in the way that it names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.compose.origins import stated
from bundler.detect.discoveries import DISCOVERIES, Asked, count_of
from bundler.model.finding import Severity
from bundler.model.pointer import join
from bundler.profiles import parameters
from bundler.profiles.axes import Axes
from bundler.profiles.inputs import as_flag
from bundler.profiles.machines import as_asked, named_machine

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bundler.catalog.catalog import Catalog
    from bundler.detect.fact import Fact
    from bundler.detect.filling import Filling
    from bundler.detect.nodes import Node
    from bundler.model.document import Document, JsonObject
    from bundler.model.location import Location
    from bundler.model.request import Request
    from bundler.model.snapshot import Snapshot
    from bundler.profiles.axes import AxisValue
    from bundler.profiles.inputs import Parameter

__all__ = ["chosen_values", "fill_parameters"]


def chosen_values(catalog: Catalog, recipe: Document, request: Request) -> tuple[AxisValue, ...]:
    """The value on every axis of a recipe that is chosen or the default. What does not exist is left for composing to refuse."""

    def chosen() -> Iterator[AxisValue]:
        axes = catalog.derived(Axes.of)
        for axis, declared in sorted(recipe.data.get("profiles", {}).items()):
            name = request.profiles.get(axis, declared.get("default"))
            if axis in axes and name in axes[axis].values:
                yield axes[axis].values[name]

    return tuple(chosen())


def fill_parameters(
    filling: Filling,
    values: Sequence[AxisValue],
    nodes: Sequence[Node],
    snapshot: Snapshot,
    *,
    machines: Mapping[str, JsonObject],
    accelerator: str | None,
) -> None:
    """Take every parameter that says how it is discovered, or hold it against what was found.

    Args:
        filling: the request.
        values: chosen ones.
        nodes: of the accelerator and machine type.
        snapshot: of the cluster.
        machines: machine types of the service.
        accelerator: of the recipe.
    """
    for value in values:
        given = filling.request.parameters.get(value.axis, {})
        machine = machines.get(filling.request.machine_type or "", {}) or named_machine(value, given)
        for name, declared in value.parameters.items():
            discover = DISCOVERIES.get(declared.declaration.get("discovers", ""))
            parameter = as_asked(value, declared, accelerator, machine)
            if discover is None or (parameter.keys_from is not None and not parameter.place.required):
                continue
            count = count_of(value.declaration, name, given, machine)
            fact = discover(Asked(parameter=parameter, nodes=nodes, snapshot=snapshot, count=count))
            if name in given:
                at = stated(filling.request, join(("parameters", value.axis, name)), "--param")
                _compare(filling, parameter, fact, given[name], at)
            else:
                _take(filling, value.axis, name, parameter, fact)


def _take(filling: Filling, axis: str, name: str, parameter: Parameter, fact: Fact) -> None:
    if fact.value is not None:
        filling.take(("parameters", axis, name), f"parameter {parameter.label}", fact)
    elif fact.refusal:
        filling.refuse(f"parameter {parameter.label}", fact, f"give {_example(parameter, fact)} as it is meant")
    elif fact.silence:
        rest = f"; the default {as_flag(parameter.defaults[0])} stays" if parameter.defaults else ""
        filling.unproven(f"parameter {parameter.label}", f"{fact.silence}{rest}")


def _compare(filling: Filling, parameter: Parameter, fact: Fact, given: Any, at: Location) -> None:
    """Hold a stated value against the fact. What the bundle itself installs may differ from what is there: that is an upgrade."""
    data, problems = parameters.parse(parameter, given, at) if isinstance(given, str) and not at.line else (given, ())
    if problems:
        return
    severity = Severity.ERROR if parameter.table is None else Severity.WARNING
    label = f"parameter {parameter.label}"
    if fact.value is not None and data != fact.value:
        filling.contradict(label, data, at, f"the nodes say {as_flag(fact.value)} ({fact.source})", severity=severity)
    elif fact.refusal:
        names = frozenset(data.values()) if isinstance(data, dict) else {data}
        if fact.candidates and not names <= frozenset(fact.candidates):
            filling.contradict(label, data, at, f"{fact.refusal} ({fact.source})", severity=severity)
        elif not fact.candidates:
            filling.contradict(label, data, at, fact.refusal, severity=Severity.WARNING)


def _example(parameter: Parameter, fact: Fact) -> str:
    """The flag with the candidates, where there are as many as the parameter has entries."""
    keys = parameter.place.required
    if keys and len(keys) == len(fact.candidates):
        return f"--param {parameter.label}={as_flag(dict(zip(keys, fact.candidates, strict=True)))}"
    choices = "|".join(fact.candidates) if fact.candidates and not keys else ""
    return f"--param {parameter.label}={choices}" if choices else parameter.flag
