"""The grammar of flags that assign something. Each function takes one flag's text and refuses what it cannot mean."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from bundler.compose.overrides import dotted, parse_set
from bundler.compose.wording import shown
from bundler.errors import InvalidInput
from bundler.kube.names import label_value, qualified_name
from bundler.model.location import Location
from bundler.model.pointer import join
from bundler.model.request import Override
from bundler.report.printable import shortened

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bundler.model.document import Document, JsonObject

__all__ = [
    "component_version",
    "json_document",
    "label",
    "merged_overrides",
    "open_value",
    "override",
    "parameter",
    "profile",
    "target",
    "toleration",
]

MAX_LENGTH = 65_536
"""Longest text of one flag; larger values belong in a file."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\Z", re.ASCII)
_AXIS = re.compile(r"[A-Za-z][A-Za-z0-9_-]*\Z", re.ASCII)
_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_SHOWN = 80


def profile(text: str, axes: Mapping[str, Sequence[str]]) -> tuple[str, str]:
    """Axis and value of `--profile AXIS=VALUE`.

    Args:
        text: as given.
        axes: every axis with its values, for the message.
    """
    axis, equals, value = text.partition("=")
    problem = _name_problem(axis, equals, value)
    if problem:
        meant = {name: axes[name] for name in ([axis.strip()] if axis.strip() in axes else sorted(axes))}
        allowed = " or ".join(f"{name}={'|'.join(values)}" for name, values in meant.items())
        fix = f"write --profile AXIS=VALUE: {allowed}"
        raise InvalidInput("AICR-U004", f"profile {shown(text)} {problem}", location=_place("--profile", text), fix=fix)
    return axis, value


def parameter(text: str) -> tuple[str, str, str]:
    """Axis, name and text of `--param AXIS.NAME=VALUE`."""
    named, equals, value = text.partition("=")
    place = _place("--param", named)
    axis, dot, name = _bounded(text, place)[: len(named)].partition(".")
    if not (equals and dot and _AXIS.match(axis) and _NAME.match(name)):
        raise InvalidInput(
            "AICR-U005",
            f"parameter {shown(text)} is not AXIS.NAME=VALUE",
            location=place,
            fix="name the profile axis and the parameter, such as --param fabricAttachment.release=v1.0.15",
        )
    return axis, name, value


def override(text: str) -> Override:
    """`--set COMPONENT:PATH=VALUE`, typed by the component's schema. The place never names the value, which may be a secret."""
    component, path, raw = parse_set(text)
    place = Location(file=f"--set {component}:{dotted(path)}")
    return Override(component=component, path=path, value=raw, location=place, raw=raw)


def open_value(text: str) -> tuple[str, tuple[str, ...]]:
    """Component and path of `--dynamic COMPONENT:PATH`, in the grammar of `--set`."""
    component, colon, path = text.partition(":")
    if not (component and colon and path) or re.search(r"(?<!\\)(?:\\\\)*=", text):
        raise InvalidInput(
            "AICR-C050",
            f"--dynamic {shown(text)} is not COMPONENT:PATH",
            location=_place("--dynamic", text),
            fix="name a value, such as gpu-operator:toolkit.env; what --set gives it holds unless a cluster says otherwise",
        )
    component, steps, _ = parse_set(f"{text}=", flag="--dynamic")
    return component, steps


def target(flag: str, text: str) -> tuple[str, tuple[str, ...], str, Location]:
    """Component, path (perhaps empty), the rest and the place of `--set-json` or `--set-file`, which may name a component alone."""
    component, equals, rest = text.partition("=")
    if ":" in component or not equals or not _NAME.match(component):
        component, path, rest = parse_set(text, flag=flag)
        return component, path, rest, Location(file=f"{flag} {component}:{dotted(path)}")
    place = _place(flag, component)
    return component, (), _bounded(rest, place), place


def merged_overrides(component: str, path: tuple[str, ...], document: Document, place: Location | None) -> tuple[Override, ...]:
    """One override for each value that stands in a document's maps; a null deletes, a list replaces.

    Args:
        component: name or alias.
        path: where the document is merged.
        document: parsed JSON or YAML.
        place: what messages name; None for the line in the document.
    """
    if not path and not isinstance(document.data, dict):
        raise InvalidInput(
            "AICR-U006",
            f"values of component {component!r} are a map, not {shown(document.data)}",
            location=place or document.locate(""),
            fix="give a map, or name the path after the component: COMPONENT:PATH",
        )
    return tuple(
        Override(component=component, path=(*path, *steps), value=value, location=place or document.locate(join(steps)))
        for steps, value in _leaves(document.data)
        if path or steps
    )


