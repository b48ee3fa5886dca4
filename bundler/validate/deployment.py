"""Phase deployment: what a snapshot shows of a bundle that was applied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.validate.capabilities import fabric_used
from bundler.validate.deployed import runtimes_equal, trainer_present
from bundler.validate.networks import networks_ready, networks_usable, pod_networks
from bundler.validate.nodes import resources_allocatable, target_nodes
from bundler.validate.plugin import plugin_installed
from bundler.validate.scheduling import nodes_schedulable, schedulable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.catalog.catalog import Catalog
    from bundler.model.check import Check
    from bundler.model.snapshot import Snapshot
    from bundler.validate.shipped import Shipped

__all__ = ["deployment"]


def deployment(catalog: Catalog, snapshot: Snapshot, shipped: Shipped) -> Iterator[Check]:
    """Check what is deployed against what ships.

    Args:
        catalog: authored data.
        snapshot: of the cluster.
        shipped: what should be there.
    """
    yield trainer_present(catalog, snapshot, shipped)
    yield from runtimes_equal(snapshot, shipped, catalog)
    for selection in shipped.attachments:
        runtime = shipped.runtime_of(selection)
        if runtime is not None:
            known = target_nodes(snapshot, runtime)
            yield nodes_schedulable(catalog, snapshot, runtime, known, shipped.composition.criteria.service or "")
            nodes = schedulable(known, runtime)
            networks = pod_networks(runtime, selection)
            yield networks_ready(snapshot, networks)
            yield networks_usable(snapshot, networks, nodes)
            yield resources_allocatable(snapshot, runtime, nodes)
            yield plugin_installed(catalog, snapshot, selection, nodes)
    yield fabric_used(catalog, snapshot, shipped)
