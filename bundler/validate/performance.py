"""Phase performance: what the logs of a job prove about the fabric, and whether that is evidence of what a recipe delivers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.bom.evidence import PROVES, EvidenceClass
from bundler.catalog.manifests import read_objects
from bundler.conform.pods import is_runtime
from bundler.errors import InvalidInput
from bundler.evidence.floor import Floor, measure
from bundler.evidence.proof import prove
from bundler.evidence.transports import Transports
from bundler.model.check import Check, Outcome, Phase
from bundler.model.finding import Finding, Severity
from bundler.model.location import Location
from bundler.validate.shipped import projection_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from bundler.catalog.catalog import Catalog
    from bundler.evidence.log import Log
    from bundler.evidence.transports import Transport
    from bundler.kube.resource import Resource
    from bundler.model.composition import Selection
    from bundler.validate.shipped import Shipped

__all__ = ["performance"]


def performance(
    catalog: Catalog, logs: Sequence[Log], shipped: Shipped | None = None, measured_on: Path | None = None
) -> Iterator[Check]:
    """Check what was measured.

    Args:
        catalog: authored data, which says what logs mean.
        logs: of the pods of one job, at least one.
        shipped: what should have been measured; None to say only what the logs show.
        measured_on: a file with the runtime that the job ran on.

    Raises:
        InvalidInput: the file holds no runtime, or an attachment names a transport that is not known.
    """
    transports = catalog.derived(Transports.of)
    if shipped is not None and not shipped.attachments:
        says = f"{shipped.label} attaches no fabric, so there is none to prove"
        for name in ("transport", "bandwidth"):
            yield Check(phase=Phase.PERFORMANCE, name=name, outcome=Outcome.SKIPPED, says=says)
        return
    selection = shipped.attachments[0] if shipped is not None else None
    transport, floor = _expected(transports, selection)
    yield prove(logs, transports, transport)
    if floor is not None and floor.transport is not None and floor.transport is not transport:
        yield prove(logs, transports, floor.transport, name=f"transport-{floor.transport.name.lower()}")
    why = "the attachment states no floor" if shipped is not None else "no recipe is named, so there is no floor"
    yield measure(logs, transports, floor, why)
    yield _evidence(catalog, logs[0].name, shipped, selection, measured_on)


def _expected(transports: Transports, selection: Selection | None) -> tuple[Transport | None, Floor | None]:
    """The transport of an attachment, or where it states none that of its floor; and the floor."""
    declared = selection.declaration if selection is not None else {}
    floor = declared.get("floor")
    names = [declared.get("transport"), (floor or {}).get("over")]
    stated = [transports.named(name) if name else None for name in names]
    transport = stated[0] or stated[1]
    return transport, Floor.of(floor, stated[1] or transport) if floor else None


def _evidence(catalog: Catalog, log: str, shipped: Shipped | None, selection: Selection | None, measured_on: Path | None) -> Check:
    """What the figures are evidence of. A log does not say what pods it is of, so that is shown, or nothing is claimed."""
    runtime = shipped.runtime_of(selection) if shipped is not None and selection is not None else None
    if shipped is None or runtime is None:
        return _capability(log, "no recipe or bundle is named", "name the bundle that was measured: --bundle DIR")
    if measured_on is None:
        reason = f"a log does not say what it was measured on, and may be of a fixture that is wired otherwise than {runtime.name}"
        return _capability(log, reason, "give the runtime or fixture that was applied: --measured-on FILE")
    measured = _runtime_in(measured_on)
    ours, theirs = projection_of(runtime, catalog), projection_of(measured, catalog)
    looked = (f"{measured.subject} in {measured_on}: {theirs}", f"{runtime.subject} of {shipped.label}: {ours}")
    if ours != theirs:
        reason = f"it was measured on {measured.name}, which is wired otherwise than {runtime.name}"
        return _capability(log, reason, f"see where: 'aicr guard {shipped.label} --fixture {measured_on}'", looked)
    stated = EvidenceClass(shipped.evidence[runtime.name])
    says = f"{stated}: {PROVES[stated]}"
    if stated is EvidenceClass.CAPABILITY:
        return _capability(log, f"the lock says of {runtime.name}: {PROVES[stated]}", "measure a runtime that is attached", looked)
    return Check(phase=Phase.PERFORMANCE, name="evidence", outcome=Outcome.PASSED, says=says, looked=looked)


def _capability(log: str, reason: str, fix: str, looked: tuple[str, ...] = ()) -> Check:
    says = f"{EvidenceClass.CAPABILITY}: what was measured says what the cluster can do, not what a bundle delivers: {reason}"
    finding = Finding(rule="AICR-E030", message=says, severity=Severity.WARNING, location=Location(file=log), fix=fix)
    return Check(
        phase=Phase.PERFORMANCE,
        name="evidence",
        outcome=Outcome.UNPROVEN,
        says=says,
        looked=looked,
        unseen=("what the job of the logs ran on",),
        findings=(finding,),
    )


def _runtime_in(path: Path) -> Resource:
    found = [resource for resource in read_objects(path) if is_runtime(resource)]
    if len(found) != 1:
        message = f"{str(path)!r} holds {len(found) or 'no'} runtimes, where the one that was measured is meant"
        raise InvalidInput("AICR-V003", message, location=Location(file="--measured-on"), fix="give a file with one runtime")
    return found[0]
