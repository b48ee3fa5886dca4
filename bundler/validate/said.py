"""What nodes say of a constraint: by labels, by what the kubelet reports, by amounts (`recipes/detection/readiness.yaml`)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bundler.compose.constraints import parse
from bundler.compose.wording import each, listed, plural
from bundler.model.check import Check, Phase
from bundler.model.finding import Finding
from bundler.validate.results import failed, passed, unproven

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bundler.catalog.catalog import Catalog
    from bundler.model.document import JsonObject

__all__ = ["PATH", "said_by_nodes", "ways"]

PATH = "recipes/detection/readiness.yaml"

_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)*")


def ways(catalog: Catalog) -> Mapping[str, Sequence[JsonObject]]:
    """Constraint → where a node says it."""
    return catalog.derived(_ways)


def said_by_nodes(name: str, read: Sequence[JsonObject], nodes: Sequence[JsonObject], wanted: str) -> Check:
    """Hold what every node says against what is asked for.

    Args:
        name: of the check.
        read: where a node says it.
        nodes: at least one.
        wanted: the requirement, as recipes write it.
    """
    phase, found = Phase.READINESS, {node["metadata"]["name"]: _answer(node, read) for node in nodes}
    looked = (f"{listed(dict.fromkeys(map(_place, read)))} of {plural(len(nodes), 'node')} with GPUs",)
    requirement = parse(wanted)
    wrong = {node: answer for node, answer in found.items() if answer is not None and not requirement.admits(answer)}
    if wrong:
        message = f"{listed(f'{node} has {answer}' for node, answer in wrong.items())}, where {wanted} is asked for"
        fix = "use nodes that meet it, or choose another recipe"
        return failed(phase, name, (Finding(rule="AICR-V052", message=message, subject=name, fix=fix),), looked)
    if silent := [node for node, answer in found.items() if answer is None]:
        says = f"{listed(silent)} {'does' if len(silent) == 1 else 'do'} not say it; {wanted} is asked for"
        return unproven(phase, name, says, fix="see that it holds", looked=looked)
    answers = listed(sorted({answer for answer in found.values() if answer is not None}))
    return passed(phase, name, f"{each(len(nodes), 'node')} has {answers}, and {wanted} is asked for", looked)


def _ways(catalog: Catalog) -> dict[str, Sequence[JsonObject]]:
    return {row["name"]: row["ways"] for row in catalog.document(PATH, kind="ReadinessTable").data["constraints"]}


def _answer(node: JsonObject, read: Sequence[JsonObject]) -> str | None:
    status = node.get("status") or {}
    for way in read:
        match way:
            case {"label": key}:
                text = (node["metadata"].get("labels") or {}).get(key)
            case {"info": key}:
                text = (status.get("nodeInfo") or {}).get(key)
            case _:
                text = (status.get("allocatable") or {}).get(way["allocatable"])
        if text and (answer := _read(str(text), way)):
            return answer
    return None


def _read(text: str, way: JsonObject) -> str:
    """The answer in a text; empty when it has none."""
    begins = way.get("begins", "")
    if not text.startswith(begins):
        return ""
    if "value" in way:
        return str(way["value"])
    if "parts" not in way:
        return text
    number = _NUMBER.match(text, len(begins))
    return ".".join(number[0].split(".")[: way["parts"]]) if number else ""


def _place(way: JsonObject) -> str:
    if "label" in way:
        return f"label {way['label']}"
    return f"nodeInfo.{way['info']}" if "info" in way else f"allocatable {way['allocatable']}"
