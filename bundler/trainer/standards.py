"""What the rules need to know besides the objects: schemas and facts of a catalogue, for one version of Kubeflow Trainer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.conform.context import Context
from bundler.conform.runtimes import TRAINER
from bundler.model.composition import Component, Composition
from bundler.model.criteria import Criteria
from bundler.model.trace import Trace

if TYPE_CHECKING:
    from bundler.catalog.catalog import Catalog
    from bundler.kube.resource import Resource
    from bundler.model.document import JsonObject
    from bundler.trainer.versions import TrainerVersion

__all__ = ["TRAINER", "context_of", "trainjob_schema"]


def context_of(catalog: Catalog, version: TrainerVersion, resources: tuple[Resource, ...] = ()) -> Context:
    """The context of objects that belong to no bundle; `resources` are all that is known beside each of them."""
    trainer = Component(name=TRAINER, version=version.schemas, namespace="", chart=None, values={})
    composition = Composition(
        recipe="",
        criteria=Criteria(),
        layers=(),
        components=(trainer,),
        runtimes=(),
        constraints=(),
        selections=(),
        trace=Trace(assignments={}),
        allow_unpinned=True,
    )
    return Context.of(resources, composition, catalog)


def trainjob_schema(catalog: Catalog, version: TrainerVersion) -> JsonObject:
    """The schema of TrainJob."""
    return catalog.schema(f"kube/trainer-{version.schemas}/trainjob")
