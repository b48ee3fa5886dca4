"""Objects from several files or answers, as one snapshot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.compose.wording import shown
from bundler.errors import InvalidInput
from bundler.model.location import Location
from bundler.model.snapshot import Gap, Snapshot

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bundler.cluster.facts import Fact
    from bundler.model.document import JsonObject

__all__ = ["Uniting"]


class Uniting:
    """What was read so far."""

    def __init__(self, known: Mapping[str, Fact]) -> None:
        """Start with nothing read.

        Args:
            known: the resources that are read, by name.
        """
        self._known = known
        self._objects: dict[str, dict[tuple[str, str], tuple[JsonObject, str]]] = {}
        self._gaps: dict[str, Gap] = {}
        self._sources: list[str] = []
        self._version: tuple[str, str] | None = None

    def source(self, source: str) -> None:
        """Name where something was read from."""
        if source not in self._sources:
            self._sources.append(source)

    def read(self, fact: Fact) -> None:
        """Note that all objects of a resource were read, however many there are."""
        self._objects.setdefault(fact.resource, {})

    def gap(self, gap: Gap) -> None:
        """Note that a resource could not be read."""
        self._gaps.setdefault(gap.resource, gap)

    def version(self, version: str, source: str) -> None:
        """Note the API server's version.

        Raises:
            InvalidInput: another source states another one.
        """
        if self._version is not None and self._version[0] != version:
            known, other = self._version
            message = f"two files are of two clusters: one is of version {known}, the other of {version} ({shown(other)})"
            raise InvalidInput("AICR-Q004", message, location=Location(file=source), fix="give files of one cluster and one time")
        self._version = (version, source)

    def add(self, fact: Fact, data: JsonObject, source: str) -> bool:
        """Keep an object.

        Args:
            fact: the resource.
            data: the object, cut down to what is kept.
            source: where it was read.

        Returns:
            Whether it belongs to what is read of the resource, kept or not.

        Raises:
            InvalidInput: it has no name, or another source says something else of it.
        """
        metadata = data.get("metadata", {})
        name, namespace = metadata.get("name"), metadata.get("namespace", "")
        if not isinstance(name, str) or not isinstance(namespace, str):
            message = f"a {fact.kind} has no name"
            raise InvalidInput("AICR-Q002", message, location=Location(file=source), fix="save it anew, as the cluster has it")
        if fact.namespace is not None and namespace != fact.namespace:
            return False
        objects = self._objects.setdefault(fact.resource, {})
        if not fact.keeps(data):
            return True
        before, other = objects.setdefault((namespace, name), (data, source))
        if before != data:
            message = f"{fact.kind} {shown(name)} is not the same in {shown(other)} and {shown(source)}"
            raise InvalidInput("AICR-Q004", message, location=Location(file=source), fix="give files of one cluster and one time")
        return True

    def snapshot(self) -> Snapshot:
        """Everything that was read: resources in the order in which they are known, objects by namespace and name."""
        return Snapshot(
            sources=tuple(self._sources),
            version=self._version[0] if self._version else None,
            objects={
                name: tuple(data for _, (data, _) in sorted(self._objects[name].items(), key=lambda item: item[0]))
                for name in self._known
                if name in self._objects
            },
            gaps=tuple(self._gaps[name] for name in self._known if name in self._gaps and name not in self._objects),
        )
