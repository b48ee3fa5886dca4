"""Which machine types a profile value fits, and why one does not fit: what the value lists, and what its parameters require."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bundler.model.document import JsonObject
    from bundler.profiles.axes import AxisValue
    from bundler.profiles.inputs import Parameter

__all__ = ["as_asked", "fitting", "listed_types", "machine_parameter", "misfit", "named_machine"]


def machine_parameter(value: AxisValue) -> tuple[str, Parameter] | None:
    """The parameter of a value that names a machine, with its name, or None. A value has at most one."""
    return next(((name, each) for name, each in value.parameters.items() if each.machine_table is not None), None)


def listed_types(value: AxisValue) -> tuple[str, ...]:
    """The machine types that a value says are the only ones it fits; empty when it says nothing."""
    return tuple(value.declaration.get("appliesTo", {}).get("machineTypes", ()))


def fitting(value: AxisValue, accelerator: str | None = None) -> tuple[str, ...]:
    """The machine types that a value fits, those with a warning last; empty when it depends on none.

    Args:
        value: the value.
        accelerator: of the recipe; without one, those of every accelerator that the value applies to.
    """
    named = machine_parameter(value)
    if named is None:
        return listed_types(value)
    _, parameter = named
    accelerators = value.fits.get("accelerator") if accelerator is None else (accelerator,)
    rows = [
        row
        for row in parameter.machines.values()
        if (accelerators is None or row["accelerator"] in accelerators) and misfit(value, row) is None
    ]
    return tuple(row["name"] for row in sorted(rows, key=lambda row: "warning" in row))


def named_machine(value: AxisValue, given: Mapping[str, Any]) -> JsonObject:
    """The row that the given parameters name; empty when they name none."""
    named = machine_parameter(value)
    return {} if named is None else named[1].machines.get(str(given.get(named[0])), {})


def as_asked(value: AxisValue, parameter: Parameter, accelerator: str | None, row: JsonObject) -> Parameter:
    """A parameter as a recipe asks for it.

    Args:
        value: the value it belongs to.
        parameter: as declared.
        accelerator: of the recipe, which leaves some machines.
        row: of the machine when it is known, which lists keys; empty when it is not.
    """
    if parameter.machine_table is not None:
        return parameter.limited(fitting(value, accelerator))
    keys = row.get(parameter.keys_from[1]) if parameter.keys_from is not None else None
    return parameter.keyed(keys) if isinstance(keys, list) else parameter


def misfit(value: AxisValue, row: JsonObject, accelerator: str | None = None) -> str | None:
    """Why a machine does not fit a value, as the end of a sentence that begins with its name; None when it fits.

    Args:
        value: the value.
        row: of a machine table.
        accelerator: of the recipe, when it is to be compared.
    """
    if accelerator is not None and row["accelerator"] != accelerator:
        return f"has the accelerator {row['accelerator']}, not {accelerator}"
    listed = listed_types(value)
    if listed and row["name"] not in listed:
        return f"is not among its machine types ({', '.join(listed)})"
    named = machine_parameter(value)
    if named is None:
        return None
    name, parameter = named
    if row["name"] not in parameter.machines:
        assert parameter.machine_table is not None
        return f"is no machine of {parameter.machine_table.name}"
    keys = [each.keys_from for each in value.parameters.values()]
    lists = [fact for source, fact in filter(None, keys) if source == name]
    lacking = [fact for fact in parameter.declaration.get("requires", ()) if not row.get(fact)]
    lacking += [fact for fact in lists if fact not in lacking and not _names(row.get(fact))]
    return f"has no {' and no '.join(lacking)}" if lacking else None


def _names(fact: Any) -> bool:
    """Whether a fact lists names."""
    return isinstance(fact, list) and bool(fact)
