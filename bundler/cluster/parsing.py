"""The text of saved cluster objects → plain data, quickly: JSON, or YAML as kubectl writes it.

What kubectl prints is no authored document: it is large, and nobody has to be shown the line of a value. So libyaml composes it,
and only the scalars of JSON are resolved, which is what kubectl leaves unquoted; whatever else is unquoted stays text.
"""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any

import yaml

from bundler.errors import InvalidInput
from bundler.model.location import Location

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["parse"]

_Loader: Any = type(
    "_Loader",
    (yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader,),
    {"yaml_implicit_resolvers": {}, "yaml_constructors": {}},
)
"""PyYAML's safe loader with the scalars of JSON only, and without duplicate keys."""


def _map(loader: Any, node: Any) -> dict[Any, Any]:
    built = {}
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node, deep=True)
        if not isinstance(key, str):
            raise yaml.constructor.ConstructorError(None, None, "a key is no text", key_node.start_mark)
        if key in built:
            raise yaml.constructor.ConstructorError(None, None, f"the key {key!r} stands twice", key_node.start_mark)
        built[key] = loader.construct_object(value_node, deep=True)
    return built


def _refuse(_loader: Any, node: Any) -> Any:
    raise yaml.constructor.ConstructorError(None, None, f"the tag {node.tag!r} is none of JSON", node.start_mark)


def _float(_loader: Any, node: Any) -> float:
    try:
        return _number(node.value)
    except ValueError as error:
        raise yaml.constructor.ConstructorError(None, None, str(error), node.start_mark) from None


def _number(text: str) -> float:
    if not math.isfinite(number := float(text)):
        raise ValueError(f"{text} is larger than any number")
    return number


_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_TAG = "tag:yaml.org,2002:"
_SCALARS = (
    ("null", r"null|~|", "n~", lambda _loader, _node: None),
    ("bool", r"true|false", "tf", lambda _loader, node: node.value == "true"),
    ("int", r"-?(?:0|[1-9][0-9]*)", "-0123456789", lambda _loader, node: int(node.value)),
    ("float", r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?", "-0123456789", _float),
)
for _name, _pattern, _first, _construct in _SCALARS:
    _Loader.add_implicit_resolver(_TAG + _name, re.compile(rf"(?:{_pattern})\Z"), [*_first, *([""] if _name == "null" else [])])
    _Loader.add_constructor(_TAG + _name, _construct)
_Loader.add_constructor(_TAG + "str", lambda loader, node: loader.construct_scalar(node))
_Loader.add_constructor(_TAG + "seq", lambda loader, node: [loader.construct_object(item, deep=True) for item in node.value])
_Loader.add_constructor(_TAG + "map", _map)
_Loader.add_constructor(None, _refuse)


def parse(text: bytes, shown: str) -> Iterator[Any]:
    """Every document of a file that is JSON, or YAML of any number of documents.

    Args:
        text: the file.
        shown: the path that messages show.

    Raises:
        InvalidInput: it is neither.
    """
    if text.lstrip()[:1] in {b"{", b"["}:
        yield _json(text, shown)
        return
    try:
        yield from yaml.load_all(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = Location(file=shown, line=mark.line + 1, column=mark.column + 1) if mark else Location(file=shown)
        raise _no_objects(error.problem or "it cannot be parsed", place) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise _no_objects(str(error).partition("\n")[0] or type(error).__name__, Location(file=shown)) from None


def _json(text: bytes, shown: str) -> Any:
    try:
        data = json.loads(text, object_pairs_hook=_unique, parse_float=_number, parse_constant=_finite)
        if _SURROGATE.search(text):
            # Half of a pair is no character, so nobody could write it again.
            json.dumps(data, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise _no_objects(error.msg, Location(file=shown, line=error.lineno, column=error.colno)) from None
    except (ValueError, RecursionError) as error:
        raise _no_objects(str(error) or type(error).__name__, Location(file=shown)) from None
    return data


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    built = dict(pairs)
    if len(built) < len(pairs):
        raise ValueError("a key stands twice in one map")
    return built


def _finite(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


def _no_objects(problem: str, place: Location) -> InvalidInput:
    fix = "save it with: kubectl get RESOURCE -o json"
    return InvalidInput("AICR-Q002", f"not a list of cluster objects: {problem}", location=place, fix=fix)
