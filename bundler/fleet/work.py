"""One cluster of a fleet: bundled and written, or held against what is committed. Whatever goes wrong is its outcome."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING

from bundler import pipeline
from bundler.bom.locked import require_locked
from bundler.cluster.saved import read
from bundler.compose.wording import listed
from bundler.dataclass import dataclass
from bundler.detect.fill import fill
from bundler.errors import AicrError, NotFound
from bundler.exitcodes import ExitCode
from bundler.fleet.outcome import Outcome, Status
from bundler.model.finding import Finding
from bundler.publish.drift import drift
from bundler.publish.target import protected_by
from bundler.publish.write import write
from bundler.report.summary import contents, drift_count, write_done

if TYPE_CHECKING:
    from pathlib import Path

    from bundler.catalog.catalog import Catalog
    from bundler.fleet.cluster import Cluster
    from bundler.model.bundle import Bundle
    from bundler.model.request import Request

__all__ = ["Action", "Task", "bundle_of", "lost", "work"]


class Action(StrEnum):
    """What is done with each cluster."""

    WRITE = "write"
    OVERWRITE = "overwrite"
    CHECK = "check"


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What is done with every cluster of a run.

    Attributes:
        root: the directory that outputs are relative to.
        locked: whether what is not in the catalogue's lock is refused.
    """

    root: Path
    action: Action
    locked: bool = False


def work(catalog: Catalog, cluster: Cluster, task: Task) -> Outcome:
    """Do one cluster. Nothing that it raises stops the others.

    Args:
        catalog: authored data, shared by all clusters.
        cluster: what to bundle.
        task: what to do with the bundle.
    """
    failed = _failed(cluster)
    try:
        bundle = bundle_of(catalog, cluster)
        if task.locked:
            require_locked(bundle, catalog)
        if task.action is Action.CHECK:
            done = _check(bundle, task.root / cluster.output, failed)
        else:
            done = _write(catalog, bundle, task, failed)
        return replace(done, findings=(*bundle.warnings, *done.findings))
    except AicrError as error:
        first = error.findings[0]
        return replace(failed, note=f"{first.rule}: {first.message}", exit_code=error.exit_code, findings=error.findings)
    except Exception as error:  # noqa: BLE001  (a defect met with one cluster is told of that cluster, and the others go on)
        return _defect(failed, f"internal error: {type(error).__name__}: {error}")


def lost(cluster: Cluster) -> Outcome:
    """The outcome of a cluster whose process ended before it told one."""
    return _defect(_failed(cluster), "the process that worked on it ended, perhaps for want of memory")


def _failed(cluster: Cluster) -> Outcome:
    return Outcome(name=cluster.name, output=cluster.output, status=Status.FAILED, location=cluster.location)


def _defect(failed: Outcome, message: str) -> Outcome:
    fix = f"run aicr fleet bundle --only {failed.name} --jobs 1, and report what it prints"
    finding = Finding(rule="AICR-L008", message=f"cluster {failed.name!r}: {message}", location=failed.location, fix=fix)
    return replace(failed, note=message, exit_code=ExitCode.INTERNAL, findings=(finding,))


def bundle_of(catalog: Catalog, cluster: Cluster) -> Bundle:
    """The bundle of one cluster, with what its snapshots said among its warnings.

    Raises:
        AicrError: as `bundler.pipeline.bundle`, or a file of the cluster cannot be used.
    """
    request, said = _filled(catalog, cluster)
    bundle = pipeline.bundle(catalog, request)
    return replace(bundle, warnings=(*said, *bundle.warnings)) if said else bundle


def _filled(catalog: Catalog, cluster: Cluster) -> tuple[Request, tuple[Finding, ...]]:
    """The request with what stands in files, and with what its snapshots prove."""
    request = cluster.request
    if cluster.recipe_file is not None:
        document = catalog.open(cluster.recipe_file, kinds=("Recipe",))
        request = replace(request, document=document, origins={**request.origins, "/recipe": document.locate("")})
    if cluster.certification_file is not None:
        request = replace(request, certification=catalog.open(cluster.certification_file, kinds=("Certification",)))
    if not cluster.snapshots:
        return request, ()
    filled = fill(catalog, request, read(cluster.snapshots, catalog))
    return filled.request, filled.findings


def _write(catalog: Catalog, bundle: Bundle, task: Task, failed: Outcome) -> Outcome:
    report = write(bundle, task.root / failed.output, force=task.action is Action.OVERWRITE, protected=protected_by(catalog))
    status = Status.WRITTEN if report.written else Status.UNCHANGED
    return replace(failed, status=status, note=f"{contents(bundle)}; {write_done(report)}")


def _check(bundle: Bundle, directory: Path, failed: Outcome) -> Outcome:
    try:
        changes = drift(bundle, directory)
    except NotFound:
        # The fleet names the directory, not the user: a cluster that was added and not bundled has drifted.
        note, message = "not there", f"{failed.output!r} is not there, and its recipe renders to {contents(bundle)}"
    else:
        if not changes:
            return replace(failed, status=Status.CURRENT, note=contents(bundle))
        note = drift_count(changes)
        shown = listed(str(change) for change in changes)
        message = f"{failed.output!r} is not what its recipe renders to: {note} ({shown})"
    finding = Finding(
        rule="AICR-U020",
        message=message,
        location=failed.location,
        fix=f"run aicr fleet bundle --only {failed.name} with the same fleet files",
    )
    return replace(failed, status=Status.DRIFTED, note=note, exit_code=ExitCode.FOUND, findings=(finding,))
