"""What an API server would prune or reject: an object against the structural schema of its kind.

The schemas are those of `schemas/kube`, plain JSON Schema with the list extensions of Kubernetes. A null counts as absent, as
it does on a server, and a number such as `2.0` is an integer. Unlike a general validator this one also holds list keys and sets
to be unique, knows the nearest field name, and needs no compilation, which for one object costs more than the walk.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from bundler.model.pointer import join

if TYPE_CHECKING:
    from bundler.model.document import JsonObject

__all__ = ["Fault", "faults"]

_SHOWN = 60
_RANGES = {"int32": (-(2**31), 2**31 - 1), "int64": (-(2**63), 2**63 - 1)}
_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
}
_WORDS = {
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "a boolean",
    "array": "a list",
    "object": "a map",
}


_Path = tuple[Any, str | int] | None
"""Steps from the root as nested pairs, innermost last: a pointer is written only for a fault."""


class Fault(NamedTuple):
    """One way in which an object breaks its schema."""

    rule: str
    message: str
    pointer: str
    fix: str


def faults(data: Any, schema: JsonObject) -> list[Fault]:
    """Every way in which `data` breaks the structural schema of its kind, in the order of the walk."""
    found: list[Fault] = []
    _Walk(schema.get("$defs", {}), found).value(data, schema, None)
    return found


class _Walk:
    """One pass over one object. The list of faults is passed along instead of yielding, which halves the time."""

    def __init__(self, definitions: JsonObject, found: list[Fault]) -> None:
        self.definitions = definitions
        self.found = found

    def value(self, data: Any, schema: JsonObject, path: _Path) -> None:
        if "$ref" in schema:
            schema = self.definitions[schema["$ref"][8:]]
        kind = schema.get("type")
        if kind is not None and not _is(data, kind):
            wanted = " or ".join(_WORDS[name] for name in ([kind] if isinstance(kind, str) else kind))
            quote = "string" in kind and isinstance(data, bool | int | float)
            fix = "quote the value" if quote else f"write {wanted}"
            self._add("AICR-K003", f"{_shown(data)} is {_word(data)}, not {wanted}", path, fix)
        elif isinstance(data, dict):
            self._object(data, schema, path)
        elif isinstance(data, list):
            self._list(data, schema, path)
        else:
            self._scalar(data, schema, path)

    def _object(self, data: JsonObject, schema: JsonObject, path: _Path) -> None:
        properties = schema.get("properties", {})
        rest = schema.get("additionalProperties", True)
        for name, inner in data.items():
            known = properties.get(name)
            if known is None:
                if rest is False:
                    self._add("AICR-K002", f"unknown field {name!r}", (path, name), _nearest(name, properties))
                    continue
                known = rest if isinstance(rest, dict) else None
            if known is not None and inner is not None:
                self.value(inner, known, (path, name))
        for name in schema.get("required", ()):
            if data.get(name) is None:
                self._add("AICR-K004", f"required field {name!r} is missing", path, f"add {name!r}")
        if len(data) < schema.get("minProperties", 0):
            self._add("AICR-K005", "an empty map is not allowed here", path, f"set one of {', '.join(sorted(properties))}")

    def _list(self, data: list[Any], schema: JsonObject, path: _Path) -> None:
        items = schema.get("items", {})
        for index, item in enumerate(data):
            self.value(item, items, (path, index))
        self._size(len(data), "items", (schema.get("minItems", 0), schema.get("maxItems")), path)
        match schema.get("x-kubernetes-list-type"):
            case "map":
                self._unique(data, schema, path)
            case "set":
                for index, item in enumerate(data):
                    if item in data[:index]:
                        self._add("AICR-K006", f"{_shown(item)} stands twice in a set", (path, index), "remove one")
            case _:
                pass

    def _unique(self, data: list[Any], schema: JsonObject, path: _Path) -> None:
        keys = schema["x-kubernetes-list-map-keys"]
        items = schema["items"]
        fields = self.definitions[items["$ref"][8:]]["properties"] if "$ref" in items else items["properties"]
        seen: dict[tuple[str, ...], int] = {}
        for index, item in enumerate(data):
            if isinstance(item, dict):
                key = tuple(str(fields[name].get("default", "") if item.get(name) is None else item[name]) for name in keys)
                first = seen.setdefault(key, index)
                if first != index:
                    label = ", ".join(f"{name} {value!r}" for name, value in zip(keys, key, strict=True))
                    self._add("AICR-K006", f"{label} stands twice, first as item {first}", (path, index), "remove one")

    def _scalar(self, data: Any, schema: JsonObject, path: _Path) -> None:
        if "enum" in schema and data not in schema["enum"]:
            options = ", ".join(map(repr, schema["enum"]))
            self._add("AICR-K005", f"{data!r} is not one of {options}", path, _nearest(str(data), schema["enum"]))
        if isinstance(data, str):
            if "pattern" in schema and not _pattern(schema["pattern"]).search(data):
                form = schema.get("title") or f"of the form {schema['pattern']}"
                self._add("AICR-K005", f"{_shown(data)} is not {form}", path, "correct the form")
            self._size(len(data), "characters", (schema.get("minLength", 0), schema.get("maxLength")), path)
        elif isinstance(data, int | float) and not isinstance(data, bool):
            low, high = _RANGES.get(schema.get("format", ""), (data, data))
            low = max(low, schema.get("minimum", low))
            if not low <= data <= high:
                self._add("AICR-K005", f"{data} is not between {low} and {high}", path, "choose a number in range")

    def _size(self, size: int, unit: str, limits: tuple[int, int | None], path: _Path) -> None:
        low, high = limits
        if size < low:
            self._add("AICR-K005", f"{size} {unit} where at least {low} are needed", path, "add what is missing")
        elif high is not None and size > high:
            self._add("AICR-K005", f"{size} {unit} where at most {high} are allowed", path, "shorten it")

    def _add(self, rule: str, message: str, path: _Path, fix: str) -> None:
        self.found.append(Fault(rule, message, _pointer(path), fix))


def _pointer(path: _Path) -> str:
    steps: list[str | int] = []
    while path is not None:
        path, step = path
        steps.append(step)
    return join(reversed(steps))


def _is(data: Any, kind: str | list[str]) -> bool:
    if isinstance(kind, list):
        return any(_is(data, one) for one in kind)
    if type(data) is _TYPES[kind]:
        return True
    if isinstance(data, bool):
        return False
    if kind == "integer" and isinstance(data, float):
        return data.is_integer()
    return isinstance(data, _TYPES[kind])


@lru_cache(maxsize=64)
def _pattern(text: str) -> re.Pattern[str]:
    # `$` of Python accepts a final newline, `$` of the server does not.
    return re.compile(text.removesuffix("$") + r"\Z" if text.endswith("$") else text)


def _word(data: Any) -> str:
    if isinstance(data, float):
        return _WORDS["number"]
    return next((_WORDS[kind] for kind in ("boolean", *_WORDS) if _is(data, kind)), "null")


def _shown(data: Any) -> str:
    text = "the value" if data is None else repr(data)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _nearest(name: str, known: Any) -> str:
    near = get_close_matches(name, [str(one) for one in known], n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"known here: {', '.join(sorted(map(str, known)))}" if known else "remove it"
