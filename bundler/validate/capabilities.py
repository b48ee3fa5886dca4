"""Advice: a fabric that the nodes show and the selected value does not use, and what jobs lose by that.

How nodes show a fabric stands in `recipes/detection/capabilities.yaml`; what a value uses, in its own declaration: the transport of
its NICs, and what its floor is over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.compose.wording import listed, plural
from bundler.dataclass import dataclass
from bundler.detect.criteria import MACHINE_TYPE, CriteriaRows
from bundler.detect.nodes import GPU, Node
from bundler.evidence.transports import Carries, Transports
from bundler.model.check import Check, Outcome, Phase
from bundler.model.finding import Finding, Severity
from bundler.profiles.axes import Axes
from bundler.profiles.selection import choices_of
from bundler.validate.results import passed, skipped, unproven, unread
from bundler.validate.signs import Sign, sign

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bundler.catalog.catalog import Catalog
    from bundler.evidence.transports import Transport
    from bundler.model.composition import Composition
    from bundler.model.snapshot import Snapshot
    from bundler.profiles.axes import AxisValue
    from bundler.validate.shipped import Shipped

__all__ = ["AXIS", "PATH", "fabric_used"]

AXIS = "fabricAttachment"
PATH = "recipes/detection/capabilities.yaml"

_CLASSES = "deviceclasses.resource.k8s.io"
_NAME = "fabric-used"
_PHASE = Phase.DEPLOYMENT


@dataclass(frozen=True, slots=True, kw_only=True)
class _Choice:
    """A value that attaches a fabric.

    Attributes:
        sign: what the cluster shows of its fabric; None when nothing is known to show it.
        uses: name → transport that carries the data of its jobs.
    """

    value: AxisValue
    sign: Sign | None
    uses: Mapping[str, Transport]

    @property
    def is_shown(self) -> bool:
        return self.sign is not None and bool(self.sign.has)


def fabric_used(catalog: Catalog, snapshot: Snapshot, shipped: Shipped) -> Check:
    """Name the value and the runtime that would use what the nodes show, unless the selected one uses all of it.

    Args:
        catalog: has the table of capabilities.
        snapshot: of the cluster.
        shipped: what should be there.
    """
    if gap := unread(_PHASE, _NAME, snapshot, "nodes"):
        return gap
    nodes = _nodes(catalog, snapshot, shipped.composition)
    if not nodes:
        says = "no node with the GPUs of the recipe is known that is not cordoned"
        return unproven(_PHASE, _NAME, says, fix="take the snapshot while the nodes are up")
    classes = None if snapshot.gap(_CLASSES) else frozenset(one["metadata"]["name"] for one in snapshot.of(_CLASSES))
    looked = [f"labels and allocatable resources of {plural(len(nodes), 'node')} with GPUs"]
    looked += [] if classes is None else ["device classes"]
    choices = _choices(catalog, nodes, classes)
    offered = [one for name, one in choices.items() if _applies(catalog, one.value, shipped.composition, nodes)]
    selected = next((choices[one.value] for one in shipped.attachments if one.axis == AXIS), None)
    return _of_none(offered, shipped, looked) if selected is None else _of_one(selected, offered, looked)


def _of_none(offered: Sequence[_Choice], shipped: Shipped, looked: Sequence[str]) -> Check:
    """The answer where nothing is attached."""
    stated = [f"{AXIS}={one.value}" for one in shipped.composition.selections if one.axis == AXIS]
    who = stated[0] if stated else "the recipe"
    if shown := [one for one in offered if one.is_shown]:
        return _advised(shown, lambda has, _: f"the cluster has {has}, which {who} does not use: jobs would run over TCP", looked)
    if hidden := _hidden(offered):
        return _unseen(f"{hidden} would show a fabric that {who} does not use", looked)
    return skipped(_PHASE, _NAME, "no fabric that this recipe could use is shown by every node", looked)


def _of_one(selected: _Choice, offered: Sequence[_Choice], looked: Sequence[str]) -> Check:
    """The answer where a value is attached."""
    flag, own = f"{AXIS}={selected.value.name}", selected.sign
    if own is None:
        says = f"{PATH} does not say what shows the fabric of {flag}"
        return unproven(_PHASE, _NAME, says, fix="add a row for it", looked=looked)
    if own.has:
        idle = [one for one in offered if one.is_shown and not one.uses.keys() <= selected.uses.keys()]
        if not idle:
            says = f"what the nodes show is used by {selected.value.name}"
            unseen = [f"{_CLASSES}: {hidden}"] if (hidden := _hidden(offered)) else []
            return passed(_PHASE, _NAME, says, looked, unseen)
        return _advised(idle, lambda has, one: f"the cluster has {has}, which {flag} does not use: {_loss(one, selected)}", looked)
    if not own.is_seen:
        return _unseen(f"{own.needs} would show the fabric of {flag}", looked)
    if shown := [one for one in offered if one.is_shown]:
        lacks = f"and not {own.needs}, which {flag} uses: its pods would not start"
        return _advised(shown, lambda has, _: f"the cluster has {has}, {lacks}", looked)
    says = f"the cluster does not show {own.needs}, which {flag} uses"
    return unproven(_PHASE, _NAME, says, fix="see the other checks for what is missing", looked=looked)


def _nodes(catalog: Catalog, snapshot: Snapshot, composition: Composition) -> list[Node]:
    """The nodes with GPUs that take jobs, without those that say that theirs are others than the recipe's."""
    rows, criteria = catalog.derived(CriteriaRows.of), composition.criteria
    nodes = [node for node in map(Node.of, snapshot.of("nodes")) if node.amount(GPU) and not node.cordoned]
    return [
        node for node in nodes if criteria.accelerator in (rows.accelerators(node, criteria.service) or (criteria.accelerator,))
    ]


