"""What a comparison finds, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.dataclass import dataclass
from bundler.guard.side import Role
from bundler.model.finding import Severity

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bundler.guard.projection import Node

__all__ = ["MEND", "Difference", "alone", "differ", "moved", "places", "repeated", "shown", "unclassified"]

MEND = "make both the same; a field that is the benchmark's own needs a line with a reason in the contract"
_ORDER = "keep the order of the runtime"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One way in which a fixture and the runtime that it measures differ.

    Attributes:
        path: in the projections.
        at: pointer into each object: of the value, or of what would hold it.
    """

    rule: str
    message: str
    path: tuple[str, ...]
    at: Mapping[Role, str]
    fix: str = MEND
    severity: Severity = Severity.ERROR


def shown(path: Sequence[str]) -> str:
    """A path as messages show it, such as `spec/containers/node/env/NCCL_ALGO`."""
    return "/".join(path[1:]) or path[0]


def places(runtime: Node, fixture: Node) -> dict[Role, str]:
    """Where the two nodes stand."""
    return {Role.RUNTIME: runtime.pointer, Role.FIXTURE: fixture.pointer}


def differ(
    path: tuple[str, ...], runtime: Node, fixture: Node, said: tuple[str, str], *, rule: str = "AICR-G001", verb: str = "is"
) -> Difference:
    """Two values at one path, each as it is said of its side."""
    message = f"{shown(path)} {verb} {said[0]} in the runtime and {said[1]} in the fixture"
    return Difference(rule=rule, message=message, path=path, at=places(runtime, fixture))


def alone(path: tuple[str, ...], at: Mapping[Role, str], role: Role) -> Difference:
    """What only one side has."""
    message = f"{shown(path)} stands in the {role} and not in the {role.other}"
    return Difference(rule="AICR-G002", message=message, path=path, at=at)


def repeated(path: tuple[str, ...], at: Mapping[Role, str], roles: Sequence[Role]) -> Difference:
    """An entry that stands twice under one name."""
    message = f"{shown(path)} stands twice in the {' and in the '.join(roles)}"
    return Difference(
        rule="AICR-G003", message=message, path=path, at=at, fix="keep one of them: of two, readers take one or the other"
    )


def moved(path: tuple[str, ...], entry: str, at: Mapping[Role, str], *, matters: bool) -> Difference:
    """Entries in another order."""
    message = f"{shown(path)} has {entry} at another place than the runtime" + ("" if matters else ", which changes nothing")
    severity = Severity.ERROR if matters else Severity.NOTE
    return Difference(rule="AICR-G004", message=message, path=path, at=at, fix=_ORDER, severity=severity)


def unclassified(path: tuple[str, ...], at: Mapping[Role, str], where: str) -> Difference:
    """A field of which the contract says nothing."""
    message = f"nobody says whose {shown(path)} is; {where}"
    fix = "add a line to the contract: the fabric's, or the benchmark's and why"
    return Difference(rule="AICR-G006", message=message, path=path, at=at, fix=fix)
