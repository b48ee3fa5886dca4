"""Every image reference in plain data, at any depth, in objects of any kind.

A reference is known by the key it stands under, by its parts beside each other (repository, tag), by the environment variable or
flag that holds it, or by its form alone: a registry host with a tag or a digest. What looks like an image by its key and is none of
these is found too, as not understood: nothing that may name an image is passed over.
"""

from __future__ import annotations

import re
from dataclasses import field
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from bundler.dataclass import dataclass
from bundler.errors import InvalidInput
from bundler.kube.image import Image
from bundler.model.pointer import join

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bundler.kube.resource import Resource

__all__ = ["Declared", "Form", "Reference", "composed", "parts_of", "references", "references_of", "words"]

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_TOKEN = re.compile(r"[^\s\"'`=,;(){}\[\]<>|\\]+")
_IN_TEXT = re.compile(r"[iI]mage[\"']?\s*[:=]\s*[\"']?([^\s\"',;}]+)")
_IMAGE = frozenset({"image", "images"})
_KINDS = {dict: "a map", list: "a list", bool: "true or false"}


class Form(StrEnum):
    """How a reference is written."""

    WHOLE = "whole"
    """The value is the reference."""
    PARTS = "parts"
    """Values beside each other, which whoever reads the object puts together."""
    FLAG = "flag"
    """The value is a flag with the reference after its equals sign."""
    TEXT = "text"
    """The reference stands in a longer text, such as a script."""
    UNKNOWN = "unknown"
    """The key says image, and what stands there is not understood."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """What is known of names, besides that one ending in the word image holds a reference. Names are compared by their words.

    Attributes:
        plain: keys, variables and flags that hold the word image and name none, such as `image pull policy`.
        named: keys, variables and flags that hold a reference although their name does not end in image.
    """

    plain: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One place that names an image.

    Attributes:
        pointer: to the value that names it; for parts to the image's name, or to the map of the parts.
        text: the reference, parts put together in the usual form; for what is not understood, what stands there.
        name: of the key, variable or flag that says image, where what it holds is not understood.
        parts: role of each part → its pointer.
    """

    pointer: str
    text: str
    form: Form
    name: str = ""
    parts: Mapping[str, str] = field(default_factory=dict)


def references(data: Any, declared: Declared) -> Iterator[Reference]:
    """Every reference in `data`, in the order of the document."""
    walk = _Walk(declared)
    walk.value(data)
    return iter(walk.found)


def references_of(resource: Resource, declared: Declared) -> tuple[Reference, ...]:
    """Every reference of an object; ask for them by `resource.derived`."""
    return tuple(references(resource.data, declared))


def parts_of(data: Mapping[str, Any]) -> dict[str, str]:
    """Role → key of the parts of an image that a map holds; empty when it holds none.

    `repository` is the whole name, or the part of it between `registry` and `image` where these stand beside it.
    """
    repository = data.get("repository")
    if not isinstance(repository, str) or "://" in repository:
        return {}
    tag = "version" if data.get("version") else "tag"
    keys = {"registry": "registry", "repository": "repository", "image": "image", "tag": tag, "digest": "digest"}
    # A tag such as 1.20 that was not quoted is a number, and names an image all the same.
    return {role: key for role, key in keys.items() if data.get(key) and isinstance(data[key], str | int | float)}


def composed(parts: Mapping[str, str]) -> str:
    """The reference that parts come to, by role: `registry/repository/image:tag@digest`; a tag may hold the digest."""
    name = "/".join(parts[role] for role in ("registry", "repository", "image") if role in parts)
    tag = parts.get("tag", "")
    separator = "@" if tag.startswith("sha256:") else ":" if tag else ""
    return f"{name}{separator}{tag}" + (f"@{parts['digest']}" if "digest" in parts else "")


