"""A snapshot as a file: JSON, which is YAML too, with the same bytes for the same cluster."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bundler.cluster.trimming import TrimmingError
from bundler.compose.wording import nearest, shown
from bundler.errors import InvalidInput
from bundler.model.location import Location
from bundler.model.pointer import join
from bundler.model.snapshot import Gap, GapReason

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bundler.cluster.facts import Fact
    from bundler.cluster.trimming import Trimmer
    from bundler.cluster.uniting import Uniting
    from bundler.model.document import JsonObject
    from bundler.model.snapshot import Snapshot

__all__ = ["KIND", "read_snapshot", "snapshot_text"]

API_VERSION = "aicr.run/v2"
KIND = "Snapshot"


def snapshot_text(snapshot: Snapshot) -> str:
    """The document of kind Snapshot (schemas/snapshot.json): one line an object, so that two of them can be compared by line.

    Sources are not written: the same cluster gives the same bytes whoever reads it. All but ASCII is escaped.
    """
    head = {"apiVersion": API_VERSION, "kind": KIND} | ({"version": snapshot.version} if snapshot.version else {})
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    gaps = [
        {"resource": gap.resource, "reason": gap.reason.value} | ({"message": gap.message} if gap.message else {})
        for gap in snapshot.gaps
    ]
    lines.append(f'  "gaps": {_lines(gaps, "  ")}')
    resources = [f"    {json.dumps(name)}: {_lines(objects, '    ')}" for name, objects in snapshot.objects.items()]
    lines.append('  "resources": {\n' + ",\n".join(resources) + "\n  }" if resources else '  "resources": {}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read_snapshot(data: JsonObject, file: str, trimmer: Trimmer, known: Mapping[str, Fact], uniting: Uniting) -> None:
    """Take what a snapshot file says.

    Args:
        data: of kind Snapshot.
        file: the path that messages show.
        trimmer: of this file.
        known: the resources that are read, by name.
        uniting: what takes it.

    Raises:
        InvalidInput: it is not what `snapshot_text` writes.
    """
    if data.get("apiVersion") != API_VERSION:
        raise _malformed(file, "/apiVersion", f"it is {shown(data.get('apiVersion'))}, not {API_VERSION}")
    if unknown := sorted(data.keys() - {"apiVersion", "kind", "version", "gaps", "resources"}):
        raise _malformed(file, join(unknown[:1]), f"nothing reads {shown(unknown[0])}")
    if "version" in data:
        uniting.version(_text(data["version"], file, "/version"), file)
    gaps, resources = data.get("gaps"), data.get("resources")
    if not isinstance(gaps, list) or not isinstance(resources, dict):
        raise _malformed(file, "", "gaps are a list, resources a map")
    for index, gap in enumerate(gaps):
        uniting.gap(_gap(gap, file, join(("gaps", index)), known))
    for name, objects in resources.items():
        fact = _known(name, file, join(("resources", name)), known)
        uniting.read(fact)
        for kept in _objects(objects, fact, file, trimmer):
            uniting.add(fact, kept, file)


def _objects(objects: Any, fact: Fact, file: str, trimmer: Trimmer) -> Iterator[JsonObject]:
    pointer = join(("resources", fact.resource))
    if not isinstance(objects, list):
        raise _malformed(file, pointer, "the objects of a resource are a list")
    for index, item in enumerate(objects):
        if not isinstance(item, dict):
            raise _malformed(file, f"{pointer}/{index}", "an object is a map")
        try:
            yield trimmer.trim(item, fact)
        except TrimmingError as error:
            raise _malformed(file, f"{pointer}/{index}", str(error)) from None


def _gap(data: Any, file: str, pointer: str, known: Mapping[str, Fact]) -> Gap:
    if not isinstance(data, dict) or data.keys() - {"resource", "reason", "message"}:
        raise _malformed(file, pointer, "a gap has a resource, a reason and perhaps a message")
    reason = data.get("reason")
    if reason not in set(GapReason):
        raise _malformed(file, f"{pointer}/reason", f"{shown(reason)} is none of {', '.join(GapReason)}")
    fact = _known(_text(data.get("resource"), file, f"{pointer}/resource"), file, f"{pointer}/resource", known)
    message = _text(data.get("message", ""), file, f"{pointer}/message")
    return Gap(resource=fact.resource, reason=GapReason(reason), message=message)


def _known(name: str, file: str, pointer: str, known: Mapping[str, Fact]) -> Fact:
    if name not in known:
        raise _malformed(file, pointer, f"no resource {shown(name)} is read; {nearest(name, known, label='read are')}")
    return known[name]


def _text(value: Any, file: str, pointer: str) -> str:
    if not isinstance(value, str):
        raise _malformed(file, pointer, f"{shown(value)} is no text")
    return value


def _malformed(file: str, pointer: str, problem: str) -> InvalidInput:
    fix = "take it anew with: aicr snapshot -o FILE"
    return InvalidInput(
        "AICR-Q005", f"not a snapshot as aicr writes it: {problem}", location=Location(file=file), pointer=pointer, fix=fix
    )


def _lines(items: Any, indent: str) -> str:
    if not items:
        return "[]"
    return "[\n" + ",\n".join(f"{indent}  {json.dumps(item, separators=(',', ':'))}" for item in items) + f"\n{indent}]"
