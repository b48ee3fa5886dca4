"""The rules of conformance on both sides: which of the two a difference puts in the wrong, and what both have wrong alike.

A rule is a function of the fields of one side. What it finds on one side only therefore comes from a difference, and is said with
it; what it finds on both sides alike is one finding about both. On a field that is the benchmark's own it stands by itself, and so
does what is wrong with a reference that is the same image to a comparison, which goes by its digest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.conform import wiring
from bundler.conform.conform import FABRIC
from bundler.conform.structure import faults
from bundler.dataclass import dataclass
from bundler.guard.assumption import POD
from bundler.guard.contract import Owner
from bundler.guard.projection import KEYS
from bundler.guard.side import Role
from bundler.model.pointer import resolve, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bundler.conform.context import Context
    from bundler.guard.contract import Contract
    from bundler.guard.difference import Difference
    from bundler.kube.resource import Resource
    from bundler.model.finding import Finding

__all__ = ["Judgement", "Word", "judge", "misshapen", "words_on"]

_MISSHAPEN = {"AICR-K003", "AICR-K004"}
"""Faults that keep rules on the meaning of an object from being asked: a value of another type, a field that is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """What a rule says of a side.

    Attributes:
        path: where, in the projection.
        local: whether the rule read nothing but the field there.
    """

    role: Role
    path: tuple[str, ...]
    finding: Finding
    local: bool = False

    @property
    def key(self) -> tuple[str, tuple[str, ...], str]:
        """What makes it the same on both sides."""
        return self.finding.rule, self.path, self.finding.message


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What the rules say.

    Attributes:
        reasons: position of a difference → what the rules say of the sides about it.
        alone: what stands by itself: one word on one side, or one word on each, the fixture's first.
    """

    reasons: Mapping[int, tuple[Word, ...]]
    alone: tuple[tuple[Word, ...], ...] = ()


def judge(words: Iterable[Word], differences: tuple[Difference, ...], contract: Contract) -> Judgement:
    """Put what the rules say of both sides with the differences that it comes from."""
    by_role: dict[Role, dict[tuple[str, tuple[str, ...], str], Word]] = {Role.RUNTIME: {}, Role.FIXTURE: {}}
    for word in words:
        by_role[word.role].setdefault(word.key, word)
    reasons: dict[int, list[Word]] = {}
    alone: list[tuple[Word, ...]] = []
    for role, said in by_role.items():
        for key, word in said.items():
            if key in by_role[role.other]:
                if role is Role.FIXTURE:
                    alone.append((word, by_role[Role.RUNTIME][key]))
            elif _owner(word.path, contract) is Owner.BENCHMARK or not _explains(word, differences):
                alone.append((word,))
            else:
                reasons.setdefault(_nearest(word, differences), []).append(word)
    return Judgement(reasons={index: tuple(found) for index, found in reasons.items()}, alone=tuple(alone))


def words_on(role: Role, resource: Resource, context: Context) -> Iterator[Word]:
    """What the rules say of the pod of one side.

    Args:
        role: of the side.
        resource: its pod, staged.
        context: of the composition that the side belongs to.
    """
    for rule in (*FABRIC, wiring.release_images):
        for finding in rule(resource, context):
            yield Word(role=role, path=_path(finding.pointer, resource), finding=finding, local=rule is wiring.release_images)


def misshapen(resource: Resource, context: Context, contract: Contract) -> str:
    """Why no rule can be asked about a staged pod: the first fault in its structure, or the empty string.

    What the benchmark runs is no rule's business; what its image is, is.
    """
    kind = context.kind(resource)
    if kind is None or not kind.schema:
        return f"no schema is known for {resource.api_version} {resource.kind}"
    for fault in faults(resource.data, context.facts.schema(kind.schema)):
        if fault.rule in _MISSHAPEN:
            path = _path(fault.pointer, resource)
            if _owner(path, contract) is not Owner.BENCHMARK or path[-1] == "image":
                return f"{'/'.join(path[1:])}: {fault.message}"
    return ""


def _path(pointer: str, resource: Resource) -> tuple[str, ...]:
    """The path in a projection of a pointer into a staged pod: entries of lists by their keys."""
    data: Any = resolve(resource.data, POD)
    path = ["pod"]
    for step in tokens(pointer.removeprefix(POD)):
        if isinstance(data, list):
            data = data[int(step)] if step.isdigit() and int(step) < len(data) else None
            key = KEYS.get(path[-1], "")
            path.append(str(data[key]) if key and isinstance(data, dict) and key in data else step)
        else:
            path.append(step)
            data = data.get(step) if isinstance(data, dict) else None
    return tuple(path)


def _owner(path: tuple[str, ...], contract: Contract) -> Owner | None:
    cursor = contract.start
    for step in path:
        cursor = cursor.child(step)
    return cursor.line.owner if cursor.line is not None else None


def _explains(word: Word, differences: tuple[Difference, ...]) -> bool:
    """Whether a word can come from one of the differences."""
    if word.local:
        return any(difference.path == word.path[: len(difference.path)] for difference in differences)
    return bool(differences)


def _nearest(word: Word, differences: tuple[Difference, ...]) -> int:
    """The difference that a word is about: the one closest to its place, of several the one whose last step it names."""

    def closeness(index: int) -> tuple[int, bool, int]:
        path = differences[index].path
        common = next((at for at, (one, other) in enumerate(zip(path, word.path, strict=False)) if one != other), None)
        depth = min(len(path), len(word.path)) if common is None else common
        return depth, path[-1] in word.finding.message, -index

    return max(range(len(differences)), key=closeness)
