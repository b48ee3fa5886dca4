"""A TrainJob as somebody wrote it: plain data that knows its lines, and what its readers ask of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.dataclass import dataclass
from bundler.kube.resource import Resource
from bundler.model.finding import Finding, Severity

if TYPE_CHECKING:
    from bundler.model.document import Document, JsonObject

__all__ = ["GROUP", "KIND", "TrainJob"]

GROUP = "trainer.kubeflow.org"
KIND = "TrainJob"
_GENERATED = "x7k2q"
"""Stands for the five characters that a server adds to `generateName`."""
_RUNTIME_KIND = "ClusterTrainingRuntime"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainJob:
    """One TrainJob.

    Attributes:
        document: where it was written.
        data: what of it a server keeps; the whole of it until fields are found that are dropped.
    """

    document: Document
    data: JsonObject

    @classmethod
    def of(cls, document: Document) -> TrainJob:
        """The TrainJob of a document. One that leaves its name to the server has a name such as the server gives."""
        metadata = document.data.get("metadata")
        if isinstance(metadata, dict) and not metadata.get("name") and isinstance(prefix := metadata.get("generateName"), str):
            return cls(document=document, data={**document.data, "metadata": {**metadata, "name": prefix + _GENERATED}})
        return cls(document=document, data=document.data)

    @property
    def spec(self) -> JsonObject:
        """`spec`, empty when absent."""
        return _map(self.data.get("spec"))

    @property
    def name(self) -> str:
        """`metadata.name`."""
        return str(_map(self.data.get("metadata")).get("name") or "")

    @property
    def namespace(self) -> str:
        """`metadata.namespace`, empty when it is left to the client."""
        return str(_map(self.data.get("metadata")).get("namespace") or "")

    @property
    def subject(self) -> str:
        """`TrainJob/name`."""
        return f"{KIND}/{self.name}"

    @property
    def trainer(self) -> JsonObject | None:
        """`spec.trainer`; None when it is absent, which is not the same as empty."""
        return self.spec.get("trainer")

    @property
    def runtime_kind(self) -> str:
        """Kind of the runtime it refers to; a server fills it in only where it is absent."""
        return self._reference("kind", _RUNTIME_KIND)

    @property
    def runtime_group(self) -> str:
        """API group of the runtime it refers to."""
        return self._reference("apiGroup", GROUP)

    @property
    def runtime_name(self) -> str:
        """Name of the runtime it refers to."""
        return str(_map(self.spec.get("runtimeRef")).get("name") or "")

    def _reference(self, name: str, default: str) -> str:
        stated = _map(self.spec.get("runtimeRef")).get(name)
        return default if stated is None else str(stated)

    def resource(self) -> Resource:
        """The object as the rules of `bundler.conform` take it."""
        return Resource(data=self.data, template=self.document.file, positions=self.document.positions, owner="")

    def finding(self, rule: str, pointer: str, message: str, fix: str, *, severity: Severity = Severity.ERROR) -> Finding:
        """A finding about `pointer` of it."""
        return Finding(
            rule=rule,
            message=message,
            severity=severity,
            location=self.document.locate(pointer),
            pointer=pointer,
            subject=self.subject,
            fix=fix,
        )


def _map(data: Any) -> JsonObject:
    """`data` if it is a map: what a job holds in its place is for the schema to say."""
    return data if isinstance(data, dict) else {}
