"""Clusters and what became of them, for a person and for a program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.report.table import table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bundler.fleet.cluster import Cluster
    from bundler.fleet.outcome import Outcome
    from bundler.model.document import JsonObject

__all__ = ["cluster_data", "clusters_table", "outcomes_table"]


def cluster_data(cluster: Cluster) -> JsonObject:
    """What a cluster is, as stated: what its recipe leaves open is chosen when it is bundled."""
    stated: JsonObject = {
        "name": cluster.name,
        "recipe": _recipe(cluster),
        "profiles": dict(cluster.request.profiles),
        "output": cluster.output,
    }
    if cluster.request.machine_type is not None:
        stated["machineType"] = cluster.request.machine_type
    return stated


def clusters_table(clusters: Iterable[Cluster]) -> str:
    """A line for each cluster."""
    return table(
        ("name", "recipe", "profiles", "output"),
        [
            (
                cluster.name,
                _recipe(cluster),
                ",".join(f"{axis}={value}" for axis, value in sorted(cluster.request.profiles.items())),
                cluster.output,
            )
            for cluster in clusters
        ],
    )


def outcomes_table(outcomes: Iterable[Outcome]) -> str:
    """A line for each cluster: how it ended, and what was done or found."""
    return table(
        ("status", "name", "output", "note"),
        [(outcome.status.value, outcome.name, outcome.output, outcome.note) for outcome in outcomes],
    )


def _recipe(cluster: Cluster) -> str:
    if cluster.recipe_file is not None:
        return str(cluster.recipe_file)
    return cluster.request.recipe or ",".join(f"{name}={value}" for name, value in cluster.request.criteria.stated().items())
