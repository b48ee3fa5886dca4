"""Every fixture of a composition against the runtimes that it measures."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from bundler.conform.context import Context
from bundler.conform.pods import is_runtime
from bundler.dataclass import dataclass
from bundler.guard.assumption import assumed, staged
from bundler.guard.comparison import compare
from bundler.guard.contract import Contract
from bundler.guard.digest import projection_digest
from bundler.guard.explanation import judge, misshapen, words_on
from bundler.guard.findings import not_compared, not_judged, of_difference, of_rule
from bundler.guard.projection import project
from bundler.guard.side import Role, Side
from bundler.model.finding import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bundler.catalog.catalog import Catalog
    from bundler.guard.comparison import Comparison
    from bundler.guard.explanation import Word
    from bundler.guard.projection import Projection
    from bundler.kube.resource import Resource
    from bundler.model.composition import Composition

__all__ = ["Pair", "Verdict", "check", "hold", "pairs", "unmeasured", "unused"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A fixture and a runtime that it measures.

    Attributes:
        names: of the runtime and the fixture in the composition whose parts they play.
    """

    runtime: Resource
    fixture: Resource
    names: Mapping[Role, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What came of holding a fixture against a runtime.

    Attributes:
        digests: of the projections; equal when the two are wired alike.
        compared: how many fields of the fabric were compared.
        unknown: how many of them have a value that is not known yet.
        lines: paths of the contract's lines that were needed.
    """

    pair: Pair
    findings: tuple[Finding, ...]
    digests: Mapping[Role, str]
    compared: int
    unknown: int = 0
    lines: frozenset[str] = field(default=frozenset(), repr=False)

    @property
    def diverges(self) -> bool:
        """Whether anything but notes was found."""
        return any(finding.severity is Severity.ERROR for finding in self.findings)


def check(resources: Iterable[Resource], composition: Composition, catalog: Catalog) -> tuple[Verdict, ...]:
    """Hold every fixture of a composition against the runtimes of its axis.

    Conformance was here before: where the two do not diverge, its rules are not asked again.
    """
    objects, contract = tuple(resources), catalog.derived(Contract.of)
    verdicts = []
    for pair in pairs(objects, composition):
        verdict = hold(pair, contract)
        if verdict.diverges:
            verdict = hold(pair, contract, Context.of(objects, composition, catalog))
        verdicts.append(verdict)
    return tuple(verdicts)


def pairs(resources: Iterable[Resource], composition: Composition) -> Iterator[Pair]:
    """Every fixture with each runtime that its profile value ships."""
    objects = {resource.name: resource for resource in resources if is_runtime(resource)}
    for fixture in composition.fixtures:
        for runtime in composition.runtimes:
            if runtime.axis == fixture.axis and runtime.name in objects and fixture.name in objects:
                names = {Role.RUNTIME: runtime.name, Role.FIXTURE: fixture.name}
                yield Pair(runtime=objects[runtime.name], fixture=objects[fixture.name], names=names)


def hold(pair: Pair, contract: Contract, context: Context | None = None) -> Verdict:
    """Hold a fixture against a runtime.

    Args:
        pair: the two.
        contract: what is compared.
        context: of their composition, to ask the rules of its release too; None to compare only.

    Raises:
        InvalidInput: one of the two has no pods that train.
    """
    sides = {
        Role.RUNTIME: project(Side.of(pair.runtime, Role.RUNTIME), contract),
        Role.FIXTURE: project(Side.of(pair.fixture, Role.FIXTURE), contract),
    }
    comparison = compare(sides[Role.RUNTIME], sides[Role.FIXTURE])
    findings = list(not_compared(comparison, sides))
    words: list[Word] = []
    if context is not None:
        for role, resource in _staged(pair, sides, comparison, contract).items():
            if fault := misshapen(resource, context, contract):
                # A fault on one side is a difference already.
                findings += [] if comparison.differences else [not_judged(sides[role], fault)]
            else:
                words += [word for word in words_on(role, resource, context) if word.finding.rule not in contract.excused]
    judgement = judge(words, comparison.differences, contract)
    for index, difference in enumerate(comparison.differences):
        findings.append(of_difference(difference, judgement.reasons.get(index, ()), sides))
    findings += [of_rule(alone, sides) for alone in judgement.alone]
    return Verdict(
        pair=pair,
        findings=tuple(findings),
        digests={role: projection_digest(projection) for role, projection in sides.items()},
        compared=comparison.compared,
        unknown=len(comparison.unknown),
        lines=sides[Role.RUNTIME].lines | sides[Role.FIXTURE].lines,
    )


def unused(contract: Contract, verdicts: Iterable[Verdict]) -> Iterator[Finding]:
    """Lines of the contract that no field needed, in everything that was compared."""
    needed = frozenset[str]().union(*(verdict.lines for verdict in verdicts))
    for line in contract.lines:
        if line.path not in needed:
            yield Finding(
                rule="AICR-G007",
                message=f"the contract says whose {line.path} is, and no runtime and no fixture has it",
                location=line.location,
                pointer=line.pointer,
                fix="remove the line, or correct its path",
            )


def unmeasured(composition: Composition, resources: Iterable[Resource]) -> Iterator[Finding]:
    """Runtimes that a profile value ships without a fixture that measures them."""
    measured = {fixture.axis for fixture in composition.fixtures}
    shipped = {runtime.name: runtime.axis for runtime in composition.runtimes if runtime.axis and runtime.axis not in measured}
    for resource in resources:
        if is_runtime(resource) and resource.name in shipped:
            selection = composition.selection(shipped[resource.name])
            value = f"{selection.axis}={selection.value}" if selection is not None else shipped[resource.name]
            yield Finding(
                rule="AICR-G011",
                message=f"nothing measures {resource.name}, which {value} ships",
                severity=Severity.WARNING,
                location=resource.locate(""),
                subject=resource.subject,
                fix="add a template to manifests/validators and name it as the value's fixture",
            )


def _staged(pair: Pair, sides: Mapping[Role, Projection], comparison: Comparison, contract: Contract) -> dict[Role, Resource]:
    """The pods of both sides, for the rules of the runtime's release to be asked about."""
    runtime, fixture = sides[Role.RUNTIME].side, sides[Role.FIXTURE].side
    pods = {Role.RUNTIME: runtime.pod.data, Role.FIXTURE: assumed(fixture, runtime, comparison.unknown, contract)}
    name, version = pair.names[Role.RUNTIME], pair.runtime.api_version
    return {role: staged(pod, name=name, api_version=version) for role, pod in pods.items()}
