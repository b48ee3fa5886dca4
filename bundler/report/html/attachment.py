"""How the pods of a runtime are attached, read off the runtime itself: what a drawing shows, and what a reader hears of it."""

from __future__ import annotations

import json
from enum import StrEnum
from itertools import groupby
from typing import TYPE_CHECKING, Any

from bundler.conform.claims import made_templates
from bundler.conform.pods import NODE, select, spec, training_pods
from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.kube.image import Image
from bundler.report.html.marks import marks
from bundler.yamlio.reader import read

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bundler.conform.pods import Container, PodTemplate
    from bundler.kube.resource import Resource
    from bundler.model.document import JsonObject

__all__ = ["TRAINS", "Attached", "Box", "Link", "Mount", "Volume", "Way", "attached"]


TRAINS = "trains"
"""The role of the container whose processes are the job's."""


class Way(StrEnum):
    """How a pod gets to a network."""

    CLUSTER = "cluster"
    """By the interface that every pod has."""
    NETWORK = "network"
    """By an interface of its own in a named network."""
    DEVICE = "device"
    """By devices that a container asks for as a resource."""
    CLAIM = "claim"
    """By devices that the pod claims."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One interface, or several that are alike.

    Attributes:
        name: of the interface, the resource or the claim.
        network: where it leads to; empty where the object does not say.
        count: how many there are.
    """

    way: Way
    name: str
    network: str = ""
    count: int = 1

    @property
    def label(self) -> str:
        """The name with its number, such as `4 × vpc.amazonaws.com/efa`."""
        return self.name if self.count == 1 and self.way is not Way.DEVICE else f"{self.count} × {self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Volume:
    """A volume of the pod.

    Attributes:
        source: what it holds, in words.
    """

    number: int
    name: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    """Where a container sees a volume."""

    number: int
    path: str
    read_only: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A container.

    Attributes:
        role: what it is in the pod, in words.
        gpus: how many it asks for; 0 when that is left to each job.
        devices: files that are put into it.
        capabilities: what its security context adds.
        settings: how many environment variables it sets.
    """

    name: str
    role: str
    image: str
    gpus: int = 0
    gpu: str = ""
    devices: tuple[str, ...] = ()
    capabilities: tuple[str, ...] = ()
    settings: int = 0
    mounts: tuple[Mount, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Attached:
    """The pods of one runtime.

    Attributes:
        nodes: how many a job has unless it says otherwise.
        links: the pod's own interface first.
        boxes: containers as they start.
    """

    name: str
    kind: str
    namespace: str
    nodes: int
    links: tuple[Link, ...]
    boxes: tuple[Box, ...]
    volumes: tuple[Volume, ...]

    @property
    def has_fabric(self) -> bool:
        """Whether anything but the pod's own interface leads to other nodes."""
        return any(link.way is not Way.CLUSTER for link in self.links)


def attached(runtime: Resource, objects: Iterable[Resource]) -> Attached | None:
    """What wires the pods that train; None when the runtime has none.

    Args:
        runtime: of the right structure.
        objects: of the same bundle, among which are the makers of its claims.
    """
    pod = next(training_pods(runtime), None)
    if pod is None:
        return None
    volumes = {
        str(volume.get("name")): Volume(number=number, name=str(volume.get("name")), source=_source(volume))
        for number, volume in enumerate(pod.spec.get("volumes") or (), start=1)
    }
    policy = spec(runtime).get("mlPolicy") or {}
    return Attached(
        name=runtime.name,
        kind=runtime.kind,
        namespace=runtime.namespace,
        nodes=int(policy.get("numNodes") or 1),
        links=tuple(_links(pod, runtime, tuple(objects))),
        boxes=tuple(_box(container, pod, volumes) for container in pod.containers()),
        volumes=tuple(volumes.values()),
    )


def _links(pod: PodTemplate, runtime: Resource, objects: Sequence[Resource]) -> Iterator[Link]:
    named = [link for mark in marks()["networks"] for link in _networks(pod.metadata.get("annotations") or {}, mark)]
    own = "the node's own network" if pod.spec.get("hostNetwork") else "cluster network"
    if not any(link.way is Way.CLUSTER for link in named):
        yield Link(way=Way.CLUSTER, name="pod interface", network=own)
    devices = list(_devices(pod.container(NODE)))
    for link in named:
        # Interfaces without a name of their own are those of the devices of which there are as many.
        device = next((one for one in devices if not link.name and one.count == link.count), None)
        if device is not None:
            devices.remove(device)
        name = device.name if device is not None else link.name or "interface"
        yield Link(way=link.way, name=name, network=link.network, count=link.count)
    yield from devices
    yield from _claims(pod, runtime, objects)


