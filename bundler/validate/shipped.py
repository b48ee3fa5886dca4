"""What is validated against: what a recipe with its choices renders to, or what stands in a bundle."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from bundler import pipeline
from bundler.audit.verification import verify
from bundler.bom.evidence import evidence_class, trainer
from bundler.catalog.manifests import read_objects
from bundler.conform.pods import is_runtime
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.guard.contract import Contract
from bundler.guard.digest import projection_digest
from bundler.guard.projection import project
from bundler.guard.side import Role, Side
from bundler.model.finding import Severity
from bundler.publish.recipe_file import read_request
from bundler.render.render import render_resources

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bundler.catalog.catalog import Catalog
    from bundler.kube.resource import Resource
    from bundler.model.composition import Composition, Selection
    from bundler.model.document import JsonObject
    from bundler.model.request import Request

__all__ = ["Shipped", "projection_of"]

_OBJECTS = ("runtimes/*.yaml", "validators/*.yaml", "components/*/manifests/*.yaml", "components/*/templates/*.yaml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shipped:
    """A recipe's delivery.

    Attributes:
        label: what messages call it: the recipe's name, or the bundle's directory.
        resources: every object of it.
        evidence: runtime → the class of a measurement on it, as the lock has it.
        trainer: whether the controller is delivered, and what a validator does when it is present or missing.
    """

    label: str
    composition: Composition = field(repr=False)
    resources: tuple[Resource, ...] = field(repr=False)
    evidence: Mapping[str, str] = field(repr=False)
    trainer: JsonObject = field(repr=False)

    @classmethod
    def of_request(cls, catalog: Catalog, request: Request) -> Shipped:
        """What a request renders to.

        Raises:
            InvalidInput: it cannot be composed or rendered.
        """
        composition = pipeline.compose(catalog, request)
        return cls(
            label=composition.recipe,
            composition=composition,
            resources=tuple(render_resources(catalog, composition)),
            evidence={one.name: str(evidence_class(one, composition)) for one in composition.runtimes},
            trainer=trainer(composition),
        )

    @classmethod
    def of_bundle(cls, catalog: Catalog, directory: Path) -> Shipped:
        """What stands in a bundle, which has to be whole and true to its lock.

        Raises:
            NotFound: there is no such directory.
            InvalidInput: it is no bundle, or not what its lock says.
        """
        found = verify(directory, catalog, render=False)
        if errors := [finding for finding in found.findings if finding.severity is Severity.ERROR]:
            raise InvalidInput.of(errors)
        document = catalog.open(directory / "recipe.yaml", kinds=("BundleRecipe",))
        paths = [path for pattern in _OBJECTS for path in sorted(directory.glob(pattern))]
        return cls(
            label=str(directory),
            composition=pipeline.compose(catalog, read_request(document)),
            resources=tuple(resource for path in paths for resource in read_objects(path)),
            evidence={one["name"]: one["evidence"] for one in found.lock["runtimes"]},
            trainer=found.lock["trainer"],
        )

    @property
    def attachments(self) -> tuple[Selection, ...]:
        """The selections that ship a runtime which reaches a fabric."""
        return tuple(one for one in self.composition.selections if "runtimes" in one.declaration)

    @property
    def runtimes(self) -> tuple[Resource, ...]:
        """The runtimes that jobs name; fixtures are none."""
        names = {runtime.name for runtime in self.composition.runtimes}
        return tuple(resource for resource in self.resources if is_runtime(resource) and resource.name in names)

    def runtime_of(self, selection: Selection) -> Resource | None:
        """The runtime that a selection ships."""
        names = {runtime.name for runtime in self.composition.runtimes if runtime.axis == selection.axis}
        return next((resource for resource in self.runtimes if resource.name in names), None)


def projection_of(resource: Resource, catalog: Catalog) -> str:
    """The digest of what of a runtime bears the fabric.

    Raises:
        InvalidInput: it has no pods that train.
    """
    return projection_digest(project(Side.of(resource, Role.RUNTIME), catalog.derived(Contract.of)))