def _choices(catalog: Catalog, nodes: Sequence[Node], classes: frozenset[str] | None) -> dict[str, _Choice]:
    """Every value that attaches a fabric, by name."""
    rows = {row["value"]: row for row in catalog.document(PATH, kind="CapabilityTable").data["capabilities"]}
    transports = catalog.derived(Transports.of)
    found = {}
    for name, value in catalog.derived(Axes.of)[AXIS].values.items():
        declared = value.declaration
        if "runtimes" in declared:
            uses = sorted({declared.get("transport"), declared.get("floor", {}).get("over")} - {None})
            shown = sign(rows[name], nodes, classes) if name in rows else None
            found[name] = _Choice(value=value, sign=shown, uses={each: transports.named(each) for each in uses})
    return found


def _applies(catalog: Catalog, value: AxisValue, composition: Composition, nodes: Sequence[Node]) -> bool:
    """Whether the recipe accepts the value, and the machines of the nodes are its, where they say what they are."""
    recipe = catalog.recipes.get(composition.recipe)
    if recipe is None:  # It stands in a file of its own.
        accepted = not value.misfits(composition.criteria)
    else:
        accepted = AXIS in recipe.data.get("profiles", {}) and value in choices_of(catalog.derived(Axes.of)[AXIS], recipe)
    machines = {node.labels[MACHINE_TYPE] for node in nodes if MACHINE_TYPE in node.labels}
    return accepted and machines <= set(value.declaration.get("appliesTo", {}).get("machineTypes", machines))


def _hidden(offered: Iterable[_Choice]) -> str:
    """What could show a fabric and was not read, in words."""
    signs = (one.sign for one in offered if one.sign is not None)
    return listed(dict.fromkeys(one.needs for one in signs if not one.has and not one.is_seen))


def _loss(other: _Choice, selected: _Choice) -> str:
    """What jobs of the selected value go without."""
    lost = listed(one.words for name, one in other.uses.items() if name not in selected.uses)
    if any(one.carries is Carries.FABRIC for one in selected.uses.values()):
        return f"jobs would do without {lost}"
    return f"jobs would do without {lost}, and run over TCP where NVLink does not reach"


def _advised(choices: Sequence[_Choice], words: Callable[[str, _Choice], str], looked: Sequence[str]) -> Check:
    """An advice for each choice, but those that use only a part of what another one uses."""
    findings = []
    for one in choices:
        if one.sign is not None and not any(one.uses.keys() < other.uses.keys() for other in choices):
            runtimes = listed(runtime["name"] for runtime in one.value.declaration["runtimes"])
            fix = f"choose {one.value.flag}; jobs then name the runtime {runtimes}"
            message = words(one.sign.has, one)
            findings.append(Finding(rule="AICR-V070", message=message, severity=Severity.NOTE, fix=fix))
    return Check(
        phase=_PHASE,
        name=_NAME,
        outcome=Outcome.ADVISED,
        says=findings[0].message,
        looked=tuple(looked),
        findings=tuple(findings),
    )


def _unseen(says: str, looked: Sequence[str]) -> Check:
    return unproven(_PHASE, _NAME, f"{_CLASSES} were not read: {says}", fix=f"add them to the snapshot: {_CLASSES}", looked=looked)
