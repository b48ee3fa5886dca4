"""Layers folded into one: component by component, value by value, every assignment kept for the trace."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from bundler.compose.layer import values_pointer
from bundler.compose.merge import merge
from bundler.compose.patches import Effect, apply
from bundler.compose.targets import stands
from bundler.compose.wording import nearest
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.model.finding import Finding, Severity
from bundler.model.pointer import tokens
from bundler.model.trace import Assignment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bundler.compose.index import Index
    from bundler.compose.layer import AuthoredLayer, ComponentPart
    from bundler.model.document import JsonObject

__all__ = ["Folded", "fold", "included"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """What the authored layers add up to.

    Attributes:
        values: component → its values.
        needs: component → what it depends on → where that was first stated.
        manifests: component → its templates, in the order declared.
        assignments: in the order made.
        warnings: findings that stop nothing.
    """

    values: Mapping[str, JsonObject]
    needs: Mapping[str, Mapping[str, Assignment]]
    manifests: Mapping[str, tuple[str, ...]]
    assignments: tuple[Assignment, ...]
    warnings: tuple[Finding, ...]


def included(index: Index, layers: Sequence[AuthoredLayer]) -> dict[str, Assignment]:
    """The components of the composition, each with the layer that first included it.

    A layer includes what it names; a profile value includes only what it brings.

    Raises:
        InvalidInput: a layer names a component that the registry does not have.
    """
    found: dict[str, Assignment] = {}
    unknown: list[Finding] = []
    for layer in layers:
        for inclusion in layer.inclusions:
            name = inclusion.value
            if name not in index.components:
                fix = f"{nearest(name, index.components)}; components are registered in recipes/registry.yaml"
                message = f"component {name!r} is not in the registry ({layer.label})"
                unknown.append(Finding(rule="AICR-C012", message=message, location=inclusion.location, fix=fix))
            elif name not in found:
                found[name] = inclusion
    if unknown:
        raise InvalidInput.of(unknown)
    return found


def fold(index: Index, layers: Sequence[AuthoredLayer], components: Mapping[str, Assignment]) -> Folded:
    """Fold layers in the order given.

    Args:
        index: the prepared catalogue.
        layers: lowest first.
        components: what `included` found; layers say nothing of others.

    Raises:
        InvalidInput: a patch misses, or a later layer undoes it.
    """
    folding = _Folding(index=index, assignments=list(components.values()))
    for name in components:
        folding.add(index.components[name].ground, warn=True)
    for layer in layers:
        # A profile value writes null to say that a path it owns is absent: nothing need stand there.
        for part in layer.components:
            folding.add(part, warn=not layer.axis)
    folding.refuse_undone()
    return Folded(
        values=folding.values,
        needs=folding.needs,
        manifests={name: tuple(templates) for name, templates in folding.manifests.items()},
        assignments=tuple(folding.assignments),
        warnings=tuple(folding.warnings),
    )


@dataclass(slots=True, kw_only=True)
class _Folding:
    """The state of one fold."""

    index: Index
    assignments: list[Assignment]
    values: dict[str, JsonObject] = field(default_factory=dict)
    needs: dict[str, dict[str, Assignment]] = field(default_factory=dict)
    manifests: dict[str, dict[str, None]] = field(default_factory=dict)
    effects: list[tuple[str, str, Effect, int]] = field(default_factory=list)
    warnings: list[Finding] = field(default_factory=list)

    def add(self, part: ComponentPart, *, warn: bool) -> None:
        """Put what one layer says of one component over what was said so far."""
        name = part.name
        known = self.index.components[name]
        below = self.values.get(name, {})
        if part.values:
            if warn:
                self.warnings.extend(_idle_deletions(name, part, below))
            self.values[name] = merge(below, part.values, known.lists)
            self.assignments.extend(part.assignments)
        else:
            self.values[name] = below
        needs = self.needs.setdefault(name, {})
        for assignment in part.dependencies:
            needs.setdefault(assignment.value, assignment)
        manifests = self.manifests.setdefault(name, {})
        for assignment in part.manifests:
            manifests.setdefault(assignment.value)
        self.assignments.extend(part.dependencies)
        self.assignments.extend(part.manifests)
        if part.patches:
            self._patch(part)

    def refuse_undone(self) -> None:
        """Refuse patches of whose effect a later layer left nothing.

        A list or a map that a later layer writes whole takes the patched item with it, in silence, unless it is refused here.
        """
        undone = [
            _undone(name, layer, effect, later)
            for name, layer, effect, made in self.effects
            if not effect.holds(self.values[name])
            and (later := self._last_word(values_pointer(name) + effect.pointer, made)) is not None
        ]
        if undone:
            raise InvalidInput.of(undone)

    def _patch(self, part: ComponentPart) -> None:
        lists = self.index.components[part.name].lists
        subject = f"the values of {part.name}"
        self.values[part.name], effects = apply(self.values[part.name], part.patches, subject=subject, lists=lists)
        for effect in effects:
            self.assignments.append(
                Assignment(
                    pointer=values_pointer(part.name) + effect.pointer,
                    value=effect.value if effect.present else None,
                    action="patch",
                    layer=part.layer,
                    location=effect.operation.location,
                )
            )
        made = len(self.assignments)
        self.effects.extend((part.name, part.layer, effect, made) for effect in effects)

    def _last_word(self, pointer: str, since: int) -> Assignment | None:
        """The last assignment at, above or below a pointer, of those made after the first `since`."""
        for assignment in reversed(self.assignments[since:]):
            other = assignment.pointer
            if other == pointer or other.startswith(f"{pointer}/") or pointer.startswith(f"{other}/"):
                return assignment
        return None


def _idle_deletions(name: str, part: ComponentPart, below: JsonObject) -> Iterator[Finding]:
    root = values_pointer(name)
    for deletion in part.deletions:
        path = tokens(deletion.pointer.removeprefix(root))
        if not stands(below, path):
            yield Finding(
                rule="AICR-C013",
                message=f"null deletes nothing: no layer below {deletion.layer} sets {name}:{'.'.join(path)}",
                severity=Severity.WARNING,
                location=deletion.location,
                fix="remove the line; a chart's own default is changed by stating another value",
            )


def _undone(name: str, layer: str, effect: Effect, later: Assignment) -> Finding:
    data: Any = effect.operation.data
    message = (
        f"patch {data['op']} {data['path']} on the values of {name} by {layer} is undone by {later.layer}, "
        f"which writes {'/' + '/'.join(later.pointer.split('/')[4:])} ({later.location})"
    )
    fix = f"move the patch to {later.layer}, or write the whole value there"
    return Finding(rule="AICR-C043", message=message, location=effect.operation.location, fix=fix)
