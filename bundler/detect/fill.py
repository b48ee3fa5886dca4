"""Fill a request with what a snapshot of the cluster proves: criteria, the machine type, parameters of the chosen profile values.

Nothing is guessed. What nodes say in two ways is refused with the candidates; what is stated and contradicted is an error with both
places; what nobody says stays open, and composing asks for it as always. What is filled in is recorded as observed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.compose.criteria import choose_recipe
from bundler.compose.index import Index
from bundler.compose.origins import stated
from bundler.compose.wording import listed, plural
from bundler.dataclass import dataclass
from bundler.detect.criteria import MACHINE_TYPE, CriteriaRows
from bundler.detect.fact import Fact
from bundler.detect.fill_parameters import chosen_values, fill_parameters
from bundler.detect.filling import Filling
from bundler.detect.nodes import NODES, nodes_of
from bundler.detect.products import with_products
from bundler.detect.unread import unread
from bundler.errors import AicrError, InvalidInput
from bundler.model.criteria import Criteria
from bundler.model.finding import Finding, Severity
from bundler.profiles.machine_type import machine_type_at
from bundler.profiles.machines import fitting, listed_types, machine_parameter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bundler.catalog.catalog import Catalog
    from bundler.detect.nodes import Node
    from bundler.model.document import Document
    from bundler.model.location import Location
    from bundler.model.request import Request
    from bundler.model.snapshot import Snapshot
    from bundler.profiles.axes import AxisValue

__all__ = ["Filled", "fill"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """A request after a snapshot was asked, and what is said of it; none of it is an error."""

    request: Request
    findings: tuple[Finding, ...]


def fill(catalog: Catalog, request: Request, snapshot: Snapshot) -> Filled:
    """The request with everything that the snapshot proves and nobody stated.

    Args:
        catalog: says what proves what.
        request: as stated.
        snapshot: of the cluster.

    Raises:
        InvalidInput: nodes give several answers to what the request leaves open, or contradict what it states.
    """
    filling = Filling(request=request, sources=snapshot.sources)
    if (gap := snapshot.gap(NODES)) is not None:
        return Filled(request=request, findings=(unread(gap, "nothing is filled in"),))
    rows = catalog.derived(CriteriaRows.of)
    every, said = with_products(nodes_of(snapshot), snapshot)
    nodes = _gpu_nodes(filling, rows, every)
    if any(not node.product for node in nodes):
        filling.findings += said
    if nodes:
        _fill(catalog, filling, rows, nodes, snapshot)
    else:
        count = plural(len(every), "node")
        why = f"none of its {count} is a GPU node that takes pods and has the labels of --accelerated-node-selector"
        filling.unproven("everything", why, severity=Severity.WARNING)
    if errors := [finding for finding in filling.findings if finding.severity is Severity.ERROR]:
        raise InvalidInput.of([*errors, *(finding for finding in filling.findings if finding not in errors)])
    return Filled(request=filling.request, findings=tuple(filling.findings))


def _fill(catalog: Catalog, filling: Filling, rows: CriteriaRows, nodes: Sequence[Node], snapshot: Snapshot) -> None:
    index = catalog.derived(Index.of)
    is_named = filling.request.recipe is not None or filling.request.document is not None
    recipe = _recipe(index, filling.request) if is_named else None
    _criterion(filling, rows, recipe, "service", rows.service(nodes))
    service = _criteria(filling, recipe).service
    nodes = _of_accelerator(filling, rows, recipe, nodes, service)
    _criterion(filling, rows, recipe, "os", rows.system(nodes))
    recipe = recipe or _recipe(index, filling.request)
    if recipe is None:
        return
    values = chosen_values(catalog, recipe, filling.request)
    accelerator = Criteria.of(recipe.data["criteria"]).accelerator
    machines = rows.machines.get(service or "", {})
    nodes = _of_machine_type(filling, values, nodes, machines=machines, accelerator=accelerator)
    fill_parameters(filling, values, nodes, snapshot, machines=machines, accelerator=accelerator)


def _gpu_nodes(filling: Filling, rows: CriteriaRows, every: Sequence[Node]) -> tuple[Node, ...]:
    """Nodes with GPUs that the bundle's pods may run on."""
    selector = filling.request.accelerated.node_selector
    asked = [
        node for node in every if rows.has_gpus(node) and all(node.labels.get(key) == value for key, value in selector.items())
    ]
    filling.left_out("because they are cordoned", [node.name for node in asked if node.cordoned])
    return tuple(node for node in asked if not node.cordoned)