def json_document(text: str, place: Location) -> Document:
    """JSON from the command line, read as strictly as a file."""
    from bundler.yamlio.reader import read

    try:
        json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        message = f"not JSON: {shortened(str(error), _SHOWN)}"
        raise InvalidInput("AICR-U006", message, location=place, fix="quote the JSON for the shell in single quotes") from None
    return read(text.encode("utf-8", "surrogatepass"), place.file)


def component_version(text: str) -> tuple[str, str]:
    """Component and version of `--component-version NAME=VERSION`."""
    name, equals, version = text.partition("=")
    problem = _name_problem(name, equals, version)
    if problem:
        place = _place("--component-version", text)
        raise InvalidInput("AICR-U007", f"component version {shown(text)} {problem}", location=place, fix="write NAME=VERSION")
    return name, version


def label(flag: str, text: str) -> tuple[str, str]:
    """Key and value of a node selector flag. A label's value may be empty."""
    key, equals, value = text.partition("=")
    if not equals or not key or "=" in value:
        raise _bad_label(flag, text, "is not KEY=VALUE", "write the node label as KEY=VALUE")
    _check_label(flag, text, key, value)
    return key, value


def toleration(flag: str, text: str) -> JsonObject:
    """A toleration as Kubernetes writes it, from `KEY[=VALUE][:EFFECT]`: without a value any value of the key is tolerated."""
    matched, colon, effect = text.partition(":")
    key, equals, value = matched.partition("=")
    if colon and effect not in _EFFECTS:
        fix = f"use one of {', '.join(_EFFECTS)}, or leave the effect out for all"
        raise _bad_label(flag, text, f"has the unknown effect {shown(effect)}", fix)
    if not key:
        raise _bad_label(flag, text, "names no taint key", "write KEY[=VALUE][:EFFECT]")
    _check_label(flag, text, key, value)
    tolerated: JsonObject = {"key": key, "operator": "Equal" if equals else "Exists"}
    if equals:
        tolerated["value"] = value
    if colon:
        tolerated["effect"] = effect
    return tolerated


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value")


def _leaves(value: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(value, dict) and value:
        for key, below in value.items():
            for steps, leaf in _leaves(below):
                yield (key, *steps), leaf
    else:
        yield (), value


def _name_problem(name: str, equals: str, value: str) -> str:
    """Why a pair of names is not one, or the empty string."""
    if not equals:
        return "has no '='"
    if not name or not value:
        return "names nothing " + ("before" if not name else "after") + " the '='"
    if "=" in value:
        return "has more than one '='"
    if name != name.strip() or value != value.strip():
        return "has a space at an end"
    if not _NAME.match(name) or not _NAME.match(value):
        return "has a character that no name has"
    return ""


def _check_label(flag: str, text: str, key: str, value: str) -> None:
    if (problem := qualified_name(key)) is not None:
        raise _bad_label(flag, text, f"has the key {shown(key)}, which {problem}", "write the key as [PREFIX/]NAME")
    if (problem := label_value(value)) is not None:
        raise _bad_label(flag, text, f"has the value {shown(value)}, which {problem}", "give the label's value as the node has it")


def _bad_label(flag: str, text: str, problem: str, fix: str) -> InvalidInput:
    what = "toleration" if flag.endswith("toleration") else "node selector"
    return InvalidInput("AICR-U008", f"{what} {shown(text)} {problem}", location=_place(flag, text), fix=fix)


def _bounded(text: str, place: Location) -> str:
    if len(text) > MAX_LENGTH:
        message = f"{len(text):,} characters are more than the {MAX_LENGTH:,} that one flag takes"
        raise InvalidInput("AICR-U009", message, location=place, fix="put the value into a file: --set-file or --params-file")
    return text


def _place(flag: str, text: str) -> Location:
    return Location(file=f"{flag} {shortened(text, _SHOWN)}")
