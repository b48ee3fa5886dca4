"""Whether what is measured is what ships: for a whole catalogue, for one request, for a bundle on disk, or for two files."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bundler import pipeline
from bundler.audit.tested import dead_lines, tested, workflows
from bundler.catalog.manifests import read_objects
from bundler.certify.carried import carry
from bundler.certify.fit import fit_of
from bundler.conform.context import Context
from bundler.conform.pods import is_runtime
from bundler.conform.wiring import release_images
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.guard.contract import Contract
from bundler.guard.guard import Pair, hold, pairs, unmeasured, unused
from bundler.guard.side import Role
from bundler.model.finding import Finding, Severity
from bundler.model.location import Location
from bundler.model.request import DEFAULT_CERTIFICATION, Scheduling
from bundler.model.watch import unwatched
from bundler.profiles.trials import trials
from bundler.render.render import render_resources

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from bundler.catalog.catalog import Catalog
    from bundler.guard.guard import Verdict
    from bundler.kube.resource import Resource
    from bundler.model.composition import Composition
    from bundler.model.request import Request
    from bundler.model.watch import Watch

__all__ = ["Measured", "guard", "of_bundle", "of_catalogue", "of_files", "of_recipe", "of_request"]

_PLACED = Scheduling(node_selector={"example.com/pool": "gpu"}, tolerations=({"key": "example.com/gpu", "operator": "Exists"},))
"""A placement for trials, so that node constraints are compared too."""

_OBJECTS = ("runtimes/*.yaml", "validators/*.yaml", "components/*/manifests/*.yaml", "components/*/templates/*.yaml")
"""Where a bundle has objects that are of its components or measure them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What was compared, and what else was found.

    Attributes:
        verdicts: what was compared for, such as a recipe with its choices → the verdict.
        findings: besides those of the verdicts.
    """

    verdicts: tuple[tuple[str, Verdict], ...]
    rest: tuple[Finding, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Everything that was found, each once."""
        every = (*(finding for _, verdict in self.verdicts for finding in verdict.findings), *self.rest)
        return tuple(dict.fromkeys(every))


def guard(catalog: Catalog, request: Request | None = None) -> Measured:
    """Whether the fixtures that measure a fabric are wired as the runtimes that ship are: of one request, or of everything.

    Args:
        catalog: authored data.
        request: what to render; every recipe with each of its choices when None.

    Returns:
        What was compared, each pair with the digests of its two sides, and the findings.

    Raises:
        InvalidInput: something cannot be composed or rendered.
    """
    return of_catalogue(catalog) if request is None else of_request(catalog, request)


def of_catalogue(catalog: Catalog, watch: Watch = unwatched) -> Measured:
    """Every recipe with each of its choices; and whether the contract has lines that none of them needs.

    Raises:
        InvalidInput: a recipe cannot be composed or rendered.
    """
    found = [of_recipe(catalog, name) for name in watch(catalog.recipes)]
    verdicts = tuple(pair for measured in found for pair in measured.verdicts)
    every = [verdict for _, verdict in verdicts]
    dead = [*unused(catalog.derived(Contract.of), every), *dead_lines(catalog, every)]
    missing = [finding for measured in found for finding in measured.rest if finding.rule != _NOTHING]
    return Measured(verdicts=verdicts, rest=(*dict.fromkeys(missing), *dead))


def of_recipe(catalog: Catalog, name: str) -> Measured:
    """A recipe with each of its choices, the examples standing for what a user would give.

    Raises:
        InvalidInput: it cannot be composed or rendered.
    """
    requests = (
        replace(request, accelerated=_PLACED, certification=DEFAULT_CERTIFICATION)
        for request in trials(catalog, catalog.recipes[name])
    )
    found = [of_request(catalog, request) for request in requests]
    verdicts = tuple({_result(*pair): pair for measured in found for pair in measured.verdicts}.values())
    rest = dict.fromkeys(finding for measured in found for finding in measured.rest if not verdicts or finding.rule != _NOTHING)
    return Measured(verdicts=verdicts, rest=tuple(rest))


def of_request(catalog: Catalog, request: Request, *, runtime: Path | None = None, fixture: Path | None = None) -> Measured:
    """What one request renders to, or a file in the place of its runtime or fixture.

    Raises:
        InvalidInput: it cannot be composed or rendered, or a file holds no runtime.
    """
    composition = pipeline.compose(catalog, request)
    resources = render_resources(catalog, composition)
    context = Context.of(resources, composition, catalog)
    chosen = [_with_files(pair, runtime, fixture) for pair in pairs(resources, composition)]
    measured = _held(chosen, catalog, context, _label(composition), tuple(unmeasured(composition, resources)))
    if runtime is not None or fixture is not None or (carried := carry(catalog, composition, request)) is None:
        return measured
    found = tested(carried.fit, [(test.entry, test.workflow) for test in carried.tests], resources, context, _label(composition))
    return replace(measured, verdicts=(*measured.verdicts, *found))


