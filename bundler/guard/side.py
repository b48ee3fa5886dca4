"""One side of a comparison: a runtime or a fixture, the pods of it that train, and the settings that its processes get.

The processes of an MPI fixture are started by a launcher, which may give them settings of its own (`mpirun -x NAME=VALUE`), and
its containers may source a script that sets more. The first are settings like those of the container; the second cannot be known.
"""

from __future__ import annotations

import re
from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from bundler.conform.pods import RUNTIME_KINDS, PodTemplate
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bundler.kube.resource import Resource
    from bundler.model.document import JsonObject

__all__ = ["ENV", "LAUNCHER", "NODE", "PLACEHOLDER", "Role", "Side"]

NODE = "node"
LAUNCHER = "launcher"

ENV = ("pod", "spec", "containers", NODE, "env")
"""Path of the settings of the processes in a projection."""

PLACEHOLDER = re.compile(r"\$\{[A-Za-z_][A-Za-z0-9_]*\}")
"""What is filled in when a fixture is applied."""

_GIVEN = re.compile(r"(?:^|\s)-x\s+([A-Za-z_][A-Za-z0-9_]*)(?:=(\"[^\"]*\"|'[^']*'|[^\s;|&]*))?")
_NAME_VALUE = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:=(.*))?", re.DOTALL)
_SOURCED = re.compile(r"(?:^|[\s;&|(])(?:\.|source)\s+([^\s;&|)]+)")


class Role(StrEnum):
    """Which side it is."""

    RUNTIME = "runtime"
    FIXTURE = "fixture"

    @property
    def other(self) -> Role:
        """The other side."""
        return Role.FIXTURE if self is Role.RUNTIME else Role.RUNTIME


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A runtime, or the fixture that measures it.

    Attributes:
        pod: the pod template of the pods that train or are measured.
        at: pointer of the container in it that does.
        sourced: the script that this container sources, or the empty string.
        given: whether a launcher gives settings of its own.
    """

    role: Role
    resource: Resource
    pod: PodTemplate
    at: str
    sourced: str = ""
    given: bool = False
    _settings: tuple[tuple[str, JsonObject], ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, resource: Resource, role: Role) -> Side:
        """One side.

        Raises:
            InvalidInput: the object has no pods that train.
        """
        jobs = [(pointer, job) for pointer, job in _jobs(resource) if _template(job) is not None]
        for pointer, job in jobs:
            pod = PodTemplate(pointer=f"{pointer}/template/spec/template", data=_template(job) or {}, job=job)
            index = next((number for number, one in enumerate(pod.spec["containers"]) if one["name"] == NODE), None)
            if index is None or job.get("name") != NODE:
                continue
            container = pod.spec["containers"][index]
            at = f"{pod.pointer}/spec/containers/{index}"
            own = container.get("env")
            launcher = next((other for other in jobs if other[1] is not job and other[1].get("name") == LAUNCHER), None)
            given = tuple(_given(*launcher)) if launcher else ()
            return cls(
                role=role,
                resource=resource,
                pod=pod,
                at=at,
                sourced=_sourced(container),
                given=bool(given),
                _settings=_effective(own if isinstance(own, list) else [], f"{at}/env", given),
            )
        message = f"{resource.kind} {resource.name!r} has no replicated job {NODE!r} with a container {NODE!r}"
        raise InvalidInput(
            "AICR-G010", message, location=resource.locate(""), subject=resource.subject, fix="give a runtime of torch or MPI"
        )

    @property
    def name(self) -> str:
        """The object's name."""
        return self.resource.name

    @property
    def container(self) -> JsonObject:
        """The container that trains."""
        data: JsonObject = next(one for one in self.pod.spec["containers"] if one["name"] == NODE)
        return data

    def settings(self) -> tuple[tuple[str, JsonObject], ...]:
        """The environment entries of its processes with their pointers: the container's, and over them the launcher's."""
        return self._settings


def _jobs(resource: Resource) -> Iterator[tuple[str, JsonObject]]:
    data: Any = resource.data if resource.kind in RUNTIME_KINDS else {}
    for key in ("spec", "template", "spec", "replicatedJobs"):
        data = data.get(key) if isinstance(data, dict) else None
    for index, job in enumerate(data if isinstance(data, list) else ()):
        if isinstance(job, dict):
            yield f"/spec/template/spec/replicatedJobs/{index}", job


def _template(job: JsonObject) -> JsonObject | None:
    """The pod template of a replicated job whose containers have names; None when it has no such."""
    data: Any = job
    for key in ("template", "spec", "template"):
        data = data.get(key) if isinstance(data, dict) else None
    pod = data.get("spec") if isinstance(data, dict) else None
    containers = pod.get("containers") if isinstance(pod, dict) else None
    named = isinstance(containers, list) and all(isinstance(one, dict) and isinstance(one.get("name"), str) for one in containers)
    return data if named and isinstance(data.get("metadata") or {}, dict) else None


def _effective(own: list[Any], at: str, given: tuple[tuple[str, JsonObject], ...]) -> tuple[tuple[str, JsonObject], ...]:
    named = {entry["name"]: (pointer, entry) for pointer, entry in given}
    settings = []
    for index, entry in enumerate(own):
        name = entry.get("name") if isinstance(entry, dict) else None
        settings.append(named.pop(name, (f"{at}/{index}", entry)) if isinstance(name, str) else (f"{at}/{index}", entry))
    return (*settings, *named.values())


def _given(pointer: str, launcher: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """What a launcher gives to the processes that it starts: pointer and entry."""
    at = f"{pointer}/template/spec/template/spec/containers"
    for index, container in enumerate((_template(launcher) or {})["spec"]["containers"]):
        env = container.get("env")
        own = {entry.get("name"): entry for entry in env if isinstance(entry, dict)} if isinstance(env, list) else {}
        for place, name, stated in _words(container, f"{at}/{index}"):
            # A name alone passes on what the launcher has, which is known only where its container states it.
            value = stated if stated is not None else (own.get(name) or {}).get("value")
            known = isinstance(value, str) and "$" not in value
            yield place, {"name": name, "value": value if known else f"${{{name}}}"}


def _words(container: JsonObject, at: str) -> Iterator[tuple[str, str, str | None]]:
    """Every `-x NAME[=VALUE]` of a command: where, name, value."""
    for key in ("command", "args"):
        words = container.get(key)
        expected = False
        for index, word in enumerate(words if isinstance(words, list) else ()):
            text = word if isinstance(word, str) else ""
            if expected and (match := _NAME_VALUE.fullmatch(text)):
                yield f"{at}/{key}/{index}", match[1], match[2]
            else:
                for match in _GIVEN.finditer(text):
                    yield f"{at}/{key}/{index}", match[1], match[2] and match[2].strip("\"'")
            expected = text == "-x"


def _sourced(container: JsonObject) -> str:
    lists = [words for key in ("command", "args") if isinstance(words := container.get(key), list)]
    match = _SOURCED.search("\n".join(word for words in lists for word in words if isinstance(word, str)))
    return match[1] if match else ""
