"""Many clusters: one after the other, or shared among processes that each read the catalogue once."""

from __future__ import annotations

import os
import signal
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING

from bundler.catalog.catalog import Catalog
from bundler.fleet.work import Task, lost, work
from bundler.model.watch import unwatched

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from bundler.fleet.cluster import Cluster
    from bundler.fleet.outcome import Outcome
    from bundler.fleet.work import Action
    from bundler.model.watch import Watch

__all__ = ["run", "workers"]

_CHUNK = 16
"""Clusters handed to a process at a time: enough that handing over costs nothing, few enough that all end together."""


def workers(clusters: int) -> int:
    """How many processes are worth their start for so many clusters, on the processors this process may use."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(usable, clusters // _CHUNK))


def run(
    catalog: Catalog,
    clusters: Sequence[Cluster],
    root: Path,
    action: Action,
    *,
    locked: bool = False,
    jobs: int,
    watch: Watch = unwatched,
) -> tuple[Outcome, ...]:
    """Do every cluster, whatever becomes of the others.

    Args:
        catalog: authored data.
        clusters: what to bundle.
        root: the directory that outputs are relative to.
        action: what to do with each bundle.
        locked: whether to refuse what is not in the catalogue's lock.
        jobs: processes at a time; with 1 all is done in this one.
        watch: sees one number for each cluster that is done.

    Returns:
        The outcomes by name of cluster: in what order they ended leaves no trace.
    """
    # The processes are started before the watcher, which may have a thread of its own.
    done = _started(catalog, _alike(clusters), Task(root=root, action=action, locked=locked), jobs)
    outcomes = [outcome for _, outcome in zip(watch(range(len(clusters))), done, strict=True)]
    return tuple(sorted(outcomes, key=lambda outcome: outcome.name))


def _alike(clusters: Sequence[Cluster]) -> list[Cluster]:
    """Clusters of one recipe side by side, since they share most of the work."""
    return sorted(
        clusters, key=lambda cluster: (cluster.request.recipe or "", sorted(cluster.request.profiles.items()), cluster.name)
    )


def _started(catalog: Catalog, clusters: Sequence[Cluster], task: Task, jobs: int) -> Iterator[Outcome]:
    if jobs == 1:
        return (work(catalog, cluster, task) for cluster in clusters)
    pool = ProcessPoolExecutor(jobs, initializer=_prepare, initargs=(catalog.data,))
    chunks = [clusters[start : start + _CHUNK] for start in range(0, len(clusters), _CHUNK)]
    return _gathered(pool, {pool.submit(_chunk, chunk, task): chunk for chunk in chunks})


def _gathered(pool: ProcessPoolExecutor, handed: dict[Future[list[Outcome]], Sequence[Cluster]]) -> Iterator[Outcome]:
    try:
        for future in as_completed(handed):
            try:
                yield from future.result()
            except BrokenProcessPool:
                yield from map(lost, handed[future])
    finally:
        pool.shutdown(cancel_futures=True)


_catalogs: list[Catalog] = []
"""The catalogue of this worker process."""


def _prepare(data: Path | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # An interrupt goes to the whole group; the first process ends the others.
    _catalogs[:] = [Catalog.load(data)]


def _chunk(clusters: Sequence[Cluster], task: Task) -> list[Outcome]:
    return [work(_catalogs[0], cluster, task) for cluster in clusters]
