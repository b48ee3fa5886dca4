"""What is read from a cluster (recipes/cluster/facts.yaml): the list behind snapshots, calls, permissions and their page."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from bundler.dataclass import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bundler.catalog.catalog import Catalog
    from bundler.model.document import JsonObject

__all__ = ["EACH", "Fact", "Field", "facts"]

EACH = "[]"
"""The step that stands for every item of a list."""

_ANNOTATIONS = "metadata.annotations."
_PLUGINS = ("plugin", "pluginArm64")

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
        images: last path segments of images, one of which an object must have in a container to be kept; None keeps every object.
        kept: its fields as a tree of steps, which is sorted.
    """

    resource: str
    api_version: str
    kind: str
    namespace: str | None
    images: frozenset[str] | None = None
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

    def keeps(self, data: JsonObject) -> bool:
        """Whether an object, cut down to its fields, has something to say: of pods and Deployments only some do."""
        return self.images is None or not self.images.isdisjoint(self.named(data))

    def named(self, data: JsonObject) -> frozenset[str]:
        """Last path segments of the images that a pod runs, or the pods of a template."""
        spec = data.get("spec", {})
        return frozenset(_image_names(spec.get("template", {}).get("spec", spec)))


def facts(catalog: Catalog) -> Mapping[str, Fact]:
    """Every resource that is read, by name, in the order in which they are asked for."""
    return catalog.derived(_read)


def _read(catalog: Catalog) -> dict[str, Fact]:
    document = catalog.document("recipes/cluster/facts.yaml", kind="ClusterFacts")
    plugins = _plugins(catalog)
    return {item["resource"]: _fact(item, plugins) for item in document.data["resources"]}


def _plugins(catalog: Catalog) -> frozenset[str]:
    """Last path segments of the images that install a plugin: a mirror keeps them."""
    tables = (catalog.release_table(name).data for name in catalog.store.named("bom/releases", ".yaml"))
    rows = (row[part] for table in tables for row in table["releases"] for part in _PLUGINS if part in row)
    return frozenset(row["repository"].rpartition("/")[2] for row in rows)


def _image_names(spec: JsonObject) -> Iterator[str]:
    for part in ("initContainers", "containers"):
        for container in spec.get(part, ()):
            yield str(container.get("image", "")).partition("@")[0].rpartition("/")[2].partition(":")[0]


def _fact(item: dict[str, Any], plugins: frozenset[str]) -> Fact:
    fields = tuple(Field(path=each["path"], why=each["why"]) for each in item["fields"])
    kept: Tree = {}
    for each in fields:
        level = kept
        for step in each.steps:
            level = level.setdefault(step, {})
    kept = _sorted(kept)
    return Fact(
        resource=item["resource"],
        api_version=item["apiVersion"],
        kind=item["kind"],
        namespace=item.get("namespace"),
        images=plugins if item.get("installers") else frozenset(item["images"]) if "images" in item else None,
        why=item["why"],
        fields=fields,
        kept=kept,
    )


def _sorted(tree: Tree) -> Tree:
    return {step: _sorted(tree[step]) for step in sorted(tree)}


def _steps(part: str) -> tuple[str, ...]:
    return (part.removesuffix(EACH), EACH) if part.endswith(EACH) else (part,)
