"""A fixture and the runtime that it measures, as the packaged data renders them, to be changed one field at a time."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from bundler import pipeline
from bundler.catalog.catalog import Catalog
from bundler.conform.context import Context
from bundler.guard.contract import Contract
from bundler.guard.guard import Pair, hold, pairs
from bundler.guard.side import Role
from bundler.model.location import Location
from bundler.model.request import Scheduling
from bundler.profiles.trials import trials
from bundler.render.render import render_resources

FILES = {Role.RUNTIME: "runtime.yaml", Role.FIXTURE: "fixture.yaml"}
PLACED = Scheduling(
    node_selector={"pool": "gpu", "zone": "a"},
    tolerations=({"key": "nvidia.com/gpu", "operator": "Exists"}, {"key": "dedicated", "operator": "Equal", "value": "train"}),
)


class Somewhere(dict):
    """Positions of a file in which every pointer has one line."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self.file = file

    def __contains__(self, pointer: object) -> bool:
        return True

    def get(self, pointer: str, default: Any = None) -> Location:
        return Location(file=self.file, line=1, column=1)


@dataclass(frozen=True)
class Case:
    """A pair with the context of its composition."""

    pair: Pair
    context: Context
    contract: Contract

    def data(self, role: Role) -> dict[str, Any]:
        """A copy of one side to change."""
        return copy.deepcopy(self.resource(role).data)

    def resource(self, role: Role):
        return self.pair.runtime if role is Role.RUNTIME else self.pair.fixture

    def pod(self, role: Role) -> str:
        """Pointer of the pod template that is compared."""
        jobs = self.resource(role).data["spec"]["template"]["spec"]["replicatedJobs"]
        index = next(number for number, job in enumerate(jobs) if job["name"] == "node")
        return f"/spec/template/spec/replicatedJobs/{index}/template/spec/template"

    def held(self, contract: Contract | None = None, **changed: dict[str, Any]):
        """The verdict, with `runtime` and `fixture` in the place of the two."""
        sides = {}
        for role in Role:
            resource = self.resource(role)
            data = changed.get(str(role), resource.data)
            sides[str(role)] = replace(resource, data=data, template=FILES[role], positions=Somewhere(FILES[role]))
        return hold(replace(self.pair, **sides), contract or self.contract, self.context)


@cache
def catalog() -> Catalog:
    return Catalog.load()


@cache
def case(fixture: str) -> Case:
    """The first pair that the packaged recipes have with a fixture of this name, placed on some nodes."""
    for recipe in catalog().recipes.values():
        for request in trials(catalog(), recipe):
            composition = pipeline.compose(catalog(), replace(request, accelerated=PLACED))
            if any(each.name == fixture for each in composition.fixtures):
                resources = render_resources(catalog(), composition)
                (pair,) = pairs(resources, composition)
                return Case(
                    pair=pair,
                    context=Context.of(resources, composition, catalog()),
                    contract=catalog().derived(Contract.of),
                )
    raise LookupError(fixture)


FIXTURES = sorted(
    name.removeprefix("validators/").removesuffix(".yaml.j2")
    for name in catalog().templates
    if name.startswith("validators/") and not name.startswith("validators/_")
)
TCPXO = "nccl-all-reduce-tcpxo"
