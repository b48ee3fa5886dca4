"""The parameters of a chosen value: what was given or is the default, typed, checked and in normal form, with the rows it names."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from bundler.compose.origins import stated
from bundler.compose.wording import listed, near_name, nearest, shown
from bundler.dataclass import dataclass
from bundler.model.finding import Finding, Severity
from bundler.model.pointer import join
from bundler.profiles import parameters
from bundler.profiles.machine_type import machine_type_at
from bundler.profiles.machines import fitting, machine_parameter, misfit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bundler.model.criteria import Criteria
    from bundler.model.document import JsonObject
    from bundler.model.location import Location
    from bundler.model.request import Request
    from bundler.profiles.axes import AxisValue
    from bundler.profiles.inputs import Parameter

__all__ = ["Taken"]


@dataclass(slots=True, kw_only=True)
class Taken:
    """What the parameters of one value come to.

    Attributes:
        value: the value chosen.
        criteria: of the recipe.
        request: what was asked for.
        chosen_at: where the value was chosen.
        parameters: by name, in the order declared.
        releases: parameter name → the record it names in its release table.
        machine: the row that the machine parameter names; empty when there is none.
        findings: what is wrong.
        warnings: what the user should know.
    """

    value: AxisValue
    criteria: Criteria
    request: Request
    chosen_at: Location
    parameters: dict[str, Any] = field(default_factory=dict)
    releases: dict[str, JsonObject] = field(default_factory=dict)
    machine: JsonObject = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    warnings: list[Finding] = field(default_factory=list)

    def take(self, machine_type: JsonObject) -> None:
        """Take every parameter that was given or has a default.

        Args:
            machine_type: the row of the machine type that is stated and fits the value; empty when none is.
        """
        self.findings.extend(self._unknown())
        if (named := machine_parameter(self.value)) is not None:
            self._machine(*named, machine_type)
        elif machine_type:
            self._caution(machine_type, machine_type_at(self.request))
        for name, parameter in self.value.parameters.items():
            if parameter.machine_table is not None:
                continue
            if parameter.keys_from is None:
                self._data(name, parameter)
            elif self.machine:
                self._data(name, parameter.keyed(self.machine[parameter.keys_from[1]]))
            elif parameter.required and name not in self._given:
                self.findings.append(self._missing(name, parameter))
        self.parameters = {name: self.parameters[name] for name in self.value.parameters if name in self.parameters}

    @property
    def _given(self) -> Mapping[str, Any]:
        return self.request.parameters.get(self.value.axis, {})

    def _given_at(self, name: str) -> Location:
        return stated(self.request, join(("parameters", self.value.axis, name)), "--param")

    def _data(self, name: str, parameter: Parameter) -> None:
        """Take data, or the name of a release."""
        if name in self._given:
            data, problems = _read(parameter, self._given[name], self._given_at(name))
        elif parameter.defaults:
            data = parameter.defaults[0]
            problems = parameters.check(parameter, data, parameter.location)
        else:
            if parameter.required:
                self.findings.append(self._missing(name, parameter))
            return
        self.findings.extend(problems)
        if not problems:
            self.parameters[name] = parameters.normal(parameter.place, data)
            if parameter.table is not None:
                self.releases[name] = parameter.releases[data]

    def _machine(self, name: str, parameter: Parameter, machine_type: JsonObject) -> None:
        """Take the machine: the one given, else the machine type that is stated, else the default."""
        type_name = machine_type.get("name")
        if name in self._given:
            data, location = self._given[name], self._given_at(name)
            if type_name is not None and data != type_name:
                place = machine_type_at(self.request)
                message = f"parameter {parameter.label} is {shown(data)}, the machine type is {type_name!r} ({place})"
                self.findings.append(Finding(rule="AICR-P024", message=message, location=location, fix="give one of the two"))
                return
        elif type_name is not None:
            data, location = type_name, machine_type_at(self.request)
        elif parameter.defaults:
            data, location = parameter.defaults[0], parameter.location
        else:
            if parameter.required and self.request.machine_type is None:
                self.findings.append(self._missing(name, parameter))
            return
        problems = tuple(self._refused(parameter, data, location))
        self.findings.extend(problems)
        if not problems:
            self.parameters[name] = data
            self.machine = parameter.machines[data]
            self._caution(self.machine, location)

    def _refused(self, parameter: Parameter, data: Any, location: Location) -> Iterator[Finding]:
        """Why a machine that is named cannot be taken."""
        assert parameter.machine_table is not None
        fix = _fitting(self.value, self.criteria)
        row = parameter.machines.get(data) if isinstance(data, str) else None
        if row is None:
            near = near_name(data, parameter.machines) if isinstance(data, str) else None
            message = f"parameter {parameter.label}: {shown(data)} is no machine of {parameter.machine_table.name}"
            fix = f"did you mean {near!r}? {fix}" if near else fix
            yield Finding(rule="AICR-P021", message=message, location=location, fix=fix)
        elif reason := misfit(self.value, row, self.criteria.accelerator):
            message = f"parameter {parameter.label}: {data} {reason}"
            yield Finding(rule="AICR-P022", message=message, location=location, fix=fix)

    def _unknown(self) -> Iterator[Finding]:
        value = self.value
        known_names = value.parameters
        for name in self._given:
            if name not in known_names:
                known = nearest(name, known_names, label="its parameters") if known_names else "it takes none: leave it out"
                message = f"{value.axis}={value.name} has no parameter {shown(name)}"
                yield Finding(rule="AICR-P007", message=message, location=self._given_at(name), fix=known)

    def _caution(self, row: JsonObject, location: Location) -> None:
        if "warning" in row:
            message, fix = f"{row['name']}: {row['warning'].removesuffix('.')}", "choose another machine where that matters"
            self.warnings.append(Finding(rule="AICR-P025", message=message, severity=Severity.WARNING, location=location, fix=fix))

    def _missing(self, name: str, parameter: Parameter) -> Finding:
        description = str(parameter.declaration["description"]).removesuffix(".")
        found = parameter.declaration.get("discoveredBy")
        named = parameter.machine_table is not None
        steps = [f"add {parameter.flag}"] if not named or fitting(self.value, self.criteria.accelerator) else []
        steps += [_fitting(self.value, self.criteria)] if named else []
        steps += [f"the cluster's own values: {found}"] if found and steps[0].startswith("add ") else []
        return Finding(
            rule="AICR-P006",
            message=f"{self.value.axis}={self.value.name} needs the parameter {name!r}: {description}",
            location=self.chosen_at,
            fix="; ".join(steps),
        )


def _fitting(value: AxisValue, criteria: Criteria) -> str:
    fit = fitting(value, criteria.accelerator)
    return f"machines that fit: {listed(fit)}" if fit else f"no machine with {criteria.accelerator} fits: choose another value"


def _read(parameter: Parameter, given: Any, location: Location) -> tuple[Any, tuple[Finding, ...]]:
    """What was given, typed when it is the text of a flag: a flag has no line, a file types its own values."""
    if isinstance(given, str) and not location.line:
        data, problems = parameters.parse(parameter, given, location)
        return data, problems or parameters.check(parameter, data, location)
    return given, parameters.check(parameter, given, location)
