"""One value on every axis of a recipe: chosen, or the default; with its parameters typed, checked and in normal form."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from bundler.compose.origins import stated
from bundler.compose.wording import listed, near_name, nearest, pairs, shown
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.model.composition import Selection
from bundler.model.criteria import Criteria
from bundler.model.finding import Finding
from bundler.model.pointer import join
from bundler.profiles.declarations import broken
from bundler.profiles.given import Taken
from bundler.profiles.machine_type import refuse, stated_machine

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bundler.compose.layer import AuthoredLayer
    from bundler.model.document import Document, JsonObject
    from bundler.model.location import Location
    from bundler.model.request import Request
    from bundler.profiles.axes import Axes, Axis, AxisValue

__all__ = ["Choice", "choices_of", "select"]

_ENVELOPE = frozenset({"apiVersion", "kind", "metadata", "default", "releases"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The value taken on one axis.

    Attributes:
        alternatives: every value that this recipe accepts, the chosen one among them.
        warnings: what the user should know of the choice.
    """

    value: AxisValue
    selection: Selection
    alternatives: tuple[AxisValue, ...] = field(repr=False)
    warnings: tuple[Finding, ...] = ()

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
    criteria = Criteria.of(recipe.data["criteria"])
    machine_type, problems = stated_machine(axes.index.catalog, criteria, request)
    findings = [*_unknown_axes(recipe, declared, request), *problems]
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
        if value is None:
            continue
        alternatives = choices_of(axis, recipe)
        if misfits := tuple(refuse(value, axis, alternatives, machine_type, request)) if machine_type else ():
            findings.extend(misfits)
            continue
        taken = Taken(value=value, criteria=criteria, request=request, chosen_at=_chosen_at(axis, recipe, request))
        taken.take(machine_type)
        findings.extend(taken.findings)
        selection = _selection(axis, value, taken)
        chosen.append(Choice(value=value, selection=selection, alternatives=alternatives, warnings=tuple(taken.warnings)))
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


def _selection(axis: Axis, value: AxisValue, taken: Taken) -> Selection:
    brought = {pointer for pointer in value.assigned if pointer not in value.lasting}
    return Selection(
        axis=axis.name,
        value=value.name,
        parameters=taken.parameters,
        releases=taken.releases,
        machine=taken.machine,
        table=_table(value, taken),
        owned=tuple(sorted(axis.owned | brought)),
        declaration=value.declaration,
    )


def _table(value: AxisValue, taken: Taken) -> JsonObject:
    """What the release table of the value says of all its releases; empty when it has none."""
    for name in taken.releases:
        table = value.parameters[name].table
        assert table is not None
        return {key: fact for key, fact in table.data.items() if key not in _ENVELOPE}
    return {}
