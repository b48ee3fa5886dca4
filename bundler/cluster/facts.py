"""What is read from a cluster (recipes/cluster/facts.yaml): the list behind snapshots, calls, permissions and their page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bundler.catalog.catalog import Catalog

__all__ = ["EACH", "Fact", "Field", "facts"]

EACH = "[]"
"""The step that stands for every item of a list."""

_ANNOTATIONS = "metadata.annotations."

Tree = dict[str, Any]
"""Step → what is kept below it; an empty tree keeps all of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field that is kept, and what for."""

    path: str
    why: str

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps from the root of an object. The key of an annotation holds dots and is one step."""
        if self.path.startswith(_ANNOTATIONS):
            return ("metadata", "annotations", self.path.removeprefix(_ANNOTATIONS))
        return tuple(step for part in self.path.split(".") for step in _steps(part))


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A resource that is listed.

    Attributes:
        resource: plural name and API group, such as `daemonsets.apps`.
        api_version: such as `apps/v1`.
        namespace: the only one that is read, or None for all.
        kept: its fields as a tree of steps.
    """

    resource: str
    api_version: str
    kind: str
    namespace: str | None
    why: str
    fields: tuple[Field, ...] = field(repr=False)
    kept: Tree = field(repr=False)

    @property
    def group(self) -> str:
        """The API group; empty for the core group."""
        return self.resource.partition(".")[2]

    @property
    def plural(self) -> str:
        """The resource's name within its group."""
        return self.resource.partition(".")[0]


def facts(catalog: Catalog) -> Mapping[str, Fact]:
    """Every resource that is read, by name, in the order in which they are asked for."""
    return catalog.derived(_read)


def _read(catalog: Catalog) -> dict[str, Fact]:
    document = catalog.document("recipes/cluster/facts.yaml", kind="ClusterFacts")
    return {item["resource"]: _fact(item) for item in document.data["resources"]}


def _fact(item: dict[str, Any]) -> Fact:
    fields = tuple(Field(path=each["path"], why=each["why"]) for each in item["fields"])
    kept: Tree = {}
    for each in fields:
        level = kept
        for step in each.steps:
            level = level.setdefault(step, {})
    return Fact(
        resource=item["resource"],
        api_version=item["apiVersion"],
        kind=item["kind"],
        namespace=item.get("namespace"),
        why=item["why"],
        fields=fields,
        kept=kept,
    )


def _steps(part: str) -> tuple[str, ...]:
    return (part.removesuffix(EACH), EACH) if part.endswith(EACH) else (part,)
