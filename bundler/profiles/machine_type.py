"""The machine type that a request states: a row of the service's machine table that the recipe and every choice fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.compose.origins import stated
from bundler.compose.wording import listed, near_name, shown
from bundler.model.finding import Finding
from bundler.profiles.machines import fitting, misfit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bundler.catalog.catalog import Catalog
    from bundler.model.criteria import Criteria
    from bundler.model.document import JsonObject
    from bundler.model.location import Location
    from bundler.model.request import Request
    from bundler.profiles.axes import Axis, AxisValue

__all__ = ["machine_type_at", "refuse", "stated_machine"]

_FLAG = "--machine-type"


def stated_machine(catalog: Catalog, criteria: Criteria, request: Request) -> tuple[JsonObject, tuple[Finding, ...]]:
    """The row of the machine type that is stated, empty when none is, and what is wrong with it."""
    name, service = request.machine_type, criteria.service or ""
    if name is None:
        return {}, ()
    if service not in catalog.machine_tables:
        message = f"there is no table of the machine types of service {service}, so {shown(name)} cannot be checked"
        fix = f"leave the machine type out, or add bom/machines/{service}.yaml with --data"
        return {}, (Finding(rule="AICR-P021", message=message, location=machine_type_at(request), fix=fix),)
    rows = {row["name"]: row for row in catalog.machine_table(service).data["machines"]}
    fit = [each for each, row in rows.items() if row["accelerator"] == criteria.accelerator]
    known = f"machine types with {criteria.accelerator}: {listed(fit) or 'none'}"
    if name not in rows:
        near = near_name(name, rows)
        message = f"machine type {shown(name)} is not in bom/machines/{service}.yaml"
        fix = f"did you mean {near!r}? {known}" if near else known
        return {}, (Finding(rule="AICR-P021", message=message, location=machine_type_at(request), fix=fix),)
    row = rows[name]
    if row["accelerator"] != criteria.accelerator:
        message = f"machine type {name} has the accelerator {row['accelerator']}, the recipe is for {criteria.accelerator}"
        return {}, (Finding(rule="AICR-P022", message=message, location=machine_type_at(request), fix=known),)
    return row, ()


def refuse(value: AxisValue, axis: Axis, choices: Sequence[AxisValue], row: JsonObject, request: Request) -> Iterator[Finding]:
    """Why a chosen value cannot stand beside the machine type that is stated, with the values that can.

    Args:
        value: the value chosen.
        axis: its axis.
        choices: every value of the axis that the recipe accepts.
        row: of the machine type, which has the recipe's accelerator.
        request: what was asked for.
    """
    reason = misfit(value, row)
    if reason is None:
        return
    name, accelerator = row["name"], row["accelerator"]
    attaching = [each for each in axis.values.values() if fitting(each, accelerator) and misfit(each, row) is None]
    accepted = [each.flag for each in attaching if each in choices]
    if accepted:
        fix = f"for {name} choose {' or '.join(accepted)}"
    else:
        refused = f"{listed(each.name for each in attaching)}, which the recipe does not accept"
        left = [*(each.flag for each in choices if misfit(each, row) is None), "another machine type"]
        fix = f"{name} is attached by {refused if attaching else 'no value'}; choose {' or '.join(left)}"
    yield Finding(
        rule="AICR-P023",
        message=f"{value.axis}={value.name} does not fit machine type {name}, which {reason}",
        location=machine_type_at(request),
        fix=f"{fix}; {value.name} fits {listed(fitting(value, accelerator)) or 'none of that accelerator'}",
    )


def machine_type_at(request: Request) -> Location:
    """Where the machine type was stated."""
    return stated(request, "/machineType", _FLAG)
