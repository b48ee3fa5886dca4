"""Conditions of overrides that name what no node ever is: the override would be left out without a word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.catalog.store import nearest
from bundler.detect.gpus import architecture_of
from bundler.detect.platforms import platforms
from bundler.model.finding import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bundler.catalog.catalog import Catalog
    from bundler.model.document import JsonObject
    from bundler.model.location import Location

__all__ = ["never_holding"]

_KIND = "TrainJob"


def never_holding(catalog: Catalog, overrides: Iterable[tuple[int, JsonObject, Location | None]]) -> Iterator[Finding]:
    """Every name in a condition that nothing has. An architecture is asked for its form alone: the table need not have it.

    Args:
        catalog: has the platforms.
        overrides: index, override, and where it was written.
    """
    known = platforms(catalog)
    for index, override, location in overrides:
        when = override["when"]

        def found(what: str, fix: str, at: Location | None = location, number: int = index) -> Finding:
            message = f"override[{number}] asks for {what}"
            return Finding(rule="AICR-R031", message=message, severity=Severity.WARNING, location=at, fix=fix)

        for name in _named(when.get("platform", {})):
            if name not in known:
                yield found(f"platform {name!r}, which no node is ever on", nearest(name, known))
        for name in _named(when.get("gpuArchitecture", {})):
            if (read := architecture_of(name)) != name:
                yield found(f"GPU architecture {name!r}, and none is ever written so", f"write {read!r}")
        if (kind := when.get("workloadKind", _KIND)) != _KIND:
            yield found(f"a workload of kind {kind!r}, and every workload is a {_KIND}", f"write {_KIND}, or leave it out")


def _named(condition: JsonObject) -> Iterator[str]:
    if "equals" in condition:
        yield condition["equals"]
    yield from condition.get("in", ())
    yield from condition.get("notIn", ())
