"""The page of what is read from a cluster, with the permissions that reading it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.catalog.catalog import Catalog
from bundler.cluster.facts import facts
from bundler.cluster.permissions import permissions
from bundler.yamlio.writer import dump_all
from generator.text import code, table

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["cluster_facts"]


def cluster_facts() -> Iterator[str]:
    """The page `cluster-facts.md`."""
    catalog = Catalog.load()
    yield "# Facts from a cluster"
    yield ""
    yield "Everything that `aicr snapshot` reads and keeps, and why. Nothing else is asked for; Secrets and ConfigMaps never are."
    yield "Source: `recipes/cluster/facts.yaml`."
    for fact in facts(catalog).values():
        yield ""
        yield f"## {fact.resource}"
        yield ""
        where = f", in the namespace {code(fact.namespace)} alone" if fact.namespace else ""
        yield f"{fact.why} Listed as {code(fact.kind)} of {code(fact.api_version)}{where}."
        yield ""
        yield from table(("field", "why"), ((code(field.path), field.why) for field in fact.fields))
    yield ""
    yield "## Permissions"
    yield ""
    yield "What a snapshot needs, and no more. Leave out what you do not want read: it becomes a gap, and is said."
    yield "The server's version is open to every user that is logged in."
    yield ""
    yield "```yaml"
    yield from dump_all(permissions(catalog)).splitlines()
    yield "```"
    yield ""
    yield "Dry runs (`--dry-run`) also need `create` on the kinds that are judged: Kubernetes knows no permission for dry runs"
    yield "alone. Nothing is stored."