class _Walk:
    """One pass over plain data; the path to the current value is kept, and made a pointer only where something is found."""

    __slots__ = ("found", "meanings", "path")

    def __init__(self, declared: Declared) -> None:
        self.meanings = _meanings(declared)
        self.found: list[Reference] = []
        self.path: list[str | int] = []

    def value(self, data: Any) -> None:
        if isinstance(data, dict):
            self.map(data)
        elif isinstance(data, list):
            for index, item in enumerate(data):
                self.at(index, self.value, item)
        elif isinstance(data, str):
            self.text(data)

    def at(self, step: str | int, visit: Any, *given: Any) -> None:
        self.path.append(step)
        visit(*given)
        self.path.pop()

    def add(self, text: str, form: Form, *, steps: tuple[str | int, ...] = (), parts: Mapping[str, str] | None = None) -> None:
        self.found.append(Reference(pointer=join((*self.path, *steps)), text=text, form=form, parts=parts or {}))

    def unknown(self, name: str, value: Any, *, steps: tuple[str | int, ...] = ()) -> None:
        text = value if isinstance(value, str) else _KINDS.get(type(value), "a number")
        self.found.append(Reference(pointer=join((*self.path, *steps)), text=text, form=Form.UNKNOWN, name=name))

    def sounding(self, name: str, text: str, form: Form, *, steps: tuple[str | int, ...] = ()) -> None:
        """A text whose name holds the word image in another place: a reference when its form says so."""
        if _is_explicit(text):
            self.add(text, form, steps=steps)
        else:
            self.unknown(name, text, steps=steps)

    def map(self, data: dict[str, Any], *, named: bool = False) -> None:
        """A map; `named` when its own key already says that it is an image."""
        parts = parts_of(data)
        if parts.keys() > {"repository"} or (parts and named):
            self.parts(data, parts)
        else:
            parts = {}
        taken = parts.values()
        for key, below in data.items():
            meaning = self.meanings[key]
            # Most values can be seen to name no image without a step to them.
            if key not in taken and (meaning or isinstance(below, dict | list) or (isinstance(below, str) and ":" in below)):
                self.at(key, self.keyed, key, below, meaning)

    def parts(self, data: dict[str, Any], parts: dict[str, str]) -> None:
        text = composed({role: str(data[key]) for role, key in parts.items()})
        pointers = {role: join((*self.path, key)) for role, key in parts.items()}
        self.add(text, Form.PARTS, steps=(parts["image"],) if "image" in parts else (), parts=pointers)

    def keyed(self, key: str, value: Any, meaning: str) -> None:
        """A value by the key it stands under, and what that key means."""
        if meaning == "image":
            self.image(key, value)
        elif meaning == "odd":
            self.odd(key, value)
        elif key == "env" and isinstance(value, list):
            for index, entry in enumerate(value):
                self.at(index, self.variable, entry)
        elif key in {"args", "command"} and isinstance(value, list):
            self.arguments(value)
        else:
            self.value(value)

    def image(self, key: str, value: Any) -> None:
        """A value whose key says that it is a reference."""
        if value is None:
            return
        if isinstance(value, str):
            self.add(value, Form.WHOLE)
        elif isinstance(value, dict) and isinstance(value.get("reference"), str):
            self.add(value["reference"], Form.WHOLE, steps=("reference",))  # an image volume
        elif isinstance(value, dict) and parts_of(value):
            self.map(value, named=True)
        else:
            self.unknown(key, value)

    def odd(self, key: str, value: Any) -> None:
        """A value whose key holds the word image in another place; a number or a switch names none."""
        several = words(key)[-1] == "images"
        if isinstance(value, str):
            self.sounding(key, value, Form.WHOLE)
        elif isinstance(value, list) and several and all(isinstance(item, str) for item in value):
            for index, item in enumerate(value):
                self.add(item, Form.WHOLE, steps=(index,))
        elif isinstance(value, dict) and several and value and all(isinstance(item, str) for item in value.values()):
            for name, item in value.items():
                self.add(item, Form.WHOLE, steps=(name,))
        elif isinstance(value, dict | list) and value:
            before = len(self.found)
            self.value(value)
            if len(self.found) == before:
                self.unknown(key, value)

    def variable(self, entry: Any) -> None:
        """An environment variable, whose name says what its value is."""
        if not isinstance(entry, dict) or not isinstance(entry.get("name"), str) or not isinstance(entry.get("value"), str):
            self.value(entry)
            return
        meaning = self.meanings[entry["name"]]
        if meaning == "image":
            self.add(entry["value"], Form.WHOLE, steps=("value",))
        elif meaning == "odd":
            self.sounding(entry["name"], entry["value"], Form.WHOLE, steps=("value",))
        else:
            self.at("value", self.text, entry["value"])

    def arguments(self, items: list[Any]) -> None:
        """The words of a command: a flag says what stands after its equals sign, or in the next word."""
        expected = False
        for index, item in enumerate(items):
            self.path.append(index)
            is_flag = isinstance(item, str) and item.startswith("-")
            flag, equals, given = item.partition("=") if is_flag else ("", "", "")
            meaning = self.meanings[flag.lstrip("-")] if " " not in flag else ""
            if expected and isinstance(item, str) and not is_flag:
                self.add(item, Form.WHOLE)
            elif meaning == "image" and equals:
                self.add(given, Form.FLAG)
            elif meaning == "odd" and equals and not given.isdigit():
                self.sounding(flag, given, Form.FLAG)
            else:
                self.value(item)
            expected = meaning == "image" and not equals
            self.path.pop()

    def text(self, text: str) -> None:
        """A text that nothing says is a reference: its form may."""
        if ":" not in text or ("/" not in text and "@" not in text and "mage" not in text):
            return
        if _is_explicit(text):
            self.add(text, Form.WHOLE)
            return
        named = [name for name in _IN_TEXT.findall(text) if _is_versioned(name)]
        explicit = [token for found in _TOKEN.findall(text) if _is_explicit(token := found.rstrip(".:"))]
        for name in dict.fromkeys((*named, *explicit)):
            self.add(name, Form.TEXT)


