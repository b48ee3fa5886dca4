"""How a model is split over GPUs, and whether a number of nodes can hold it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.compose.wording import plural
from bundler.model.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.certify.entries import Entry
    from bundler.model.document import JsonObject
    from bundler.model.location import Location

__all__ = ["check_parallelism", "split_of"]

_ANY = "default"


def split_of(entry: Entry, architecture: str) -> JsonObject:
    """Tensor, pipeline and expert parallelism of an entry on an architecture; 1 of each where the entry states none."""
    rows = {row["architecture"]: row for row in entry.facts.get("parallelism", ())}
    row = rows.get(architecture, rows.get(_ANY, {}))
    return {"tensor": row.get("tensor", 1), "pipeline": row.get("pipeline", 1), "expert": row.get("expert", 1)}


def check_parallelism(
    entry: Entry, options: JsonObject, *, location: Location | None = None, pointer: str = ""
) -> Iterator[Finding]:
    """Why the GPUs of one job cannot hold the model.

    Args:
        entry: what runs.
        options: resolved.
        location: where the number of nodes would be stated.
        pointer: the same, in its document.
    """
    nodes, gpus, split = options["nodesPerJob"], options["gpusPerNode"], options["parallelism"]
    total, least = nodes * gpus, entry.facts.get("minimumGPUs", 1)
    shown = f"{plural(nodes, 'node')} of {plural(gpus, 'GPU')}"
    tensor, pipeline, expert = split["tensor"], split["pipeline"], split["expert"]
    if total < least:
        yield Finding(
            rule="AICR-R006",
            message=f"{entry.key}: requires at least {plural(least, 'GPU')} (the model does not fit fewer), got {total} ({shown})",
            location=location,
            pointer=pointer,
            fix=f"set nodesPerJob to {-(-least // gpus)} or higher",
        )
    elif total % (tensor * pipeline):
        below, above = _nearest(nodes, gpus, tensor * pipeline)
        counts = " or ".join(str(count) for count in (below, above) if count)
        yield Finding(
            rule="AICR-R007",
            message=f"{entry.key}: {total} GPUs ({shown}) cannot be divided by tensor x pipeline parallelism {tensor} x {pipeline}",
            location=location,
            pointer=pointer,
            fix=f"set nodesPerJob to {counts}",
        )
    elif (total // (tensor * pipeline)) % expert:
        yield Finding(
            rule="AICR-R008",
            message=f"{entry.key}: data parallelism {total // (tensor * pipeline)} cannot be divided by "
            f"expert parallelism {expert}",
            location=location,
            pointer=pointer,
            fix="choose another number of nodes",
        )


def _nearest(nodes: int, gpus: int, product: int) -> tuple[int, int]:
    """The nearest counts of nodes below and above that can be divided; 0 below when there is none."""
    below = next((count for count in range(nodes - 1, 0, -1) if count * gpus % product == 0), 0)
    above = next(count for count in range(nodes + 1, nodes + product + 1) if count * gpus % product == 0)
    return below, above
