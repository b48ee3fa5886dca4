"""The catalogue prepared for composing: layers read once, overlays found by criteria, components by name and alias.

One index serves every composition from its catalogue; `catalog.derived(Index.of)` keeps it.
"""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from bundler.compose.known import KnownComponent
from bundler.compose.layer import AuthoredLayer
from bundler.compose.lists import Lists
from bundler.dataclass import dataclass
from bundler.model.criteria import Criteria

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bundler.catalog.catalog import Catalog
    from bundler.model.document import Document

__all__ = ["Index"]

_Stated = frozenset[tuple[str, str]]


@dataclass(frozen=True, kw_only=True)
class Index:
    """What does not change from one composition to the next.

    Attributes:
        components: every component of the registry, by name.
    """

    catalog: Catalog = field(repr=False)
    components: Mapping[str, KnownComponent] = field(repr=False)
    _recipes: dict[str, AuthoredLayer] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, catalog: Catalog) -> Index:
        """The index of a catalogue. Documents are read when a composition first needs them."""
        components = {name: KnownComponent(entry=entry, catalog=catalog) for name, entry in catalog.registry.items()}
        return cls(catalog=catalog, components=components)

    @cached_property
    def lists(self) -> Lists:
        """How the lists of a layer's body merge, as the schema of overlays declares."""
        lists = Lists.of(self.catalog.schema("overlay"), siblings=self.catalog.siblings("overlay"))
        assert lists is not None, "the schema of overlays gives components no keys"
        return lists

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Names and aliases of components → name. A name wins over another component's alias."""
        aliases = {alias: name for name, known in self.components.items() for alias in known.entry.aliases}
        return {**aliases, **{name: name for name in self.components}}

    @cached_property
    def recipes(self) -> Mapping[str, Criteria]:
        """The criteria of every recipe, by name."""
        return {name: Criteria.of(document.data["criteria"]) for name, document in sorted(self.catalog.recipes.items())}

    @cached_property
    def base(self) -> AuthoredLayer:
        """The layer below all others."""
        return self.layer(self.catalog.base, label="base")

    @cached_property
    def overlays(self) -> Mapping[_Stated, tuple[AuthoredLayer, ...]]:
        """Stated criteria → the overlays that state exactly these, by name."""
        found: dict[_Stated, list[AuthoredLayer]] = {}
        for document in self.catalog.overlays:
            layer = self.layer(document, label=f"overlay {document.name}")
            found.setdefault(frozenset(layer.criteria.stated().items()), []).append(layer)
        return {stated: tuple(layers) for stated, layers in found.items()}

    @cached_property
    def known_criteria(self) -> Mapping[str, frozenset[str]]:
        """Dimension → every value that an overlay or a recipe names."""
        found: dict[str, set[str]] = {}
        for stated in self.overlays:
            for dimension, value in stated:
                found.setdefault(dimension, set()).add(value)
        for criteria in self.recipes.values():
            for dimension, value in criteria.stated().items():
                found.setdefault(dimension, set()).add(value)
        return {dimension: frozenset(values) for dimension, values in found.items()}

    def matching(self, criteria: Criteria) -> tuple[AuthoredLayer, ...]:
        """The overlays whose criteria cover these, by rising number of criteria, then by name."""
        stated = tuple(criteria.stated().items())
        matching: list[AuthoredLayer] = []
        for count in range(len(stated) + 1):
            rank = [layer for chosen in combinations(stated, count) for layer in self.overlays.get(frozenset(chosen), ())]
            matching.extend(sorted(rank, key=lambda layer: layer.document.name))
        return tuple(matching)

    def recipe(self, document: Document) -> AuthoredLayer:
        """A recipe as a layer; read once when it is the catalogue's."""
        known = self._recipes.get(document.name)
        if known is not None and known.document is document:
            return known
        layer = self.layer(document, label=f"recipe {document.name}")
        if document.name in self.catalog.recipes:
            self._recipes[document.name] = layer
        return layer

    def layer(self, document: Document, *, label: str, root: str = "", axis: str = "") -> AuthoredLayer:
        """A document, or a part of one, as a layer."""
        return AuthoredLayer(
            label=label, document=document, root=root, axis=axis, lists=self.lists, values_lists=self._values_lists
        )

    def _values_lists(self, component: str) -> Lists | None:
        known = self.components.get(component)
        return None if known is None else known.lists