def words(name: str) -> tuple[str, ...]:
    """The words of a key, a variable or a flag, in lower case: `imagePullPolicy` and `IMAGE_PULL_POLICY` have the same."""
    return tuple(word.lower() for word in _WORD.findall(name))


class _Meanings(dict[str, str]):
    """What a name says of its value: `image` for a reference, `odd` when it merely holds the word, else empty. Found out once."""

    def __init__(self, declared: Declared) -> None:
        super().__init__()
        self.declared = declared

    def __missing__(self, name: str) -> str:
        parts = words(name)
        joined = " ".join(parts)
        if joined in self.declared.named:
            meaning = "image"
        elif not _IMAGE.intersection(parts) or joined in self.declared.plain:
            meaning = ""
        else:
            meaning = "image" if parts[-1] == "image" else "odd"
        return self.setdefault(name, meaning)


@lru_cache(maxsize=4)
def _meanings(declared: Declared) -> _Meanings:
    return _Meanings(declared)


def _is_versioned(text: str) -> bool:
    """Whether a text is a reference with a tag or a digest."""
    if "://" in text:
        return False
    try:
        image = Image.parse(text)
    except InvalidInput:
        return False
    return image.tag is not None or image.digest is not None


def _is_explicit(text: str) -> bool:
    """Whether a text can only be meant as a reference: a digest after a name, or a registry host before a name with a tag."""
    if "@sha256:" in text:
        return not any(map(str.isspace, text))  # a malformed one too, which is then refused as such
    host, slash, rest = text.partition("/")
    name = host.partition(":")[0].rpartition(".")[2]
    return bool(slash) and ":" in rest and "." in host and name.isalpha() and _is_versioned(text)
