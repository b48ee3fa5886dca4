"""Shards: equal parts of a fleet for several machines, each of which can tell alone which part is its own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bundler.compose.wording import shown
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.model.location import Location

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Shard", "part", "shard"]

_STATED = re.compile(r"([0-9]{1,6})/([0-9]{1,6})\Z")
_AUTO = re.compile(r"auto(?:/([0-9]{1,6}))?\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """The `index`-th of `total` parts, counted from 1."""

    index: int
    total: int

    def __str__(self) -> str:
        return f"{self.index}/{self.total}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Runner:
    """How a runner of parallel jobs tells a job its number.

    Attributes:
        index: the variable that holds it.
        first: the number of the first job.
        total: the variable that holds the number of jobs, where the runner has one.
    """

    index: str
    first: int
    total: str | None


_RUNNERS = (
    # GitLab CI, `parallel: N`. Source: docs.gitlab.com, predefined CI/CD variables.
    # CircleCI counts from 0 under a name of its own, so the two cannot be taken for each other.
    _Runner(index="CI_NODE_INDEX", first=1, total="CI_NODE_TOTAL"),
    _Runner(index="CIRCLE_NODE_INDEX", first=0, total="CIRCLE_NODE_TOTAL"),
    # Kubernetes Job with completionMode Indexed. It tells no total. Source: kubernetes.io, Jobs, completion mode.
    _Runner(index="JOB_COMPLETION_INDEX", first=0, total=None),
)


def shard(text: str, environment: Mapping[str, str]) -> Shard:
    """The shard that a flag names.

    Args:
        text: `K/N`; or `auto` or `auto/N`, where K, and N when it is left out, are read from the environment.
        environment: variables of the process.

    Raises:
        InvalidInput: the text is malformed, or the environment does not say what is asked of it.
    """
    location = Location(file=f"--shard {text}")
    if stated := _STATED.match(text):
        return _checked(int(stated[1]), int(stated[2]), location)
    automatic = _AUTO.match(text)
    if automatic is None:
        fix = "write K/N such as 2/8, or auto, or auto/N"
        raise InvalidInput("AICR-L007", f"{shown(text)} is no shard", location=location, fix=fix)
    for runner in _RUNNERS:
        if runner.index not in environment:
            continue
        index = _number(runner.index, environment, location) - runner.first + 1
        if automatic[1] is not None:
            return _checked(index, int(automatic[1]), location)
        if runner.total is None or runner.total not in environment:
            fix = f"write --shard auto/N: {runner.index} does not say how many jobs there are"
            raise InvalidInput("AICR-L007", "nothing says into how many shards the fleet is divided", location=location, fix=fix)
        return _checked(index, _number(runner.total, environment, location), location)
    known = ", ".join(runner.index for runner in _RUNNERS)
    raise InvalidInput("AICR-L007", f"the environment has none of {known}", location=location, fix="write --shard K/N")


def part(names: Sequence[str], which: Shard) -> tuple[str, ...]:
    """The clusters of one shard. Every cluster is in exactly one, and no two shards differ by more than one cluster.

    Args:
        names: of all clusters of the fleet, sorted.
        which: the shard.
    """
    return tuple(names[which.index - 1 :: which.total])


def _number(name: str, environment: Mapping[str, str], location: Location) -> int:
    text = environment[name]
    if not re.fullmatch(r"[0-9]{1,6}", text):
        raise InvalidInput("AICR-L007", f"{name} is no number: {shown(text)}", location=location, fix="write --shard K/N")
    return int(text)


def _checked(index: int, total: int, location: Location) -> Shard:
    if not 1 <= index <= total:
        message = f"there is no shard {index} of {total}"
        raise InvalidInput("AICR-L007", message, location=location, fix="count shards from 1: K/N with K from 1 to N")
    return Shard(index=index, total=total)
