"""Flags to a request: what to bundle, with the place where each part was stated. All mistakes are reported at once."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bundler.cli import assignments
from bundler.cli.flags import is_file
from bundler.dataclass import dataclass
from bundler.errors import AicrError, InvalidInput, NotFound
from bundler.model.criteria import Criteria
from bundler.model.location import Location
from bundler.model.pointer import join
from bundler.model.request import DEFAULT_CERTIFICATION, Delivery, InstallTime, Override, Request, Scheduling
from bundler.report.printable import shortened

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bundler.catalog.catalog import Catalog
    from bundler.cli.flags import Flags
    from bundler.model.document import Document, JsonObject
    from bundler.model.finding import Finding
    from bundler.model.observation import Observation

__all__ = ["read_request"]

_SHOWN = 80


def read_request(flags: Flags, catalog: Catalog) -> tuple[Request, tuple[Finding, ...]]:
    """The request that the flags state, filled with what the snapshots that they name prove.

    Flags win over what a bundle's `recipe.yaml` records: another value of an axis drops the recorded parameters of that axis,
    another deployer the recorded settings, component values are added after the recorded ones, and a node selector or toleration
    flag replaces the recorded list.

    Returns:
        The request, and warnings about a file that is not carried over whole.

    Raises:
        InvalidInput: a flag is malformed, flags contradict each other, or a snapshot contradicts them.
        NotFound: a file does not exist.
    """
    base, notes = _start(flags, catalog)
    stated = _Stated()
    profiles = {**base.profiles, **_profiles(flags, catalog, stated)}
    parameters = _parameters(flags, _still_meant(base, profiles), stated)
    request = replace(
        base,
        criteria=_criteria(flags, stated) or base.criteria,
        machine_type=_machine_type(flags, stated) or base.machine_type,
        profiles=profiles,
        parameters=parameters,
        overrides=(*base.overrides, *_overrides(flags, stated)),
        versions={**base.versions, **_versions(flags, stated)},
        accelerated=_scheduling(
            "accelerated", flags.accelerated_node_selector, flags.accelerated_toleration, base.accelerated, stated
        ),
        system=_scheduling("system", flags.system_node_selector, flags.system_toleration, base.system, stated),
        allow_unpinned=base.allow_unpinned or flags.allow_unpinned,
        delivery=_delivery(flags, base.delivery, stated),
        install_time=(*base.install_time, *_install_time(flags, base, stated)),
        certification=_certification(flags, catalog, stated) or base.certification,
        origins={**base.origins, **stated.origins},
    )
    request = replace(request, observed=_still_observed(request, stated))
    if stated.errors:
        kind = NotFound if all(isinstance(error, NotFound) for error in stated.errors) else InvalidInput
        raise kind.of(finding for error in stated.errors for finding in error.findings)
    if not flags.snapshot:
        return request, (*notes, *stated.notes)
    from bundler.cluster.saved import read
    from bundler.detect.fill import fill

    filled = fill(catalog, request, read(flags.snapshot, catalog))
    return filled.request, (*notes, *stated.notes, *filled.findings)


@dataclass(slots=True)
class _Stated:
    """What the flags read so far said, and what was wrong with them."""

    origins: dict[str, Location] = field(default_factory=dict)
    errors: list[AicrError] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)
    seen: set[tuple[str, str]] = field(default_factory=set)

    @contextmanager
    def gathering(self) -> Iterator[None]:
        """Keep an error and go on with the next flag."""
        try:
            yield
        except AicrError as error:
            self.errors.append(error)

    def once(self, flag: str, what: str, fix: str) -> None:
        """Refuse a second word on the same thing."""
        if (flag, what) in self.seen:
            raise InvalidInput("AICR-U013", f"{flag} names {what!r} twice", location=Location(file=f"{flag} {what}"), fix=fix)
        self.seen.add((flag, what))


def _start(flags: Flags, catalog: Catalog) -> tuple[Request, tuple[Finding, ...]]:
    """What `--recipe` names: a recipe, or a file that already is a whole request."""
    if flags.recipe is None:
        if not flags.criteria and not flags.snapshot:
            fix = "add --recipe NAME or criteria such as --service gke; 'aicr recipe list' shows the recipes"
            raise InvalidInput("AICR-U010", "nothing chooses a recipe", fix=fix)
        return Request(), ()
    place = Location(file=f"--recipe {flags.recipe}")
    if flags.criteria:
        given = ", ".join(f"--{name}" for name in flags.criteria)
        message = f"a recipe states all its criteria; {given} cannot stand beside --recipe"
        raise InvalidInput("AICR-U011", message, location=place, fix="give the recipe or the criteria")
    if not is_file(flags.recipe):
        return Request(recipe=flags.recipe, origins={"/recipe": place}), ()
    return _from_file(Path(flags.recipe), catalog)


def _from_file(path: Path, catalog: Catalog) -> tuple[Request, tuple[Finding, ...]]:
    document = catalog.open(path, kinds=("Recipe", "BundleRecipe", "RecipeResult"))
    if document.kind == "Recipe":
        return Request(document=document, origins={"/recipe": document.locate("")}), document.notes
    if document.kind == "RecipeResult":
        from bundler.catalog.upstream import read_recipe_result

        request, left_out = read_recipe_result(document)
        return request, (*document.notes, *left_out)
    from bundler.publish.recipe_file import read_request as read_recorded

    return read_recorded(document), document.notes


def _criteria(flags: Flags, stated: _Stated) -> Criteria | None:
    for name, value in flags.criteria.items():
        stated.origins[join(("criteria", name))] = Location(file=f"--{name} {value}")
    return Criteria.of(flags.criteria) if flags.criteria else None


def _machine_type(flags: Flags, stated: _Stated) -> str | None:
    if flags.machine_type is not None:
        stated.origins["/machineType"] = Location(file=f"--machine-type {shortened(flags.machine_type, _SHOWN)}")
    return flags.machine_type


def _profiles(flags: Flags, catalog: Catalog, stated: _Stated) -> dict[str, str]:
    if not flags.profile:
        return {}
    axes = {axis: tuple(document.data["values"]) for axis, document in catalog.profiles.items()}
    chosen = {}
    for text in flags.profile:
        with stated.gathering():
            axis, value = assignments.profile(text, axes)
            allowed = ", ".join(axes.get(axis, ()))
            stated.once("--profile", axis, f"choose one value for {axis}" + (f": {allowed}" if allowed else ""))
            stated.origins[join(("profiles", axis))] = Location(file=f"--profile {text}")
            chosen[axis] = value
    return chosen


def _still_meant(base: Request, profiles: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """The recorded parameters of the axes whose value did not change: a parameter belongs to one value."""
    return {axis: dict(values) for axis, values in base.parameters.items() if profiles.get(axis) == base.profiles.get(axis)}


def _still_observed(request: Request, stated: _Stated) -> dict[str, Observation]:
    """The recorded observations of values that no flag states and that are still there."""
    there = {join(("parameters", axis, name)) for axis, values in request.parameters.items() for name in values}
    return {
        pointer: one
        for pointer, one in request.observed.items()
        if pointer not in stated.origins and (pointer in there or not pointer.startswith("/parameters/"))
    }


def _parameters(flags: Flags, recorded: dict[str, dict[str, Any]], stated: _Stated) -> dict[str, dict[str, Any]]:
    merged = {axis: dict(values) for axis, values in recorded.items()}
    if flags.params_file is not None:
        with stated.gathering():
            document = _read_file(flags.params_file, stated)
            for axis, name, value, location in _recorded_parameters(document):
                merged.setdefault(axis, {})[name] = value
                stated.origins[join(("parameters", axis, name))] = location
    for text in flags.param:
        with stated.gathering():
            axis, name, raw = assignments.parameter(text)
            stated.once("--param", f"{axis}.{name}", "give the parameter once")
            merged.setdefault(axis, {})[name] = raw
            stated.origins[join(("parameters", axis, name))] = Location(file=f"--param {axis}.{name}")
    return merged


def _recorded_parameters(document: Document) -> Iterator[tuple[str, str, Any, Location]]:
    for axis, values in _map(document, "").items():
        for name in _map(document, join((axis,))):
            yield axis, name, values[name], document.locate(join((axis, name)))


def _map(document: Document, pointer: str) -> JsonObject:
    from bundler.model.pointer import resolve

    value = resolve(document.data, pointer)
    if not isinstance(value, dict):
        fix = "write a map of axis, then parameter name, then value"
        raise InvalidInput(
            "AICR-U012", "a parameters file holds maps here", location=document.locate(pointer), pointer=pointer, fix=fix
        )
    return value


def _overrides(flags: Flags, stated: _Stated) -> tuple[Override, ...]:
    found: list[Override] = []
    for flag, text in flags.overrides:
        with stated.gathering():
            if flag == "--set":
                stated_now = assignments.override(text)
                found = [earlier for earlier in found if not _restated(earlier, stated_now)]
                found.append(stated_now)
                continue
            component, path, rest, place = assignments.target(flag, text)
            if flag == "--set-json":
                found.extend(assignments.merged_overrides(component, path, assignments.json_document(rest, place), place))
            else:
                found.extend(assignments.merged_overrides(component, path, _read_file(Path(rest), stated), None))
    return tuple(found)


def _restated(earlier: Override, later: Override) -> bool:
    """Whether a later `--set` gives the same path another value: only the last one is asked for."""
    return earlier.raw is not None and (earlier.component, earlier.path) == (later.component, later.path)


def _versions(flags: Flags, stated: _Stated) -> dict[str, str]:
    versions = {}
    for text in flags.component_version:
        with stated.gathering():
            name, version = assignments.component_version(text)
            stated.once("--component-version", name, "choose one version a component")
            stated.origins[join(("versions", name))] = Location(file=f"--component-version {text}")
            versions[name] = version
    return versions


def _scheduling(
    nodes: str, selectors: Sequence[str], tolerations: Sequence[str], recorded: Scheduling, stated: _Stated
) -> Scheduling:
    labels: dict[str, str] = {}
    tolerated: list[JsonObject] = []
    flag = f"--{nodes}-node-selector"
    for text in selectors:
        with stated.gathering():
            key, value = assignments.label(flag, text)
            stated.once(flag, key, "give one value a label")
            stated.origins[join((nodes, "nodeSelector", key))] = Location(file=f"{flag} {text}")
            labels[key] = value
    flag = f"--{nodes}-toleration"
    for text in tolerations:
        with stated.gathering():
            item = assignments.toleration(flag, text)
            stated.once(flag, text, "give each toleration once")
            stated.origins[join((nodes, "tolerations", len(tolerated)))] = Location(file=f"{flag} {text}")
            tolerated.append(item)
    return Scheduling(
        node_selector=labels if selectors else recorded.node_selector,
        tolerations=tuple(tolerated) if tolerations else recorded.tolerations,
    )


def _delivery(flags: Flags, recorded: Delivery, stated: _Stated) -> Delivery:
    from bundler.publish.deployers.settings import SETTINGS

    deployer = recorded.deployer if flags.deployer is None else flags.deployer
    if flags.deployer is not None:
        stated.origins["/delivery/deployer"] = Location(file=f"--deployer {shortened(flags.deployer, _SHOWN)}")
    # The value is not shown: an address may hold a password.
    stated.origins |= {join(("delivery", key)): Location(file=SETTINGS[key].flag) for key in flags.settings}
    kept = recorded.settings if deployer == recorded.deployer else {}
    return Delivery(deployer=deployer, settings={**kept, **flags.settings})


def _install_time(flags: Flags, base: Request, stated: _Stated) -> Iterator[InstallTime]:
    """What is recorded already may be stated again."""
    recorded = {(item.component, item.path) for item in base.install_time}
    for text in flags.dynamic:
        with stated.gathering():
            component, path = assignments.open_value(text)
            if (component, path) not in recorded:
                yield InstallTime(component=component, path=path, location=Location(file=f"--dynamic {shortened(text, _SHOWN)}"))


def _certification(flags: Flags, catalog: Catalog, stated: _Stated) -> Document | str | None:
    if flags.certification in {None, DEFAULT_CERTIFICATION}:
        return flags.certification
    document = None
    with stated.gathering():
        document = catalog.open(Path(str(flags.certification)), kinds=("Certification",))
        stated.notes.extend(document.notes)
    return document


def _read_file(path: Path, stated: _Stated) -> Document:
    from bundler.catalog.files import read_file
    from bundler.yamlio.reader import read

    document = read(read_file(path, shown=str(path)), str(path))
    stated.notes.extend(document.notes)
    return document
