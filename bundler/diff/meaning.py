"""What the two values of an edit do not show by themselves: that they are one amount, one image, or that their order decides."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bundler.dataclass import dataclass
from bundler.diff.change import How, Risk
from bundler.errors import InvalidInput
from bundler.guard.contract import Order
from bundler.guard.projection import KEYS
from bundler.guard.values import same_amount
from bundler.kube.image import Image
from bundler.model.pointer import resolve, tokens

if TYPE_CHECKING:
    from bundler.diff.change import Edit
    from bundler.diff.side import Item
    from bundler.guard.contract import Line

__all__ = ["Meaning", "meaning"]

_REFERENCE = re.compile(r"\$\(([-._A-Za-z0-9]+)\)")
_WORDS = {bool: "a boolean", int: "a number", float: "a number", str: "a text", type(None): "null"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What is said of an edit besides its values, and the risk where that is known better than by its path."""

    note: str = ""
    risk: Risk | None = None


def meaning(edit: Edit, after: Item | None, line: Line | None) -> Meaning:
    """What an edit means.

    Args:
        edit: any edit.
        after: the item as it is.
        line: the line of the contract by which the field is the fabric's.
    """
    if edit.how is How.REORDERED:
        return _order(edit, after, line)
    if edit.how is not How.CHANGED:
        return Meaning()
    steps = tokens(edit.path)
    if len(steps) > 1 and steps[-2] in {"limits", "requests"} and same_amount(edit.before, edit.after):
        return Meaning(note="the same amount", risk=Risk.LOW)
    if steps and steps[-1] == "image" and isinstance(edit.before, str) and isinstance(edit.after, str):
        return _image(edit.before, edit.after)
    was, now = (_WORDS.get(type(value)) for value in (edit.before, edit.after))
    return Meaning(note=f"{was} became {now}" if was and now and was != now else "")


def _image(before: str, after: str) -> Meaning:
    try:
        ours, theirs = Image.parse(before), Image.parse(after)
    except InvalidInput:
        return Meaning()
    if ours.digest and ours.digest == theirs.digest:
        if ours.name == theirs.name:
            return Meaning(note="the same image by its digest", risk=Risk.LOW)
        return Meaning(note="the same image by its digest, from another place", risk=Risk.LOW)
    if ours.repository != theirs.repository:
        return Meaning(note="another repository")
    if ours.registry != theirs.registry:
        return Meaning(note="another registry, and another image" if theirs.digest else "another registry")
    return Meaning(note="the same tag, another digest" if ours.tag == theirs.tag and ours.digest else "")


def _order(edit: Edit, after: Item | None, line: Line | None) -> Meaning:
    """What another order of a list means.

    A variable is expanded from those above it alone (Kubernetes, `EnvVar.value`); init containers start one after the other.
    """
    name = tokens(edit.path)[-1] if edit.path else ""
    if name == "env":
        broken = _refers_down(resolve(after.data, edit.at[1]) if after is not None else [])
        if broken:
            return Meaning(note=f"{broken[0]} refers to {broken[1]}, which stands below it and is not expanded", risk=Risk.HIGH)
        return Meaning(note="no variable refers to one below it", risk=Risk.LOW)
    if name == "initContainers":
        return Meaning(note="init containers start in this order")
    if name in KEYS or (line is not None and line.order is Order.FREE):
        return Meaning(note="the order of this list means nothing", risk=Risk.LOW)
    return Meaning(note="only the order differs")


def _refers_down(env: Any) -> tuple[str, str] | None:
    """The first variable that refers to one below it."""
    names = [str(entry.get("name", "")) for entry in env]
    for number, entry in enumerate(env):
        value = entry.get("value")
        for match in _REFERENCE.finditer(value if isinstance(value, str) else ""):
            if match[1] in names[number + 1 :] and match[1] not in names[:number]:
                return names[number], match[1]
    return None