def of_bundle(
    catalog: Catalog, request: Request, directory: Path, *, runtime: Path | None = None, fixture: Path | None = None
) -> Measured:
    """What stands in a bundle's directory, held against the release that its recipe chose.

    Args:
        catalog: authored data.
        request: that of the bundle's `recipe.yaml`.
        directory: the bundle.
        runtime: a file in the place of its runtime.
        fixture: a file in the place of its fixture.

    Raises:
        InvalidInput: its recipe cannot be composed, or an object is missing.
    """
    composition = pipeline.compose(catalog, request)
    written = tuple(one for pattern in _OBJECTS for path in sorted(directory.glob(pattern)) for one in read_objects(path))
    context = Context.of(written, composition, catalog)
    rest = [finding for resource in written if not is_runtime(resource) for finding in release_images(resource, context)]
    chosen = [_with_files(pair, runtime, fixture) for pair in pairs(_required(written, composition, directory), composition)]
    measured = _held(chosen, catalog, context, str(directory), (*unmeasured(composition, written), *rest))
    if runtime is not None or fixture is not None:
        return measured
    tests = workflows(directory, catalog)
    found = tested(fit_of(catalog, composition, request), tests, written, context, str(directory))
    return replace(measured, verdicts=(*measured.verdicts, *found))


def of_files(catalog: Catalog, runtime: Path, fixture: Path) -> Measured:
    """Two files. Without a recipe there is no release to hold them against, and that is said.

    Raises:
        InvalidInput: a file holds no runtime.
    """
    ours, theirs = _runtime_in(runtime), _runtime_in(fixture)
    pair = Pair(runtime=ours, fixture=theirs, names={Role.RUNTIME: ours.name, Role.FIXTURE: theirs.name})
    note = Finding(
        rule="AICR-G009",
        message="the two are compared with each other and not held against a release, since no recipe is named",
        severity=Severity.NOTE,
        location=Location(file=str(fixture)),
        fix="name the recipe or the bundle that the runtime is of",
    )
    return Measured(verdicts=((f"{runtime} {fixture}", hold(pair, catalog.derived(Contract.of))),), rest=(note,))


_NOTHING = "AICR-G010"


def _result(label: str, verdict: Verdict) -> tuple[str, str, str, tuple[str, ...], tuple[Finding, ...]]:
    """What tells a comparison from another: choices that make no difference to it are one."""
    return label, verdict.pair.runtime.name, verdict.pair.fixture.name, tuple(verdict.digests.values()), verdict.findings


def _held(found: list[Pair], catalog: Catalog, context: Context, label: str, rest: tuple[Finding, ...]) -> Measured:
    contract = catalog.derived(Contract.of)
    if not found and not rest:
        message = f"nothing to compare: {label} attaches no fabric"
        rest = (Finding(rule=_NOTHING, message=message, severity=Severity.NOTE, fix="choose a value that ships a runtime"),)
    return Measured(verdicts=tuple((label, hold(pair, contract, context)) for pair in found), rest=rest)


def _with_files(pair: Pair, runtime: Path | None, fixture: Path | None) -> Pair:
    return replace(
        pair,
        runtime=pair.runtime if runtime is None else _runtime_in(runtime),
        fixture=pair.fixture if fixture is None else _runtime_in(fixture),
    )


def _runtime_in(path: Path) -> Resource:
    """The one runtime in a file."""
    found = [resource for resource in read_objects(path) if is_runtime(resource)]
    if len(found) != 1:
        message = f"{str(path)!r} holds {len(found) or 'no'} runtimes, where one is compared"
        raise InvalidInput(_NOTHING, message, location=Location(file=str(path)), fix="give a file with one runtime")
    return found[0]


def _required(written: tuple[Resource, ...], composition: Composition, directory: Path) -> tuple[Resource, ...]:
    """The bundle's objects, none of those that are compared missing."""
    present = {resource.name for resource in written if is_runtime(resource)}
    axes = {fixture.axis for fixture in composition.fixtures}
    wanted = {
        **{runtime.name: "runtimes" for runtime in composition.runtimes if runtime.axis in axes},
        **{fixture.name: "validators" for fixture in composition.fixtures},
    }
    if missing := {name: folder for name, folder in wanted.items() if name not in present}:
        raise InvalidInput.of(_absent(missing, directory))
    return written


def _absent(missing: Mapping[str, str], directory: Path) -> Iterator[Finding]:
    for name, folder in missing.items():
        yield Finding(
            rule=_NOTHING,
            message=f"the bundle has no {name} in {folder}/",
            location=Location(file=str(directory)),
            fix="render the bundle again",
        )


def _label(composition: Composition) -> str:
    """The recipe, with the choices that ship a runtime and their machine."""
    chosen = [
        f"{selection.axis}={selection.value}" + (f" {selection.machine['name']}" if selection.machine else "")
        for selection in composition.selections
        if "runtimes" in selection.declaration
    ]
    return " ".join((composition.recipe, *chosen))
