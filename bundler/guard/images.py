"""Two image references: whether they name the same bytes, and what differs when they do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bundler.errors import InvalidInput
from bundler.kube.image import Image

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["image_difference"]

_SAME = "name one image, by tag and digest, in both"


def image_difference(runtime: str, fixture: str) -> Iterator[tuple[str, str, str]]:
    """Rule, what to say of the field, and how to mend it, for each way in which two references differ.

    One digest is one image, wherever it is fetched from and whatever tag stands beside it.
    """
    try:
        ours, theirs = Image.parse(runtime), Image.parse(fixture)
    except InvalidInput:
        yield "AICR-G001", f"is {runtime!r} in the runtime and {fixture!r} in the fixture", _SAME
        return
    if ours.digest and theirs.digest:
        if ours.digest != theirs.digest or ours.repository != theirs.repository:
            yield "AICR-G001", f"is {runtime!r} in the runtime and {fixture!r} in the fixture", _SAME
        return
    if (ours.name, ours.tag) != (theirs.name, theirs.tag):
        one, other = (f"{image.name}:{image.tag}" if image.tag else image.name for image in (ours, theirs))
        yield "AICR-G001", f"is {one!r} in the runtime and {other!r} in the fixture", _SAME
    if bool(ours.digest) != bool(theirs.digest):
        pinned, loose = ("runtime", fixture) if ours.digest else ("fixture", runtime)
        other = "fixture" if pinned == "runtime" else "runtime"
        message = f"is pinned by digest in the {pinned}; in the {other} it is {loose!r}, and a tag can move"
        yield "AICR-G008", message, "pin the digest in both"