def _networks(annotations: Mapping[str, Any], mark: JsonObject) -> Iterator[Link]:
    text = annotations.get(mark["annotation"])
    if not isinstance(text, str):
        return
    primary = annotations.get(mark.get("primary", ""))
    if mark["form"] == "names":
        pairs = [("", name.strip()) for name in text.split(",") if name.strip()]
    else:
        pairs = [(str(item.get(mark["interface"], "")), str(item.get(mark["network"], ""))) for item in _maps(text)]
    for (name, network), alike in groupby(pairs):
        way = Way.CLUSTER if name and name == primary else Way.NETWORK
        yield Link(way=way, name=name, network=network, count=len(list(alike)))


def _devices(container: Container | None) -> Iterator[Link]:
    """Resources that are neither Kubernetes' own nor GPUs."""
    resources = (container.data.get("resources") or {}) if container is not None else {}
    for name, amount in (resources.get("limits") or resources.get("requests") or {}).items():
        if "/" in name and name not in marks()["gpus"]:
            yield Link(way=Way.DEVICE, name=name, count=_number(amount))


def _claims(pod: PodTemplate, runtime: Resource, objects: Sequence[Resource]) -> Iterator[Link]:
    for _, claim in select(pod.spec, "resourceClaims/*"):
        template = claim.get("resourceClaimTemplateName", "")
        makers = (one for one in objects if one.namespace == runtime.namespace and template in made_templates(one))
        maker = next(makers, None)
        requests = list(select(maker.data, "spec/spec/devices/requests/*")) if maker is not None else []
        asked = [
            request["exactly"] for _, request in requests if isinstance(request, dict) and isinstance(request.get("exactly"), dict)
        ]
        for device in asked:
            yield Link(way=Way.DEVICE, name=str(device.get("deviceClassName", "")), count=_number(device.get("count", 1)))
        if not asked:
            network = f"{maker.kind} {maker.name}" if maker is not None else str(template)
            yield Link(way=Way.CLAIM, name=str(claim.get("name", "")), network=network)


def _box(container: Container, pod: PodTemplate, volumes: Mapping[str, Volume]) -> Box:
    data = container.data
    resources = data.get("resources") or {}
    asked = resources.get("limits") or resources.get("requests") or {}
    gpu = next((name for name in marks()["gpus"] if name in asked), "")
    return Box(
        name=container.name,
        role=_role(container),
        image=_short(str(data.get("image", ""))),
        gpus=_number(asked[gpu]) if gpu else 0,
        gpu=gpu,
        devices=tuple(_files(container.name, pod.metadata.get("annotations") or {})),
        capabilities=tuple(map(str, ((data.get("securityContext") or {}).get("capabilities") or {}).get("add") or ())),
        settings=len(data.get("env") or ()),
        mounts=tuple(
            Mount(number=volumes[name].number, path=str(mount.get("mountPath", "")), read_only=bool(mount.get("readOnly")))
            for mount in data.get("volumeMounts") or ()
            if (name := str(mount.get("name"))) in volumes
        ),
    )


def _role(container: Container) -> str:
    if container.init:
        return "sidecar" if container.data.get("restartPolicy") == "Always" else "runs first"
    return TRAINS if container.name == NODE else "beside it"


def _files(container: str, annotations: Mapping[str, Any]) -> Iterator[str]:
    for mark in marks()["devices"]:
        text = annotations.get(f"{mark['prefix']}{container}")
        if isinstance(text, str):
            yield from (str(item.get(mark["path"], "")) for item in _maps(text))


def _maps(text: str) -> list[JsonObject]:
    """The maps of a list in an annotation, whether it is JSON or YAML; nothing of what is neither."""
    try:
        found = json.loads(text)
    except ValueError:
        try:
            found = read(text.encode(errors="replace"), "annotation").data
        except InvalidInput:
            return []
    except RecursionError:
        return []
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def _source(volume: JsonObject) -> str:
    """What a volume holds: its kind, and every plain value that it is given."""
    kind = next((key for key in volume if key != "name"), "")
    given = volume.get(kind)
    values = [str(value) for value in given.values() if isinstance(value, str | int)] if isinstance(given, dict) else []
    return " ".join([kind, *values])


def _short(image: str) -> str:
    """The last part of an image's name with its tag: what tells it from others at a glance."""
    try:
        parsed = Image.parse(image)
    except InvalidInput:
        return image
    return parsed.repository.rpartition("/")[2] + (f":{parsed.tag}" if parsed.tag else "")


def _number(amount: Any) -> int:
    text = str(amount)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 1  # noqa: PLR2004  (a number of devices)
