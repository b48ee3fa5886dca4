"""What the README of a bundle says of the certification that it carries, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.guard.contract import Owner
from bundler.model.pointer import tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bundler.catalog.catalog import Catalog
    from bundler.certify.carried import Carried
    from bundler.kube.resource import Resource
    from bundler.model.composition import Composition
    from bundler.model.document import JsonObject

__all__ = ["certification"]

_CONTROLLER = "nvcre"


def certification(
    carried: Carried, composition: Composition, objects: Sequence[tuple[str, Resource]], catalog: Catalog
) -> JsonObject:
    """The certification, its tests, those that are left out, and what the tests do otherwise than the runtime.

    Args:
        carried: the certification.
        composition: says whether the bundle installs the controller.
        objects: path of each object's file, and the object.
        catalog: has the contract.
    """
    from bundler.certify.contract import own_lines  # noqa: PLC0415  (whoever carries a certification has it already)

    paths = {id(resource): path for path, resource in objects}
    reasons: dict[str, list[str]] = {}
    for one in carried.left_out:
        reasons.setdefault(one.reason, []).append(f"`{one.entry.key}`")
    own: dict[str, list[str]] = {}
    for line in own_lines(catalog, carried.fit, shared=False):
        if line.owner is Owner.BENCHMARK:
            own.setdefault(line.reason, []).append(f"`{tokens(line.path)[-1]}`")
    return {
        "path": paths[id(carried.certification)],
        "name": carried.certification.name,
        "platform": carried.fit.site.platform,
        "architecture": carried.fit.site.architecture,
        "controller": composition.component(_CONTROLLER) is not None,
        "tests": [
            {
                "entry": test.entry.key,
                "description": test.entry.facts["metadata"]["description"],
                "path": paths[id(test.workflow)],
                "privileged": _privileged(test.workflow.data),
            }
            for test in carried.tests
        ],
        "leftOut": [{"entries": ", ".join(entries), "reason": reason} for reason, entries in reasons.items()],
        "differences": [{"fields": ", ".join(dict.fromkeys(fields)), "reason": reason} for reason, fields in own.items()],
    }


def _privileged(data: JsonObject | list[JsonObject]) -> bool:
    """Whether any container is privileged, which is root on its node."""
    if isinstance(data, dict):
        return data.get("privileged") is True or any(_privileged(one) for one in data.values() if isinstance(one, dict | list))
    return any(_privileged(one) for one in data if isinstance(one, dict | list))
