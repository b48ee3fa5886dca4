"""The release of a fabric's plugin on the nodes of a target: the tag of the image that its installer runs there.

The plugin comes from the node, not from the workload's image, and a rollout changes one node pool after another. So the installers
of the target nodes count, and only the running ones. A tag may be followed by a digest, the registry may be a mirror, and a suffix
is a rebuild of the same release. Source: NVIDIA/cluster-readiness-engine, documentation of GCP H100 clusters.
"""

from __future__ import annotations

import re
from dataclasses import field
from typing import TYPE_CHECKING

from bundler.compose.wording import plural
from bundler.dataclass import dataclass
from bundler.model.snapshot import Gap, GapReason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bundler.detect.nodes import Node
    from bundler.model.document import JsonObject
    from bundler.model.snapshot import Snapshot

__all__ = ["PODS", "TCPXO", "Installed", "Plugin", "detect_installed", "plugin_tag", "release_of"]

PODS = "pods"
"""The resource, as a snapshot names it."""

_NAMESPACE = "kube-system"
_SHOWN = 5
_RELEASE = re.compile(r"v(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(?:-[0-9A-Za-z.-]+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """What an installer is recognised by.

    Attributes:
        installer: the DaemonSet's name, for messages.
        images: last path segments of its plugin's images.
    """

    installer: str
    images: frozenset[str]


TCPXO = Plugin(installer="nccl-tcpxo-installer", images=frozenset({"nccl-plugin-gpudirecttcpx-dev"}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """What was found.

    Attributes:
        release: `vMAJOR.MINOR.PATCH` when every target node runs one release, else None.
        reason: without a release, what was found instead, as the beginning of a sentence.
        tags: of the nodes that have an installer, sorted and each once; empty text for an image without one.
    """

    release: str | None
    reason: str = ""
    tags: tuple[str, ...] = field(default=())


def release_of(tag: str) -> tuple[int, int, int] | None:
    """The release of a tag. A build suffix is a rebuild of the same release; any other tag is no release."""
    match = _RELEASE.fullmatch(tag)
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


def detect_installed(nodes: Sequence[Node], snapshot: Snapshot, plugin: Plugin = TCPXO) -> Installed:
    """The release that every target node runs.

    Args:
        nodes: of the target, by name.
        snapshot: has the pods of kube-system.
        plugin: whose installer is looked for.
    """
    if (gap := snapshot.gap(PODS)) is not None:
        return Installed(release=None, reason=f"could not list {_NAMESPACE} pods ({_said(gap)})")
    if not nodes:
        return Installed(release=None, reason="had no target nodes to read")
    tags = _tags(snapshot.of(PODS), plugin)
    image = "/".join(sorted(plugin.images))
    if missing := [node.name for node in nodes if node.name not in tags]:
        more = f", and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else ""
        where = f"on {len(missing):,} of {plural(len(nodes), 'target node')}: {', '.join(missing[:_SHOWN])}{more}"
        reason = f"found no running {plugin.installer} pod (image {image}) {where}"
        return Installed(release=None, reason=reason, tags=_found(nodes, tags))
    found = _found(nodes, tags)
    releases = {release_of(tag) for tag in found}
    if len(releases) > 1 or (None in releases and len(found) > 1):
        quoted = ", ".join(f'"{tag}"' if tag else '"untagged"' for tag in found)
        return Installed(release=None, reason=f"found different plugin versions across the target nodes ({quoted})", tags=found)
    (release,) = releases
    if release is None:
        reason = (
            f'found plugin tag "{found[0]}", which is not a release version' if found[0] else f"found {image} with no version tag"
        )
        return Installed(release=None, reason=reason, tags=found)
    return Installed(release=f"v{release[0]}.{release[1]}.{release[2]}", tags=found)


def plugin_tag(image: str, plugin: Plugin = TCPXO) -> str | None:
    """The tag of a plugin's image, empty when it has none; None for any other image."""
    name, _, tag = image.partition("@")[0].rpartition("/")[2].partition(":")
    return tag if name in plugin.images else None


def _found(nodes: Sequence[Node], tags: Mapping[str, set[str]]) -> tuple[str, ...]:
    return tuple(sorted({tag for node in nodes for tag in tags.get(node.name, ())}))


def _tags(pods: Iterable[JsonObject], plugin: Plugin) -> dict[str, set[str]]:
    """Node → the tags of the plugin that its running installers have: of two, none tells which one wrote last."""
    found: dict[str, set[str]] = {}
    for pod in pods:
        metadata, spec, status = (pod.get(part) or {} for part in ("metadata", "spec", "status"))
        runs = status.get("phase") == "Running" and not metadata.get("deletionTimestamp")
        if runs and metadata.get("namespace") == _NAMESPACE and spec.get("nodeName"):
            tag = next(filter(lambda each: each is not None, (plugin_tag(image, plugin) for image in _images(spec))), None)
            if tag is not None:
                found.setdefault(spec["nodeName"], set()).add(tag)
    return found


def _images(spec: JsonObject) -> Iterator[str]:
    """Images of a pod, those of its init containers first: the plugin's is one of them."""
    for part in ("initContainers", "containers"):
        for container in spec.get(part) or ():
            yield container.get("image") or ""


def _said(gap: Gap) -> str:
    return gap.message or {GapReason.NOT_ASKED: "the snapshot has none"}.get(gap.reason, str(gap.reason))
