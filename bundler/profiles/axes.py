"""Profile declarations as typed values: an axis and its values. Read once, used by every composition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING

from bundler.compose.index import Index
from bundler.compose.wording import pairs
from bundler.dataclass import dataclass
from bundler.model.pointer import join
from bundler.profiles.inputs import Parameter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.catalog.catalog import Catalog
    from bundler.compose.layer import AuthoredLayer
    from bundler.model.criteria import Criteria
    from bundler.model.document import Document, JsonObject
    from bundler.model.location import Location
    from bundler.model.trace import Assignment

__all__ = ["Axes", "Axis", "AxisValue"]


@dataclass(frozen=True, kw_only=True)
class AxisValue:
    """One value of an axis.

    Attributes:
        layer: the value's declaration as a layer.
    """

    axis: str
    name: str
    layer: AuthoredLayer = field(repr=False)
    catalog: Catalog = field(repr=False)

    @property
    def declaration(self) -> JsonObject:
        """As authored."""
        return self.layer.body

    @property
    def description(self) -> str:
        """What choosing it means, without the full stop."""
        return str(self.declaration["description"]).removesuffix(".")

    @property
    def location(self) -> Location:
        """Where it is declared."""
        return self.layer.locate("")

    @property
    def flag(self) -> str:
        """The flag that chooses it."""
        return f"--profile {self.axis}={self.name}"

    @property
    def fits(self) -> Mapping[str, tuple[str, ...]]:
        """Dimension → the values it applies to; empty when it applies everywhere."""
        criteria = self.declaration.get("appliesTo", {}).get("criteria", {})
        return {dimension: tuple(values) for dimension, values in criteria.items()}

    def misfits(self, criteria: Criteria) -> dict[str, str | None]:
        """The dimensions of a recipe to which the value does not apply."""
        return {
            dimension: value for dimension, accepted in self.fits.items() if (value := getattr(criteria, dimension)) not in accepted
        }

    @property
    def fits_in_words(self) -> str:
        """What it applies to, for a message."""
        return pairs({dimension: " or ".join(values) for dimension, values in self.fits.items()})

    @cached_property
    def brings(self) -> frozenset[str]:
        """Components included only with this value."""
        return frozenset(inclusion.value for inclusion in self.layer.inclusions)

    @cached_property
    def assigned(self) -> Mapping[str, Assignment]:
        """Pointer into the composed tree → what this value writes there."""
        return {made.pointer: made for part in self.layer.components for made in part.assignments}

    @cached_property
    def lasting(self) -> frozenset[str]:
        """The pointers it writes into components that are there whatever is chosen."""
        kept = [part for part in self.layer.components if part.name not in self.brings]
        return frozenset(made.pointer for part in kept for made in part.assignments)

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """Its parameters, by name, in the order declared."""
        return {
            name: Parameter(
                label=f"{self.axis}.{name}",
                declaration=declaration,
                location=self.layer.locate(join(("parameters", name))),
                catalog=self.catalog,
            )
            for name, declaration in self.declaration.get("parameters", {}).items()
        }


@dataclass(frozen=True, kw_only=True)
class Axis:
    """A choice that a recipe leaves to its user."""

    name: str
    document: Document = field(repr=False)
    index: Index = field(repr=False)

    @cached_property
    def values(self) -> Mapping[str, AxisValue]:
        """Its values, by name, in the order declared."""
        return {name: self._value(name) for name in self.document.data["values"]}

    @cached_property
    def owned(self) -> frozenset[str]:
        """The pointers that every value writes and nobody else may change."""
        return frozenset().union(*(value.lasting for value in self.values.values()))

    def _value(self, name: str) -> AxisValue:
        root = join(("values", name))
        layer = self.index.layer(self.document, label=f"profile {self.name}={name}", root=root, axis=self.name)
        return AxisValue(axis=self.name, name=name, layer=layer, catalog=self.index.catalog)


@dataclass(frozen=True, kw_only=True)
class Axes(Mapping[str, Axis]):
    """All axes of a catalogue, by name; `catalog.derived(Axes.of)` keeps them."""

    index: Index = field(repr=False)
    _read: dict[str, Axis] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, catalog: Catalog) -> Axes:
        """The axes of a catalogue; each is read when it is asked for."""
        return cls(index=catalog.derived(Index.of))

    def __getitem__(self, name: str) -> Axis:
        if name not in self._read:
            self._read[name] = Axis(name=name, document=self.index.catalog.profiles[name], index=self.index)
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.index.catalog.profiles)

    def __len__(self) -> int:
        return len(self.index.catalog.profiles)
