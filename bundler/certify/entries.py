"""The entries of the catalogue: which tests there are, and which overlays change them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from bundler.catalog.store import nearest
from bundler.certify.images import tagged
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.model.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bundler.catalog.catalog import Catalog
    from bundler.model.document import Document, JsonObject
    from bundler.model.location import Location

__all__ = ["RUN_TEMPLATE", "Entry", "Overlay", "entries", "overlays", "require_entry"]

RUN_TEMPLATE = "certification/run.yaml.j2"
"""Renders workloads of the user's own, which the catalogue does not list."""

_TABLES = frozenset({"recipes/certification/platforms.yaml", "recipes/certification/gpu-defaults.yaml"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One test.

    Attributes:
        name: what its objects are named for: the variant, or a WorkloadRun's name.
        family: the kind of workload, by which overlays choose it.
        template: renders its Workflow's spec.
        image: a reference.
        facts: the whole document.
        location: where it is declared; None for a workload of the user's own.
    """

    domain: str
    variant: str
    name: str
    family: str
    template: str
    image: str
    facts: JsonObject
    location: Location | None = None

    @property
    def key(self) -> str:
        """`domain/variant`."""
        return f"{self.domain}/{self.variant}"

    @property
    def one_node(self) -> bool:
        """Whether a job is one node, however many the certification has."""
        return bool(self.facts.get("oneNode", False))

    @property
    def attached(self) -> bool:
        """Whether it uses anything of the fabric."""
        return bool(self.facts.get("attached", True))

    @property
    def images(self) -> tuple[str, ...]:
        """Images that it names in `bom/images.yaml`."""
        return (self.facts["image"],) if "image" in self.facts else ()

    def variables(self) -> dict[str, Any]:
        """What templates see of it."""
        return {
            "domain": self.domain,
            "variant": self.variant,
            "name": self.name,
            "family": self.family,
            "image": self.image,
            "runtime": f"{self.name}-runtime",
            "measurement": self.facts.get("measurement", {}),
            "settings": self.facts.get("settings", {}),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlay:
    """One change by platform and GPU architecture.

    Attributes:
        options: resolved options that it asks for beside `when`.
        entries: variants it is for; empty for all of its families.
    """

    name: str
    order: int
    when: JsonObject
    options: JsonObject
    families: frozenset[str]
    entries: frozenset[str]
    template: str
    document: Document

    def concerns(self, entry: Entry, options: Mapping[str, Any]) -> bool:
        """Whether it is among the overrides of an entry, whatever the platform."""
        return (
            entry.family in self.families
            and (not self.entries or entry.variant in self.entries)
            and all(options.get(name) == value for name, value in self.options.items())
        )


def entries(catalog: Catalog) -> Mapping[str, Entry]:
    """`domain/variant` → entry, sorted."""
    return catalog.derived(_entries)


def require_entry(catalog: Catalog, domain: str, variant: str, *, location: Location | None = None, pointer: str = "") -> Entry:
    """The entry of a category.

    Raises:
        InvalidInput: the catalogue does not have it.
    """
    known = entries(catalog)
    key = f"{domain}/{variant}"
    if key not in known:
        message = f"unknown certification category: {key}"
        raise InvalidInput("AICR-R001", message, location=location, pointer=pointer, fix=nearest(key, known))
    return known[key]


def overlays(catalog: Catalog) -> tuple[Overlay, ...]:
    """All overlays, in their order.

    Raises:
        InvalidInput: two have one place.
    """
    return catalog.derived(_overlays)


def _entries(catalog: Catalog) -> dict[str, Entry]:
    found = {}
    for path in catalog.store.named("recipes/certification", ".yaml", deep=True).values():
        if path not in _TABLES:
            document = catalog.document(path, kind="CertificationEntry")
            data = document.data
            image = tagged(catalog, data["image"], location=document.locate("/image")) if "image" in data else ""
            entry = Entry(
                domain=data["domain"],
                variant=document.name,
                name=document.name,
                family=data["family"],
                template=data["template"],
                image=image,
                facts=data,
                location=document.locate("/template"),
            )
            found[entry.key] = entry
    return dict(sorted(found.items()))


def _overlays(catalog: Catalog) -> tuple[Overlay, ...]:
    paths = catalog.store.named("overlays/certification", ".yaml", deep=True).values()
    found = sorted((_overlay(catalog.document(path, kind="CertificationOverlay")) for path in paths), key=lambda each: each.order)
    if findings := list(_sharing_a_place(found)):
        raise InvalidInput.of(findings)
    return tuple(found)


def _overlay(document: Document) -> Overlay:
    data = document.data
    return Overlay(
        name=document.name,
        order=data["order"],
        when=data["when"],
        options=data.get("options", {}),
        families=frozenset(data["families"]),
        entries=frozenset(data.get("entries", ())),
        template=data["template"],
        document=document,
    )


def _sharing_a_place(ordered: list[Overlay]) -> Iterator[Finding]:
    for first, second in pairwise(ordered):
        if first.order == second.order:
            yield Finding(
                rule="AICR-R022",
                message=f"certification overlays {first.name!r} and {second.name!r} both have the order {first.order}",
                location=second.document.locate("/order"),
                pointer="/order",
                fix="give one of them another order: a later overlay is laid over an earlier one",
            )
