"""The permissions that a snapshot needs: exactly the lists that are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.cluster.facts import facts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bundler.catalog.catalog import Catalog
    from bundler.cluster.facts import Fact
    from bundler.model.document import JsonObject

__all__ = ["permissions"]

_API_VERSION = "rbac.authorization.k8s.io/v1"
_NAME = "aicr-snapshot"


def permissions(catalog: Catalog) -> tuple[JsonObject, ...]:
    """A ClusterRole for what is read of the whole cluster, and a Role for each namespace that is read alone."""
    every = facts(catalog).values()
    namespaces = sorted({fact.namespace for fact in every if fact.namespace is not None})
    return (
        _role("ClusterRole", {"name": _NAME}, [fact for fact in every if fact.namespace is None]),
        *(
            _role("Role", {"name": _NAME, "namespace": namespace}, [fact for fact in every if fact.namespace == namespace])
            for namespace in namespaces
        ),
    )


def _role(kind: str, metadata: JsonObject, every: Iterable[Fact]) -> JsonObject:
    groups: dict[str, list[str]] = {}
    for fact in every:
        groups.setdefault(fact.group, []).append(fact.plural)
    rules = [{"apiGroups": [group], "resources": sorted(names), "verbs": ["list"]} for group, names in sorted(groups.items())]
    return {"apiVersion": _API_VERSION, "kind": kind, "metadata": metadata, "rules": rules}
