"""The live API → Snapshot. Only lists of the resources of recipes/cluster/facts.yaml are asked for, and the server's version."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.cluster.facts import facts
from bundler.cluster.trimming import Trimmer, TrimmingError
from bundler.cluster.uniting import Uniting
from bundler.model.snapshot import Gap, GapReason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bundler.catalog.catalog import Catalog
    from bundler.cluster.api import Answer, Api
    from bundler.cluster.facts import Fact
    from bundler.model.document import JsonObject
    from bundler.model.snapshot import Snapshot

__all__ = ["list_path", "take"]

PAGE = 500
_RESTARTS = 3
_LARGEST = 1 << 62
"""Answers of the server have no aliases, so nothing in them expands."""

_REASONS = {403: GapReason.FORBIDDEN, 404: GapReason.ABSENT}
_GONE = 410
_OK = 200


def take(
    api: Api, catalog: Catalog, source: str, progress: Callable[[str, int], None] = lambda _resource, _count: None
) -> Snapshot:
    """What the cluster says now.

    A resource that may not be read, is not served or cannot be read whole is a gap; the others are read all the same.

    Args:
        api: the connection.
        catalog: says which resources and fields are read.
        source: what the snapshot names as its source.
        progress: called with each resource and the number of its objects so far.

    Raises:
        Unavailable: the server cannot be reached or does not accept the credentials.
        TimedOut: the time is over.
    """
    known = facts(catalog)
    uniting = Uniting(known)
    uniting.source(source)
    version = api.get("/version")
    if isinstance(git := version.data.get("gitVersion"), str) and version.status == _OK:
        uniting.version(git, source)
    for fact in known.values():
        _read(api, fact, uniting, source, progress)
    return uniting.snapshot()


def list_path(fact: Fact) -> str:
    """The path below which a resource is listed."""
    root = f"/apis/{fact.api_version}" if "/" in fact.api_version else f"/api/{fact.api_version}"
    return f"{root}/namespaces/{fact.namespace}/{fact.plural}" if fact.namespace else f"{root}/{fact.plural}"


def _read(api: Api, fact: Fact, uniting: Uniting, source: str, progress: Callable[[str, int], None]) -> None:
    trimmer = Trimmer(_LARGEST)
    message = ""
    for _ in range(_RESTARTS):
        objects: list[JsonObject] = []
        try:
            for page in _pages(api, list_path(fact)):
                if page.status == _GONE:
                    break
                if page.status != _OK:
                    reason = _REASONS.get(page.status, GapReason.UNAVAILABLE)
                    absent = f"the cluster does not serve {fact.api_version}"
                    message = absent if reason is GapReason.ABSENT else page.message
                    uniting.gap(Gap(resource=fact.resource, reason=reason, message=message))
                    return
                objects += [trimmer.trim(item, fact) for item in page.data["items"]]
                progress(fact.resource, len(objects))
            else:
                uniting.read(fact)
                for data in objects:
                    uniting.add(fact, data, source)
                return
            message = "the list changed while it was read"
        except (KeyError, TypeError, AttributeError, TrimmingError) as error:
            message = f"the answer is no list of objects: {error}"
            break
    uniting.gap(Gap(resource=fact.resource, reason=GapReason.UNAVAILABLE, message=message))


def _pages(api: Api, path: str) -> Iterator[Answer]:
    """The pages of a list. The last one is a refusal where there is one."""
    query: Mapping[str, str] = {"limit": str(PAGE)}
    while True:
        page = api.get(path, query)
        yield page
        token = page.data.get("metadata", {}).get("continue")
        if page.status != _OK or not token:
            return
        query = {"limit": str(PAGE), "continue": token}
