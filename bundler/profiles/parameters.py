"""Parameters of a profile value: text typed by the schema, data checked with messages about what it is for, one normal form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.compose.scalars import scalar, words
from bundler.compose.wording import listed, shown
from bundler.model.finding import Finding
from bundler.model.pointer import tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.compose.schema import Place
    from bundler.model.location import Location
    from bundler.profiles.inputs import Parameter

__all__ = ["check", "normal", "parse"]


def parse(parameter: Parameter, text: str, location: Location) -> tuple[Any, tuple[Finding, ...]]:
    """The value that a flag's text stands for, and what is wrong with the text.

    A map is written `key=value,key=value`, a list `item,item`; scalars follow `bundler.compose.scalars`.
    """
    place = parameter.place
    types = place.types
    if "object" in types:
        return _map(parameter, text, location)
    if "array" in types:
        items = [_scalar(parameter, item, place.items, "an item", location) for item in text.split(",")] if text else []
        return [value for value, _ in items], tuple(finding for _, found in items for finding in found)
    return _scalar(parameter, text, place, "it", location)


def check(parameter: Parameter, value: Any, location: Location | None) -> tuple[Finding, ...]:
    """What is wrong with a value, whoever gave it."""
    if parameter.table is not None:
        return _check_release(parameter, value, location)
    place = parameter.place
    if isinstance(value, dict) and "object" in place.types:
        entries = tuple(_check_entries(parameter, value, location))
        return entries or tuple(_breaches(parameter, value, location))
    return tuple(_breaches(parameter, value, location))


def normal(place: Place, value: Any) -> Any:
    """The value with the keys of every map in the order of the schema; keys it does not list come last, sorted."""
    if isinstance(value, list):
        return [normal(place.items, item) for item in value]
    if not isinstance(value, dict):
        return value
    ordered = [name for name in place.names if name in value]
    ordered += sorted(value.keys() - ordered)
    return {name: _normal_below(place, name, value[name]) for name in ordered}


def _normal_below(place: Place, name: str, value: Any) -> Any:
    below = place.below(name) if isinstance(value, dict | list) else None
    return value if below is None else normal(below, value)


def _map(parameter: Parameter, text: str, location: Location) -> tuple[dict[str, Any], tuple[Finding, ...]]:
    found: dict[str, Any] = {}
    findings: list[Finding] = []
    for entry in text.split(",") if text else ():
        key, equals, raw = entry.partition("=")
        if not equals or not key:
            message = f"parameter {parameter.label}: {shown(entry)} is not KEY=VALUE"
            findings.append(Finding(rule="AICR-P013", message=message, location=location, fix=f"write {parameter.flag}"))
        elif key in found:
            message = f"parameter {parameter.label} gives {shown(key)} twice"
            findings.append(Finding(rule="AICR-P010", message=message, location=location, fix="give each entry once"))
        else:
            place = parameter.place.below(key)
            found[key], problems = (raw, ()) if place is None else _scalar(parameter, raw, place, key, location)
            findings.extend(problems)
    return found, tuple(findings)


def _scalar(parameter: Parameter, text: str, place: Place, what: str, location: Location) -> tuple[Any, tuple[Finding, ...]]:
    try:
        return scalar(text, place.types), ()
    except ValueError:
        message = f"parameter {parameter.label}: {what} is {words(place.types)}, not {shown(text)}"
        return None, (Finding(rule="AICR-P013", message=message, location=location, fix=f"write {parameter.flag}"),)


def _check_release(parameter: Parameter, value: Any, location: Location | None) -> tuple[Finding, ...]:
    if isinstance(value, str) and value in parameter.releases:
        return ()
    assert parameter.table is not None
    message = f"parameter {parameter.label}: {shown(value)} is no release of {parameter.table.name}"
    fix = f"its releases are {listed(reversed(parameter.releases))}"
    return (Finding(rule="AICR-P014", message=message, location=location, fix=fix),)


def _check_entries(parameter: Parameter, value: dict[str, Any], location: Location | None) -> Iterator[Finding]:
    """Entries that are not among those declared, are missing, or share a value they must not share."""
    place, label = parameter.place, parameter.label
    names = place.names
    for key in value:
        if key not in names and place.below(key) is None:
            message = f"parameter {label} has no entry {shown(key)}"
            yield Finding(rule="AICR-P009", message=message, location=location, fix=f"its entries are {listed(names)}")
    missing = [name for name in place.required if name not in value]
    if missing:
        given = len(place.required) - len(missing)
        message = f"parameter {label} has {given} of {len(place.required)} entries: {listed(missing)} {_is_or_are(missing)} missing"
        yield Finding(rule="AICR-P008", message=message, location=location, fix=f"give {listed(place.required)}, each once")
    if parameter.schema.get("x-aicr-unique-values"):
        owners: dict[str, list[str]] = {}
        for key, item in value.items():
            owners.setdefault(repr(item), []).append(key)
        for keys in owners.values():
            if len(keys) > 1:
                message = f"parameter {label} gives {shown(value[keys[0]])} to {listed(keys)}"
                yield Finding(rule="AICR-P011", message=message, location=location, fix="give every entry a value of its own")


def _breaches(parameter: Parameter, value: Any, location: Location | None) -> Iterator[Finding]:
    """What else the schema refuses, in the words of the schema's own descriptions."""
    for finding in parameter.validator.check(value):
        where, found, place = _reach(parameter.place, value, tokens(finding.pointer))
        what = ".".join(where) or "it"
        if finding.rule == "AICR-S002":
            rule, detail = "AICR-P013", f"{what} is {words(place.types)}, not {shown(found)}"
        elif place.description:
            rule, detail = "AICR-P012", f"{what} is {shown(found)}, not {place.description}"
        else:
            rule, detail = "AICR-P012", f"{what}: {finding.message}"
        fix = f"give {what} another value" if where else f"write {parameter.flag}"
        yield Finding(rule=rule, message=f"parameter {parameter.label}: {detail}", location=location, fix=fix)


def _reach(place: Place, value: Any, path: tuple[str, ...]) -> tuple[tuple[str, ...], Any, Place]:
    """Follow a validator's pointer as far as the data and the schema go."""
    for depth, step in enumerate(path):
        if isinstance(value, dict) and step in value and (below := place.below(step)) is not None:
            value, place = value[step], below
        elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
            value, place = value[int(step)], place.items
        else:
            return path[:depth], value, place
    return path, value, place


def _is_or_are(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"
