"""Requirements on the cluster: parsed, intersected over layers, written in one canonical form."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bundler.compose.versions import VersionKey, version_key
from bundler.compose.wording import shown
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.model.composition import Constraint
from bundler.model.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bundler.model.trace import Assignment

__all__ = ["Bound", "Requirement", "intersect", "parse"]

_ITEM = re.compile(r"(>=|<=|==|!=|>|<)?\s*(.*)\Z", re.DOTALL)
_FORM = "write versions with >=, >, <=, <, == or !=, separated by commas, or one exact value"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """One end of a range of versions, as written."""

    text: str
    key: VersionKey
    inclusive: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """What a value must satisfy: a range of versions with gaps, or one exact value.

    Attributes:
        equal: the only value accepted. No bound and no gap stands beside it.
        unequal: values refused, sorted.
    """

    lower: Bound | None = None
    upper: Bound | None = None
    equal: str | None = None
    unequal: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.equal is not None:
            return self.equal
        lower = [f">{'=' if self.lower.inclusive else ''} {self.lower.text}"] if self.lower else []
        upper = [f"<{'=' if self.upper.inclusive else ''} {self.upper.text}"] if self.upper else []
        return ", ".join([*lower, *upper, *(f"!= {text}" for text in self.unequal)])

    def admits(self, value: str) -> bool:
        """Whether a value satisfies the requirement. What is no version lies in no range of versions."""
        if self.equal is not None:
            return _same(value, self.equal)
        if any(_same(value, refused) for refused in self.unequal):
            return False
        key = version_key(value)
        if key is None:
            return self.lower is None and self.upper is None
        above = self.lower is None or key > self.lower.key or (self.lower.inclusive and key == self.lower.key)
        below = self.upper is None or key < self.upper.key or (self.upper.inclusive and key == self.upper.key)
        return above and below

    def meet(self, other: Requirement) -> Requirement | None:
        """What satisfies both, or None when nothing does."""
        if self.equal is not None or other.equal is not None:
            exact, rest = (self, other) if self.equal is not None else (other, self)
            assert exact.equal is not None
            if not rest.admits(exact.equal):
                return None
            return Requirement(equal=_shorter(exact.equal, rest.equal or exact.equal))
        lower = _tighter(self.lower, other.lower, sign=1)
        upper = _tighter(self.upper, other.upper, sign=-1)
        return _normal(lower, upper, {*self.unequal, *other.unequal})


def parse(text: str) -> Requirement:
    """A requirement as layers write it.

    Raises:
        ValueError: the text cannot be read, or excludes everything; the message says why.
    """
    requirement = Requirement()
    for item in text.split(","):
        met = requirement.meet(_item(item.strip()))
        if met is None:
            raise ValueError("nothing can satisfy it")
        requirement = met
    return requirement


def intersect(stated: Iterable[tuple[str, Assignment]]) -> tuple[Constraint, ...]:
    """The constraints that hold when every layer's do.

    Args:
        stated: constraint name and its assignment, in the order of the layers.

    Returns:
        One constraint a name, sorted by name.

    Raises:
        InvalidInput: a constraint cannot be read, or two exclude each other.
    """
    findings: list[Finding] = []
    earlier: dict[str, list[tuple[Requirement, Assignment]]] = {}
    narrowed: dict[str, Requirement] = {}
    for name, assignment in stated:
        try:
            requirement = parse(assignment.value)
        except ValueError as error:
            message = f"constraint {name} cannot be read: {shown(assignment.value)}: {error}"
            findings.append(Finding(rule="AICR-C030", message=message, location=assignment.location, fix=_FORM))
            continue
        met = narrowed.get(name, Requirement()).meet(requirement)
        if met is None:
            findings.append(_exclusion(name, requirement, assignment, earlier[name]))
            continue
        narrowed[name] = met
        earlier.setdefault(name, []).append((requirement, assignment))
    if findings:
        raise InvalidInput.of(findings)
    return tuple(Constraint(name=name, value=str(narrowed[name])) for name in sorted(narrowed))


def _exclusion(
    name: str, requirement: Requirement, assignment: Assignment, earlier: list[tuple[Requirement, Assignment]]
) -> Finding:
    """Name the earlier layer that alone excludes this one, or else the last that narrowed the range."""
    excluding = [before for before in earlier if before[0].meet(requirement) is None]
    other, origin = (excluding or earlier)[-1]
    message = (
        f"constraint {name} cannot hold: {assignment.layer} requires {str(requirement)!r}, "
        f"{origin.layer} requires {str(other)!r} ({origin.location})"
    )
    return Finding(rule="AICR-C031", message=message, location=assignment.location, fix="change one of the two")


def _item(text: str) -> Requirement:
    match = _ITEM.match(text)
    assert match is not None  # the pattern accepts any text
    operator, operand = match[1] or "==", match[2]
    if not operand:
        raise ValueError("an operator or a comma has no value")
    if re.search(r"[\s<>|]", operand) or operand[0] in "=~^":
        raise ValueError(f"{shown(operand)} is neither a version nor an exact value")
    if operator == "==":
        return Requirement(equal=operand)
    if operator == "!=":
        return Requirement(unequal=(operand,))
    key = version_key(operand)
    if key is None:
        raise ValueError(f"{shown(operand)} is no version")
    bound = Bound(text=operand, key=key, inclusive=operator.endswith("="))
    return Requirement(lower=bound) if operator[0] == ">" else Requirement(upper=bound)


def _normal(lower: Bound | None, upper: Bound | None, unequal: set[str]) -> Requirement | None:
    """The one form of a range with gaps: no gap outside the range, none at its ends, no range of a single version."""
    for text in unequal:
        if lower and lower.inclusive and version_key(text) == lower.key:
            lower = Bound(text=lower.text, key=lower.key, inclusive=False)
        if upper and upper.inclusive and version_key(text) == upper.key:
            upper = Bound(text=upper.text, key=upper.key, inclusive=False)
    if lower and upper and lower.key >= upper.key:
        if lower.key > upper.key or not (lower.inclusive and upper.inclusive):
            return None
        return Requirement(equal=_shorter(lower.text, upper.text))
    span = Requirement(lower=lower, upper=upper)
    gaps: dict[object, str] = {}
    for text in unequal:
        if span.admits(text):
            key = version_key(text) or text
            gaps[key] = _shorter(text, gaps.get(key, text))
    return Requirement(lower=lower, upper=upper, unequal=tuple(sorted(gaps.values(), key=_order)))


def _tighter(one: Bound | None, other: Bound | None, *, sign: int) -> Bound | None:
    """The bound that leaves less: the greater of two lower ones (sign 1), the lesser of two upper ones (sign -1)."""
    if one is None or other is None:
        return one or other
    if one.key != other.key:
        return one if (one.key > other.key) == (sign > 0) else other
    text = _shorter(one.text, other.text)
    return Bound(text=text, key=one.key, inclusive=one.inclusive and other.inclusive)


def _same(one: str, other: str) -> bool:
    if one == other:
        return True
    key = version_key(one)
    return key is not None and key == version_key(other)


def _shorter(one: str, other: str) -> str:
    """One of two spellings, whatever the order they come in."""
    return min(one, other, key=lambda text: (len(text), text))


def _order(text: str) -> tuple[bool, VersionKey | tuple[()], str]:
    key = version_key(text)
    return key is None, key or (), text
