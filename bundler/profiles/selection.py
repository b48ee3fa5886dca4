"""One value on every axis of a recipe: chosen, or the default; with its parameters typed, checked and in normal form."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bundler.compose.origins import stated
from bundler.compose.wording import listed, near_name, nearest, pairs, shown
from bundler.errors import InvalidInput
from bundler.model.composition import Selection
from bundler.model.criteria import Criteria
from bundler.model.finding import Finding
from bundler.model.pointer import join
from bundler.profiles import parameters
from bundler.profiles.declarations import broken

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bundler.compose.layer import AuthoredLayer
    from bundler.model.document import Document, JsonObject
    from bundler.model.location import Location
    from bundler.model.request import Request
    from bundler.profiles.axes import Axes, Axis, AxisValue, Parameter

__all__ = ["Choice", "choices_of", "select"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The value taken on one axis.

    Attributes:
        alternatives: every value that this recipe accepts, the chosen one among them.
    """

    value: AxisValue
    selection: Selection
    alternatives: tuple[AxisValue, ...] = field(repr=False)

    @property
    def layer(self) -> AuthoredLayer:
        """What the value writes."""
        return self.value.layer


def choices_of(axis: Axis, recipe: Document) -> tuple[AxisValue, ...]:
    """The values of an axis that a recipe accepts: those that apply to its criteria, and are on its list when it has one."""
    criteria = Criteria.of(recipe.data["criteria"])
    accepted = recipe.data["profiles"][axis.name].get("values")
    return tuple(
        value for name, value in axis.values.items() if (accepted is None or name in accepted) and not value.misfits(criteria)
    )


def select(axes: Axes, recipe: Document, request: Request) -> tuple[Choice, ...]:
    """The choice on every axis that the recipe declares, by axis.

    Raises:
        InvalidInput: a choice or a parameter is missing, unknown or does not fit; a declaration breaks its own rules.
            One finding each, all axes together.
    """
    declared = recipe.data.get("profiles", {})
    findings = list(_unknown_axes(recipe, declared, request))
    used: list[Axis] = []
    chosen: list[Choice] = []
    for name in sorted(declared):
        if name not in axes:
            pointer = join(("profiles", name))
            message = f"recipe {recipe.name!r} declares the profile {name!r}, of which there is no declaration"
            fix = f"{nearest(name, axes)}; or add recipes/profiles/{name}.yaml"
            findings.append(Finding(rule="AICR-P019", message=message, location=recipe.locate(pointer), pointer=pointer, fix=fix))
            continue
        axis = axes[name]
        used.append(axis)
        value, problems = _value(axis, recipe, request)
        findings.extend(problems)
        if value is not None:
            selection, problems = _with_parameters(axis, value, request, _chosen_at(axis, recipe, request))
            findings.extend(problems)
            chosen.append(Choice(value=value, selection=selection, alternatives=choices_of(axis, recipe)))
    findings.extend(broken(used))
    if findings:
        raise InvalidInput.of(findings)
    return tuple(chosen)


def _unknown_axes(recipe: Document, declared: Mapping[str, object], request: Request) -> Iterator[Finding]:
    for name in dict.fromkeys((*request.profiles, *request.parameters)):
        if name not in declared:
            section, flag = ("profiles", "--profile") if name in request.profiles else ("parameters", "--param")
            yield Finding(
                rule="AICR-P001",
                message=f"recipe {recipe.name!r} has no profile {shown(name)}",
                location=stated(request, join((section, name)), flag),
                fix=nearest(name, declared, label="its profiles"),
            )


def _value(axis: Axis, recipe: Document, request: Request) -> tuple[AxisValue | None, tuple[Finding, ...]]:
    """The value stated or the recipe's default, and what is wrong with it."""
    pointer = join(("profiles", axis.name))
    declared = recipe.data["profiles"][axis.name]
    choices = choices_of(axis, recipe)
    name = request.profiles.get(axis.name, declared.get("default"))
    if name is None:
        message = f"recipe {recipe.name!r} leaves {axis.name} to you, and nothing chooses it"
        fix = f"add {' or '.join(f'{value.flag} ({value.description})' for value in choices)}"
        return None, (Finding(rule="AICR-P002", message=message, location=recipe.locate(pointer), pointer=pointer, fix=fix),)
    problem = _problem(axis, name, recipe, choices)
    if problem is not None:
        rule, message, fix = problem
        return None, (Finding(rule=rule, message=message, location=_chosen_at(axis, recipe, request), fix=fix),)
    return axis.values[name], ()


