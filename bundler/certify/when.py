"""When an override applies, and how that is said.

Source: WhenSpec of nvcre.nvidia.com/v1alpha1. Every part that is stated must hold; nothing stated always holds.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from bundler.certify.cel import ConditionError, holds
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput

if TYPE_CHECKING:
    from bundler.model.document import JsonObject
    from bundler.model.location import Location

__all__ = ["Situation", "applies", "summary"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What overrides are matched against.

    Attributes:
        domain_count: of the topology; None where no cluster was asked, and then no condition on it holds.
        config: the job as the base states it, for subset matches.
    """

    platform: str
    architecture: str
    workload_kind: str = "TrainJob"
    topology_mode: str = "simple"
    domain_count: int | None = None
    config: JsonObject = field(default_factory=dict)


def applies(when: JsonObject, situation: Situation, *, location: Location | None = None) -> bool:
    """Whether an override with this `when` applies.

    Raises:
        InvalidInput: its expression cannot be evaluated.
    """
    topology = when.get("topology", {})
    return (
        _text(when.get("gpuArchitecture", {}), situation.architecture)
        and _text(when.get("platform", {}), situation.platform)
        and when.get("workloadKind", situation.workload_kind) == situation.workload_kind
        and topology.get("mode", situation.topology_mode) == situation.topology_mode
        and _number(topology.get("domainCount", {}), situation.domain_count)
        and _contains(situation.config, when.get("config", {}))
        and _expression(when.get("expression"), situation, location)
    )


def summary(when: JsonObject) -> str:
    """One line on a `when`, in the words of the controller."""
    topology = when.get("topology", {})
    parts = [
        *(f"{name}{said}" for name in ("gpuArchitecture", "platform") for said in _said(when.get(name))),
        *([f"workloadKind={when['workloadKind']}"] if "workloadKind" in when else []),
        *([f"topology.mode={topology['mode']}"] if "mode" in topology else []),
        *(f"topology.domainCount{said}" for said in _said(topology.get("domainCount"))),
        *(["config"] if "config" in when else []),
        *([f"expression={when['expression']}"] if "expression" in when else []),
    ]
    return ", ".join(parts) or "<always>"


def _text(condition: JsonObject, value: str) -> bool:
    return (
        condition.get("equals", value) == value
        and ("in" not in condition or value in condition["in"])
        and value not in condition.get("notIn", ())
    )


def _number(condition: JsonObject, value: int | None) -> bool:
    if not condition:
        return True
    if value is None:
        return False
    return int(condition.get("equals", value)) == value and int(condition.get("greaterThan", value - 1)) < value < int(
        condition.get("lessThan", value + 1)
    )


def _contains(data: Any, part: Any) -> bool:
    if isinstance(part, dict):
        return isinstance(data, dict) and all(key in data and _contains(data[key], value) for key, value in part.items())
    return type(data) is type(part) and data == part


def _expression(expression: str | None, situation: Situation, location: Location | None) -> bool:
    if expression is None:
        return True
    variables = {
        "platform": situation.platform,
        "gpuArchitecture": situation.architecture,
        "workloadKind": situation.workload_kind,
        "topologyMode": situation.topology_mode,
        "domainCount": situation.domain_count or 0,
    }
    try:
        return holds(expression, variables)
    except ConditionError as error:
        message = f"the expression {expression!r} cannot be used: {error}"
        fix = f"write a condition over {', '.join(variables)}"
        raise InvalidInput("AICR-R012", message, location=location, fix=fix) from None


def _said(condition: JsonObject | None) -> list[str]:
    stated = condition or {}
    return [
        *([f"={stated['equals']}"] if "equals" in stated else []),
        *([f"={name} [{','.join(stated[name])}]" for name in ("in", "notIn") if name in stated]),
        *([f">{stated['greaterThan']}"] if "greaterThan" in stated else []),
        *([f"<{stated['lessThan']}"] if "lessThan" in stated else []),
    ]
