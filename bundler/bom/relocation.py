"""Relocation: which name each image has in a mirror. A relocation that would lead in a circle or to other bytes is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.bom.known import PRELOADED
from bundler.errors import InvalidInput
from bundler.kube.image import Image
from bundler.model.finding import Finding
from bundler.model.pointer import join
from bundler.model.relocation import Relocation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bundler.bom.known import Known
    from bundler.model.document import JsonObject
    from bundler.model.location import Location

__all__ = ["read_relocation", "refuse_collisions", "relocated", "write_relocation"]


def read_relocation(data: JsonObject, locate: Callable[[str], Location]) -> Relocation:
    """A relocation as written in a document of kind Relocation or in a bundle's `recipe.yaml`.

    Args:
        data: valid by `schemas/relocation.json`.
        locate: pointer in `data` → location.

    Raises:
        InvalidInput: it leads in a circle, names no registry, or changes a tag or a digest.
    """
    relocation = Relocation(
        to=data.get("to"),
        registries=data.get("registries", {}),
        images={item["from"]: item["to"] for item in data.get("images", ())},
    )
    findings = [
        Finding(rule=rule, message=message, location=locate(pointer), pointer=pointer, fix=fix)
        for rule, message, pointer, fix in (*_bad_registries(relocation), *_bad_images(data.get("images", ())))
    ]
    if findings:
        raise InvalidInput.of(findings)
    return relocation


def write_relocation(relocation: Relocation) -> JsonObject:
    """The relocation as a bundle's `recipe.yaml` records it."""
    written: JsonObject = {}
    if relocation.to is not None:
        written["to"] = relocation.to
    if relocation.registries:
        written["registries"] = dict(relocation.registries)
    if relocation.images:
        written["images"] = [{"from": source, "to": target} for source, target in sorted(relocation.images.items())]
    return written


def relocated(text: str, relocation: Relocation | None, known: Known) -> str:
    """The reference under which an image is pulled: as written without a relocation, and for what the node brings.

    Raises:
        InvalidInput: nothing says where the image is mirrored.
    """
    if relocation is None or known.digest(text) == PRELOADED:
        return text
    image = Image.parse(text)
    for name in (text, str(image)):
        if name in relocation.images:
            return relocation.images[name]
    target = relocation.registries.get(image.registry, relocation.to)
    if target is None:
        message = f"the relocation names no registry for {image.registry!r}, from which {text!r} is pulled"
        raise InvalidInput("AICR-I011", message, fix=f"add {image.registry} to registries, or state `to`")
    if image.name.startswith(f"{target}/"):
        return text
    return str(Image.parse(str(image.relocated(target))))


def refuse_collisions(images: Iterable[JsonObject]) -> None:
    """Refuse a relocation that gives two images one name.

    Args:
        images: the `images` of a lock.

    Raises:
        InvalidInput: different images would have one name and tag in the mirror.
    """
    taken: dict[str, JsonObject] = {}
    for image in images:
        at = str(image.get("at", image["image"]))
        first = taken.setdefault(at.partition("@")[0], image)
        if first is not image and (first["digest"], _short(first)) != (image["digest"], _short(image)):
            message = f"{first['image']!r} and {image['image']!r} would both be {at!r}"
            raise InvalidInput("AICR-I012", message, fix="give one of the two registries a path of its own in the mirror")


def _short(image: JsonObject) -> str:
    """What tells images without a digest apart: a digest is one image whatever its name."""
    return "" if str(image["digest"]).startswith("sha256:") else str(Image.parse(image["image"]).name)


def _bad_registries(relocation: Relocation) -> Iterator[tuple[str, str, str, str]]:
    targets = {join(("registries", host)): target for host, target in relocation.registries.items()}
    if relocation.to is not None:
        targets["/to"] = relocation.to
    for pointer, target in targets.items():
        try:
            host = Image.parse(f"{target}/image").registry
        except InvalidInput:
            host = ""
        if not host or not target.startswith(host):
            yield "AICR-I013", f"not a registry: {target!r}", pointer, "write host, host:port or host/path, without a scheme"
            continue
        onward = relocation.registries.get(host, host)
        if onward.partition("/")[0] != host:
            message = f"images relocated to {target!r} would be relocated again to {onward!r}"
            yield "AICR-I014", message, pointer, "name the last registry at once"


def _bad_images(items: Iterable[JsonObject]) -> Iterator[tuple[str, str, str, str]]:
    sources = {item["from"] for item in items}
    for index, item in enumerate(items):
        pointer = join(("images", index))
        try:
            source, target = Image.parse(item["from"]), Image.parse(item["to"])
        except InvalidInput as error:
            yield error.findings[0].rule, error.findings[0].message, pointer, error.findings[0].fix
            continue
        if (source.tag, source.digest) != (target.tag, target.digest):
            message = f"{item['to']!r} has another tag or digest than {item['from']!r}"
            yield "AICR-I015", message, pointer, "change the name of the image alone"
        elif item["to"] in sources and item["to"] != item["from"]:
            message = f"{item['from']!r} would be relocated to {item['to']!r} and onward"
            yield "AICR-I014", message, pointer, "name the last place at once"
