"""Plain data against a JSON Schema (draft 2020-12), with findings a person can act on.

The validator is jsonschema-rs, offline: a reference to anything but our own schemas is an error, never a request.
"""

from __future__ import annotations

import json
from dataclasses import field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.model.finding import Finding
from bundler.model.location import Location
from bundler.model.pointer import child, join, resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bundler.model.document import Document, JsonObject

__all__ = ["Validator", "check"]

_SHOWN = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Validator:
    """A compiled schema.

    Attributes:
        schema: the schema itself.
        siblings: schemas it may refer to, by `$id`.
    """

    schema: JsonObject
    siblings: Mapping[str, JsonObject] = field(repr=False)
    compiled: Any = field(repr=False)

    @classmethod
    def of(cls, schema: JsonObject, *, siblings: Mapping[str, JsonObject] | None = None, shown: str = "") -> Validator:
        """Compile a schema.

        Args:
            schema: a JSON Schema, draft 2020-12.
            siblings: schemas it may refer to, by `$id`.
            shown: the file that messages name when the schema itself is at fault.

        Raises:
            InvalidInput: the schema is malformed or refers to something outside the given schemas.
        """
        import jsonschema_rs  # noqa: PLC0415  (30 ms that only runs when something is validated)

        known = dict(siblings or {})
        registry = jsonschema_rs.Registry(list(known.items())) if known else None
        try:
            compiled = jsonschema_rs.Draft202012Validator(schema, registry=registry, offline=True)
        except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
            reason = str(error).splitlines()[0]
            fix = "refer only to schemas of the catalogue, and keep to JSON Schema draft 2020-12"
            raise InvalidInput("AICR-S003", f"schema cannot be used: {reason}", location=Location(file=shown), fix=fix) from None
        return cls(schema=schema, siblings=known, compiled=compiled)

    def check(
        self,
        data: Any,
        *,
        document: Document | None = None,
        locate: Callable[[str], Location | None] | None = None,
        root: str = "",
    ) -> tuple[Finding, ...]:
        """Every way in which `data` breaks the schema.

        Args:
            data: plain data.
            document: where `data` stands, for locations.
            locate: pointer → location, when the data is no document.
            root: pointer of `data` within the document.

        Returns:
            Findings by pointer, at most one per unknown field; empty when the data is valid.
        """
        place = locate or (document.locate if document is not None else _nowhere)
        found = [finding for error in self.compiled.iter_errors(data) for finding in self._findings(error, root, place)]
        return tuple(sorted(found, key=lambda finding: (finding.location or Location(file=""), finding.pointer, finding.message)))

    def _findings(self, error: Any, root: str, place: Callable[[str], Location | None]) -> Iterator[Finding]:
        pointer = root + join(error.instance_path)
        kind = error.kind
        match kind.name:
            case "additionalProperties" | "unevaluatedProperties":
                known = self._known_names(error)
                for name in kind.unexpected:
                    at = child(pointer, name)
                    yield Finding(
                        rule="AICR-S001",
                        message=f"unknown field {name!r}",
                        location=place(at),
                        pointer=at,
                        fix=_nearest(name, known),
                    )
            case "required":
                yield Finding(
                    rule="AICR-S004",
                    message=f"required field {kind.property!r} is missing",
                    location=place(pointer),
                    pointer=pointer,
                    fix=f"add {kind.property!r}",
                )
            case "type":
                yield Finding(
                    rule="AICR-S002",
                    message=f"{_shown(error.instance)} is {_type_of(error.instance)}, not {_any_of(list(kind.types))}",
                    location=place(pointer),
                    pointer=pointer,
                    fix=_retyped(error.instance, list(kind.types)),
                )
            case "enum":
                names = [str(option) for option in kind.options]
                yield Finding(
                    rule="AICR-S005",
                    message=f"{_shown(error.instance)} is not one of {', '.join(names)}",
                    location=place(pointer),
                    pointer=pointer,
                    fix=_nearest(str(error.instance), names),
                )
            case "const":
                wanted = _keyword_value(self._keyword_parent(error), "const")
                yield Finding(
                    rule="AICR-S006",
                    message=f"{_shown(error.instance)} is not {_shown(wanted)}",
                    location=place(pointer),
                    pointer=pointer,
                    fix=f"write {wanted}",
                )
            case _:
                yield Finding(
                    rule="AICR-S006",
                    message=_sentence(error),
                    location=place(pointer),
                    pointer=pointer,
                    fix=self._description(error),
                )

    def _keyword_parent(self, error: Any) -> Any:
        # A schema without `$id` has no absolute locations; the path then starts at its own root.
        base, _, fragment = str(error.absolute_keyword_location or f"#{join(error.schema_path)}").partition("#")
        schema = self.siblings.get(base, self.schema)
        try:
            return resolve(schema, fragment.rpartition("/")[0])
        except (LookupError, ValueError):
            return {}

    def _known_names(self, error: Any) -> list[str]:
        parent = self._keyword_parent(error)
        return list(parent.get("properties", {})) if isinstance(parent, dict) else []

    def _description(self, error: Any) -> str:
        parent = self._keyword_parent(error)
        text = parent.get("description", "") if isinstance(parent, dict) else ""
        return f"expected: {text}" if text else ""


def check(
    data: Any,
    schema: JsonObject,
    *,
    document: Document | None = None,
    locate: Callable[[str], Location | None] | None = None,
    root: str = "",
) -> tuple[Finding, ...]:
    """Every way in which `data` breaks a schema that refers to no other; see `Validator.check`."""
    return Validator.of(schema).check(data, document=document, locate=locate, root=root)


def _nowhere(_pointer: str) -> None:
    return None


def _keyword_value(schema: Any, keyword: str) -> Any:
    return schema.get(keyword) if isinstance(schema, dict) else None


def _retyped(value: Any, types: list[str]) -> str:
    """How a value of another type is written as one that is asked for."""
    if "string" in types and isinstance(value, bool | int | float):
        return "quote the value"
    if "integer" in types and isinstance(value, str) and value.removeprefix("-").isdecimal():
        return "write it without quotes"
    return "give a value, or leave the field out" if value is None else ""


def _shown(value: Any) -> str:
    text = "the value" if value is None else repr(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


_TYPE_WORDS: tuple[tuple[type, str], ...] = (
    (bool, "a boolean"),
    (int, "an integer"),
    (float, "a number"),
    (str, "a string"),
    (list, "a list"),
    (dict, "a map"),
)


def _type_of(value: Any) -> str:
    return next((words for kind, words in _TYPE_WORDS if isinstance(value, kind)), "null")


def _any_of(types: list[str]) -> str:
    words = {"object": "a map", "array": "a list", "integer": "an integer", "null": "null"}
    return " or ".join(words.get(name, f"a {name}") for name in sorted(types))


def _nearest(name: str, known: list[str]) -> str:
    near = get_close_matches(name, known, n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"known here: {', '.join(sorted(known))}" if known else "remove it"


def _sentence(error: Any) -> str:
    message = str(error.message)
    if len(message) > 4 * _SHOWN:
        # The value comes first: where it is long it is cut, and never what is wrong with it.
        for in_order in (False, True):
            value = json.dumps(error.instance, ensure_ascii=False, separators=(",", ":"), sort_keys=in_order)
            if message.startswith(value):
                message = f"{value[: _SHOWN - 1]}…{message[len(value) :]}"
                break
    return message if len(message) <= 4 * _SHOWN else f"{message[: 4 * _SHOWN - 1]}…"