def _recipe(index: Index, request: Request) -> Document | None:
    """The recipe that the request means; None when it means none or several, which composing explains."""
    try:
        return choose_recipe(index, request)
    except AicrError:
        return None


def _criteria(filling: Filling, recipe: Document | None) -> Criteria:
    return filling.request.criteria if recipe is None else Criteria.of(recipe.data["criteria"])


def _stated_at(filling: Filling, recipe: Document | None, dimension: str) -> Location:
    if recipe is None or dimension in filling.request.criteria.stated():
        return stated(filling.request, f"/criteria/{dimension}", f"--{dimension}")
    return recipe.locate(f"/criteria/{dimension}")


def _criterion(filling: Filling, rows: CriteriaRows, recipe: Document | None, dimension: str, fact: Fact) -> None:
    """Hold one criterion against what the nodes say, or take it from them."""
    value = getattr(_criteria(filling, recipe), dimension)
    if value is not None:
        said = fact.candidates or ((fact.value,) if fact.value is not None else ())
        if said and value not in said and rows.is_known(dimension, value):
            found = fact.refusal or f"the nodes say {fact.value}"
            filling.contradict(dimension, value, _stated_at(filling, recipe, dimension), f"{found} ({fact.source})")
    elif recipe is not None:
        return
    elif fact.value is not None:
        filling.take(("criteria", dimension), dimension, fact)
    elif fact.refusal:
        filling.refuse(
            dimension, fact, f"state --{dimension} {'|'.join(fact.candidates)}, or --accelerated-node-selector KEY=VALUE"
        )
    else:
        filling.unproven(dimension, fact.silence)


def _of_accelerator(
    filling: Filling, rows: CriteriaRows, recipe: Document | None, nodes: Sequence[Node], service: str | None
) -> Sequence[Node]:
    """The nodes with the accelerator that is stated, or that all of them have."""
    fact = rows.accelerator(nodes, service)
    _criterion(filling, rows, recipe, "accelerator", fact)
    wanted = _criteria(filling, recipe).accelerator
    fitting_nodes = [node for node in nodes if wanted in rows.accelerators(node, service)]
    if wanted is None or not fitting_nodes:
        return nodes
    kept = frozenset(node.name for node in fitting_nodes)
    filling.left_out(f"for not being known to have {wanted}", [node.name for node in nodes if node.name not in kept])
    return fitting_nodes


def _of_machine_type(
    filling: Filling, values: Sequence[AxisValue], nodes: Sequence[Node], *, machines: Mapping[str, object], accelerator: str | None
) -> Sequence[Node]:
    """The nodes of the machine type that is stated, or that all have which the chosen values fit."""
    by_type: dict[str, list[Node]] = {}
    for node in nodes:
        if name := node.labels.get(MACHINE_TYPE):
            by_type.setdefault(name, []).append(node)
    source = f"nodes: label {MACHINE_TYPE}"
    counts = listed(f"{name} ({len(of)})" for name, of in sorted(by_type.items()))
    named, at = _named_machine(filling.request, values)
    if named is not None:
        if named in machines and by_type and named not in by_type:
            filling.contradict("machine type", named, at, f"the nodes are of {counts} ({source})")
        return by_type.get(named, nodes)
    known = {name: of for name, of in by_type.items() if name in machines}
    demanding = [value for value in values if listed_types(value) or machine_parameter(value) is not None]
    left = {name: of for name, of in known.items() if all(name in fitting(value, accelerator) for value in demanding)} or known
    if len(left) == 1:
        ((name, of),) = left.items()
        filling.take(("machineType",), "machine type", Fact(source=source, value=name, nodes=len(of)))
        kept = frozenset(node.name for node in of)
        filling.left_out(f"for not being {name}", [node.name for node in nodes if node.name not in kept])
        return of
    fact = Fact(source=source, refusal=f"the nodes are of {counts}", candidates=tuple(sorted(left)))
    if left and demanding:
        filling.refuse("machine type", fact, f"state --machine-type {'|'.join(fact.candidates)}")
    elif by_type and machines:
        filling.unproven("machine type", fact.refusal if left else f"{counts}: no machine type that the catalogue knows")
    return nodes


def _named_machine(request: Request, values: Sequence[AxisValue]) -> tuple[str | None, Location]:
    """The machine type that is stated, as one or as a parameter."""
    if request.machine_type is not None:
        return request.machine_type, machine_type_at(request)
    for value in values:
        parameter = machine_parameter(value)
        given = request.parameters.get(value.axis, {})
        if parameter is not None and parameter[0] in given:
            return str(given[parameter[0]]), stated(request, f"/parameters/{value.axis}/{parameter[0]}", "--param")
    return None, machine_type_at(request)