def _chosen_at(axis: Axis, recipe: Document, request: Request) -> Location:
    """Where the value was stated: by the user, or as the recipe's default."""
    pointer = join(("profiles", axis.name))
    return stated(request, pointer, "--profile") if axis.name in request.profiles else recipe.locate(f"{pointer}/default")


def _problem(axis: Axis, name: str, recipe: Document, choices: tuple[AxisValue, ...]) -> tuple[str, str, str] | None:
    """Rule, message and fix when the recipe does not accept a value."""
    accepted = f"recipe {recipe.name!r} accepts {listed(value.name for value in choices)}"
    value = axis.values.get(name)
    if value is None:
        near = near_name(name, [choice.name for choice in choices]) or near_name(name, axis.values)
        fix = f"did you mean {near!r}? {accepted}" if near else accepted
        return "AICR-P003", f"{axis.name} has no value {shown(name)}", fix
    criteria = Criteria.of(recipe.data["criteria"])
    if misfits := value.misfits(criteria):
        message = f"{axis.name}={name} does not apply to {pairs(misfits)}: it fits {value.fits_in_words}"
        return "AICR-P004", message, accepted
    if value not in choices:
        return "AICR-P005", f"{axis.name}={name} is not on the list of recipe {recipe.name!r}", accepted
    return None


def _with_parameters(axis: Axis, value: AxisValue, request: Request, chosen_at: Location) -> tuple[Selection, tuple[Finding, ...]]:
    """The selection with every parameter that was given or has a default."""
    given = request.parameters.get(axis.name, {})
    findings = list(_unknown_parameters(value, given, request))
    taken: dict[str, Any] = {}
    releases: dict[str, JsonObject] = {}
    for name, parameter in value.parameters.items():
        if name in given:
            location = stated(request, join(("parameters", axis.name, name)), "--param")
            data, problems = _read(parameter, given[name], location)
        elif parameter.defaults:
            data = parameter.defaults[0]
            problems = parameters.check(parameter, data, parameter.location)
        else:
            if parameter.required:
                findings.append(_missing(parameter, name, value, chosen_at))
            continue
        findings.extend(problems)
        if not problems:
            taken[name] = parameters.normal(parameter.place, data)
            if parameter.table is not None:
                releases[name] = parameter.releases[data]
    brought = {pointer for pointer in value.assigned if pointer not in value.lasting}
    selection = Selection(
        axis=axis.name,
        value=value.name,
        parameters=taken,
        releases=releases,
        owned=tuple(sorted(axis.owned | brought)),
        declaration=value.declaration,
    )
    return selection, tuple(findings)


def _read(parameter: Parameter, given: Any, location: Location) -> tuple[Any, tuple[Finding, ...]]:
    """What was given, typed when it is the text of a flag: a flag has no line, a file types its own values."""
    if isinstance(given, str) and not location.line:
        data, problems = parameters.parse(parameter, given, location)
        return data, problems or parameters.check(parameter, data, location)
    return given, parameters.check(parameter, given, location)


def _unknown_parameters(value: AxisValue, given: Mapping[str, object], request: Request) -> Iterator[Finding]:
    for name in given:
        if name not in value.parameters:
            known = nearest(name, value.parameters, label="its parameters") if value.parameters else "it takes none: leave it out"
            yield Finding(
                rule="AICR-P007",
                message=f"{value.axis}={value.name} has no parameter {shown(name)}",
                location=stated(request, join(("parameters", value.axis, name)), "--param"),
                fix=known,
            )


def _missing(parameter: Parameter, name: str, value: AxisValue, chosen_at: Location) -> Finding:
    discovered = parameter.declaration.get("discoveredBy")
    where = f"; the cluster's own values: {discovered}" if discovered else ""
    return Finding(
        rule="AICR-P006",
        message=f"{value.axis}={value.name} needs the parameter {name!r}: {_sentence(parameter)}",
        location=chosen_at,
        fix=f"add {parameter.flag}{where}",
    )


def _sentence(parameter: Parameter) -> str:
    return str(parameter.declaration["description"]).removesuffix(".")
