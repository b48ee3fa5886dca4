"""One authored document read as a layer: what it says of each component, each runtime and each constraint.

A layer depends on nothing but its document, so it is read once and serves every composition.
"""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bundler.compose.assignments import leaves, repeated
from bundler.compose.lists import item_key
from bundler.compose.patches import Operation
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.model.composition import Layer
from bundler.model.criteria import Criteria
from bundler.model.digest import canonical_digest
from bundler.model.pointer import child, join
from bundler.model.trace import Assignment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bundler.compose.lists import Lists
    from bundler.model.document import Document, JsonObject
    from bundler.model.location import Location

__all__ = ["AuthoredLayer", "ComponentPart", "RuntimePart", "refuse_repeated", "values_pointer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentPart:
    """What one layer says of one component.

    Attributes:
        layer: the layer's label.
        assignments: one for each leaf of the values.
        deletions: those of them that delete.
        dependencies: one assignment for each name.
        manifests: one assignment for each template.
    """

    name: str
    layer: str
    location: Location
    values: JsonObject = field(default_factory=dict)
    assignments: tuple[Assignment, ...] = ()
    deletions: tuple[Assignment, ...] = ()
    dependencies: tuple[Assignment, ...] = ()
    manifests: tuple[Assignment, ...] = ()
    patches: tuple[Operation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RuntimePart:
    """What one layer says of one runtime."""

    name: str
    location: Location
    patches: tuple[Operation, ...] = ()


@dataclass(frozen=True, kw_only=True)
class AuthoredLayer:
    """A base, an overlay, a recipe, or one value of a profile.

    Attributes:
        label: what the trace calls it.
        root: pointer of the layer's body within the document.
        axis: the profile axis, or the empty string.
        lists: how the lists of a layer's body merge.
        values_lists: component → how the lists of its values merge.
    """

    label: str
    document: Document = field(repr=False)
    lists: Lists = field(repr=False)
    values_lists: Callable[[str], Lists | None] = field(repr=False)
    root: str = ""
    axis: str = ""

    @cached_property
    def applied(self) -> Layer:
        """How a composition records that the layer was applied."""
        # A value of a profile is a layer of its own: one more value in the same file changes nothing for who did not choose it.
        digest = canonical_digest(self.body) if self.root else self.document.digest
        return Layer(label=self.label, file=self.document.file, digest=digest)

    @cached_property
    def body(self) -> JsonObject:
        """The map that holds `components`, `runtimes` and `constraints`."""
        body = self.document.data
        for step in self.root.split("/")[1:]:
            body = body[step]
        assert isinstance(body, dict)
        return body

    @cached_property
    def criteria(self) -> Criteria:
        """What the layer is for."""
        return Criteria.of(self.body.get("criteria", {}))

    @cached_property
    def components(self) -> tuple[ComponentPart, ...]:
        """What the layer says of components, in the order written."""
        return tuple(self._component(name, item, at) for name, item, at in self._items("components"))

    @cached_property
    def inclusions(self) -> tuple[Assignment, ...]:
        """The components that are in the composition because of this layer: those it names; of a profile value, those it brings."""
        brought = [(name, join(("brings", index))) for index, name in enumerate(self.body.get("brings", ()))]
        named = [] if self.axis else [(name, child(at, "name")) for name, _, at in self._items("components")]
        return tuple(self._assigned(join(("components", name)), name, "add", at) for name, at in (*brought, *named))

    @cached_property
    def runtimes(self) -> tuple[RuntimePart, ...]:
        """Runtimes that the layer ships or patches, in the order written."""
        return tuple(
            RuntimePart(name=name, location=self.locate(at), patches=self._patches(item, at))
            for name, item, at in self._items("runtimes")
        )

    def constraints(self, criteria: Criteria) -> Iterator[tuple[str, Assignment]]:
        """Constraint name and its assignment, in the order written.

        Args:
            criteria: of the recipe. What a constraint states of its own must hold for it.
        """
        return ((name, made) for of, name, made in self._constraints if of.covers(criteria))

    @cached_property
    def _constraints(self) -> tuple[tuple[Criteria, str, Assignment], ...]:
        return tuple(
            (
                Criteria.of(item.get("criteria", {})),
                name,
                self._assigned(join(("constraints", name)), item["value"], "narrow", child(at, "value")),
            )
            for name, item, at in self._items("constraints")
        )

    def locate(self, pointer: str) -> Location:
        """Where `pointer`, taken from the layer's body, was written."""
        return self.document.locate(self.root + pointer)

    def _component(self, name: str, item: JsonObject, at: str) -> ComponentPart:
        values = item.get("values", {})
        assignments = tuple(
            leaves(
                values,
                pointer=values_pointer(name),
                source=child(at, "values"),
                layer=self.label,
                locate=self.locate,
                lists=self.values_lists(name),
            )
            if values
            else ()
        )
        refuse_repeated(assignments)
        return ComponentPart(
            name=name,
            layer=self.label,
            location=self.locate(child(at, "name")),
            values=values,
            assignments=assignments,
            deletions=tuple(assignment for assignment in assignments if assignment.action == "delete"),
            dependencies=tuple(self._added(name, item, at, "dependencies")),
            manifests=tuple(self._added(name, item, at, "manifests")),
            patches=self._patches(item, at),
        )

    def _added(self, name: str, item: JsonObject, at: str, section: str) -> Iterator[Assignment]:
        for index, entry in enumerate(item.get(section, ())):
            yield self._assigned(join(("components", name, section, entry)), entry, "add", child(child(at, section), index))

    def _patches(self, item: JsonObject, at: str) -> tuple[Operation, ...]:
        return tuple(
            Operation(data=operation, location=self.locate(join_to(at, "patches", index)))
            for index, operation in enumerate(item.get("patches", ()))
        )

    def _assigned(self, pointer: str, value: Any, action: str, at: str) -> Assignment:
        return Assignment(pointer=pointer, value=value, action=action, layer=self.label, location=self.locate(at))

    def _items(self, section: str) -> Iterator[tuple[str, JsonObject, str]]:
        """Key, item and pointer of the entries of a keyed list of the body."""
        lists = self.lists.below(section)
        assert lists is not None, f"the schema of layers gives {section} no keys"
        first: dict[str, str] = {}
        for index, item in enumerate(self.body.get(section, ())):
            at = join((section, index))
            key = item_key(item, lists.keys)
            assert key is not None, "the schema requires the keys of an item"
            if key in first:
                message = f"{section} names {key!r} twice, first at {self.locate(first[key])}"
                location = self.locate(child(at, lists.keys[0]))
                raise InvalidInput("AICR-C011", message, location=location, pointer=self.root + at, fix="join the two entries")
            first[key] = child(at, lists.keys[0])
            yield key, item, at


def refuse_repeated(assignments: Iterable[Assignment]) -> None:
    """Refuse a list with keys in which one layer writes a key twice.

    Raises:
        InvalidInput: the second place, naming the first.
    """
    if pair := repeated(assignments):
        first, second = pair
        message = f"{second.pointer} is written twice, first at {first.location}"
        raise InvalidInput("AICR-C011", message, location=second.location, pointer=second.pointer, fix="join the two entries")


def values_pointer(component: str) -> str:
    """Where a component's values stand in the composed tree."""
    return join(("components", component, "values"))


def join_to(pointer: str, *steps: str | int) -> str:
    """The pointer that takes `steps` from `pointer`."""
    return pointer + join(steps)
