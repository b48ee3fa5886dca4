"""The filters and tests that templates have. Nothing else of Jinja's is offered: the result must depend on the input alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jinja2.filters import FILTERS as JINJA_FILTERS
from jinja2.runtime import Context, Undefined
from jinja2.utils import pass_context

from bundler.render.budget import budget_of
from bundler.render.kinds import kind_of
from bundler.render.origin import VALUE
from bundler.render.refusal import Refusal
from bundler.render.undefined import require
from bundler.yamlio.writer import dump
from bundler.yamlio.writer import to_json as json_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["FILTERS", "SERIALISERS", "TESTS", "Serialised", "only_serialised", "scalar_text"]


class Serialised(str):
    """Text that a YAML reader takes as exactly one value. Only the serialising filters make it, and only it reaches a manifest."""

    __slots__ = ()


def scalar_text(value: Any) -> str:
    """A scalar as text: numbers and booleans as JSON writes them. Serialised text is text too: an annotation may hold JSON.

    Raises:
        Refusal: the value is null, a list or a map.
        UndefinedError: the value is undefined.
    """
    match value:
        case str():
            return str(value)
        case bool() | int() | float():
            return json_text(value)
        case _:
            require(value)
            raise Refusal("AICR-T010", f"{kind_of(value)} is no text", fix="use to_json for what is no text")


def only_serialised(value: Any) -> str:
    """Serialised text, marked as a value for `bundler.render.origin`.

    Raises:
        Refusal: the value is anything else.
        UndefinedError: the value is undefined.
    """
    if type(value) is Serialised:
        return VALUE + value
    scalar_text(value)
    raise Refusal("AICR-T006", "an output expression is not serialised", fix="end it in quote or to_json")


@pass_context
def _quote(context: Context, value: Any) -> Serialised:
    text = scalar_text(value)
    budget_of(context).pay_text(len(text))
    return Serialised(json_text(text))


@pass_context
def _to_json(context: Context, value: Any) -> Serialised:
    budget_of(context).weigh(value)
    return Serialised(json_text(value))


@pass_context
def _to_yaml(context: Context, value: Any) -> str:
    budget_of(context).weigh(value)
    return dump(value)


@pass_context
def _pick(context: Context, items: Any, *keys: str) -> list[dict[str, Any]]:
    rows = _list(items, "pick")
    budget_of(context).pay(len(rows) * (len(keys) + 1) + 1)
    for row in rows:
        _map(row, "pick")
    for key in keys:
        if rows and not any(key in row for row in rows):
            raise Refusal("AICR-T010", f"no item has the key {key!r}", fix="pick keys that the items have", word=key)
    return [{key: row[key] for key in keys if key in row} for row in rows]


@pass_context
def _pairs(context: Context, mapping: Any, key: str, value: str) -> list[dict[str, Any]]:
    budget_of(context).pay(3 * len(_map(mapping, "pairs")) + 1)
    return [{key: name, value: item} for name, item in mapping.items()]


@pass_context
def _entries(context: Context, items: Any, key: str) -> list[dict[str, Any]]:
    rows = _list(items, "entries")
    budget_of(context).pay(2 * len(rows) + 1)
    return [{key: item} for item in rows]


@pass_context
def _items(context: Context, mapping: Any) -> list[tuple[str, Any]]:
    budget_of(context).pay(2 * len(_map(mapping, "items")) + 1)
    return list(mapping.items())


@pass_context
def _join(context: Context, items: Any, separator: str = "") -> str:
    budget = budget_of(context)
    texts = [scalar_text(item) for item in _list(items, "join")]
    budget.pay(len(texts) + 1)
    budget.pay_text(sum(map(len, texts)) + len(separator) * len(texts))
    return separator.join(texts)


@pass_context
def _replace(context: Context, text: Any, old: str, new: str) -> str:
    source = scalar_text(text)
    if not old:
        raise Refusal("AICR-T010", "replace needs a text to look for", fix="name the text to replace")
    budget_of(context).pay_text(len(source) + source.count(old) * len(new))
    return source.replace(old, new)


@pass_context
def _sort(context: Context, items: Any) -> list[Any]:
    budget_of(context).weigh(_list(items, "sort"))
    return sorted(items)


def _on_text(change: Callable[[str], str]) -> Callable[..., str]:
    @pass_context
    def changed(context: Context, value: Any) -> str:
        text = scalar_text(value)
        budget_of(context).pay_text(len(text))
        return change(text)

    return changed


def _list(value: Any, name: str) -> list[Any]:
    if isinstance(value, list | tuple):
        return list(value)
    require(value)
    raise Refusal("AICR-T010", f"{name} takes a list", word=name)


def _map(value: Any, name: str) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    require(value)
    raise Refusal("AICR-T010", f"{name} takes a map" if name != "pick" else "pick takes a list of maps", word=name)


def _defined_and(holds: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """A test that an undefined value fails loudly: only `defined` and `undefined` may look at one."""

    def test(value: Any) -> bool:
        require(value)
        return holds(value)

    return test


SERIALISERS = ("quote", "to_json")
"""The filters that an output expression of a manifest ends in."""

FILTERS: Mapping[str, Callable[..., Any]] = {
    "default": JINJA_FILTERS["default"],
    "entries": _entries,
    "first": JINJA_FILTERS["first"],
    "items": _items,
    "join": _join,
    "last": JINJA_FILTERS["last"],
    "length": JINJA_FILTERS["length"],
    "lower": _on_text(str.lower),
    "pairs": _pairs,
    "pick": _pick,
    "quote": _quote,
    "replace": _replace,
    "sort": _sort,
    "string": _on_text(str),
    "to_json": _to_json,
    "to_yaml": _to_yaml,
    "trim": _on_text(str.strip),
    "upper": _on_text(str.upper),
}

TESTS: Mapping[str, Callable[[Any], bool]] = {
    "boolean": _defined_and(lambda value: isinstance(value, bool)),
    "defined": lambda value: not isinstance(value, Undefined),
    "mapping": _defined_and(lambda value: isinstance(value, dict)),
    "none": _defined_and(lambda value: value is None),
    "number": _defined_and(lambda value: isinstance(value, int | float) and not isinstance(value, bool)),
    "sequence": _defined_and(lambda value: isinstance(value, list | tuple)),
    "string": _defined_and(lambda value: isinstance(value, str)),
    "undefined": lambda value: isinstance(value, Undefined),
}
