"""Parameters as declared: data with a schema of its own, or the name of a row of a release table or of a machine table."""

from __future__ import annotations

from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bundler.catalog.validation import Validator
from bundler.compose.schema import Place
from bundler.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bundler.catalog.catalog import Catalog
    from bundler.model.document import Document, JsonObject
    from bundler.model.location import Location

__all__ = ["Parameter", "as_flag"]


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """A typed input of one profile value.

    Attributes:
        label: `axis.name`, as flags write it.
        declaration: as authored.
        location: where it is declared.
    """

    label: str
    declaration: JsonObject = field(repr=False)
    location: Location
    catalog: Catalog = field(repr=False)

    @property
    def required(self) -> bool:
        """Whether it must be given."""
        return bool(self.declaration.get("required", False))

    @property
    def schema(self) -> JsonObject:
        """The schema of its data; that of a name for a row."""
        schema: JsonObject = self.declaration.get("schema", {"type": "string"})
        return schema

    @cached_property
    def place(self) -> Place:
        """What may stand where in its data."""
        return Place.of(self.schema)

    @cached_property
    def validator(self) -> Validator:
        """The compiled schema."""
        return Validator.of(self.schema, shown=str(self.location))

    @cached_property
    def table(self) -> Document | None:
        """The release table whose rows it names, or None."""
        name = self.declaration.get("releases")
        return None if name is None else self.catalog.release_table(name)

    @cached_property
    def releases(self) -> dict[str, JsonObject]:
        """The rows of the release table, by name, in its order."""
        return {} if self.table is None else {row["name"]: row for row in self.table.data["releases"]}

    @cached_property
    def machine_table(self) -> Document | None:
        """The machine table whose rows it names, or None."""
        name = self.declaration.get("machines")
        return None if name is None else self.catalog.machine_table(name)

    @cached_property
    def machines(self) -> dict[str, JsonObject]:
        """The rows of the machine table, by name, in its order."""
        return {} if self.machine_table is None else {row["name"]: row for row in self.machine_table.data["machines"]}

    @property
    def keys_from(self) -> tuple[str, str] | None:
        """The parameter whose machine lists the keys of this map, and the fact that lists them; None for any other parameter."""
        stated = self.declaration.get("keysFrom")
        if stated is None:
            return None
        parameter, _, fact = stated.partition(".")
        return parameter, fact

    @property
    def defaults(self) -> tuple[Any, ...]:
        """The value it has when none is given, or nothing."""
        if "default" in self.declaration:
            return (self.declaration["default"],)
        return () if self.table is None else (self.table.data["default"],)

    @property
    def flag(self) -> str:
        """The flag that gives it, with the declared example."""
        return f"--param {self.label}={as_flag(self.declaration['example']) if 'example' in self.declaration else 'VALUE'}"

    def limited(self, names: Sequence[str]) -> Parameter:
        """This name of a row with no other rows than these, the first of them as its example."""
        example = {"example": names[0]} if names and "example" not in self.declaration else {}
        return replace(self, declaration={**self.declaration, **example, "schema": {"type": "string", "enum": list(names)}})

    def keyed(self, keys: Sequence[str]) -> Parameter:
        """This map with exactly these keys, as if its schema listed them."""
        below = self.schema.get("additionalProperties", True)
        schema = {**self.schema, "properties": dict.fromkeys(keys, below), "required": list(keys), "additionalProperties": False}
        example = self.declaration.get("example", {})
        shown = {key: example.get(key, "VALUE") for key in keys}
        return replace(self, declaration={**self.declaration, "schema": schema, "example": shown})


def as_flag(value: Any) -> str:
    """Plain data as `--param` takes it."""
    match value:
        case dict():
            return ",".join(f"{key}={as_flag(item)}" for key, item in value.items())
        case list():
            return ",".join(map(as_flag, value))
        case bool():
            return "true" if value else "false"
        case _:
            return str(value)
