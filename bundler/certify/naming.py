"""Names of Workflows: cut to what a controller allows, and told apart by a hash of the whole.

Source: pkg/naming and getWorkflowName of NVIDIA/cluster-readiness-engine. The hash is FNV-1a of 32 bits, of which the first five
hex digits stand. Its command line leaves out what tells two categories of one entry apart; its controller does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bundler.model.document import JsonObject

__all__ = ["LIMIT", "names_of", "shortened"]

LIMIT = 31
"""The longest name of a Workflow, which leaves room for what its jobs and pods append."""

_HASH_DIGITS = 5
_OFFSET = 0x811C9DC5
_PRIME = 0x01000193


def names_of(certification: str, categories: Sequence[JsonObject]) -> tuple[str, ...]:
    """The names of a Certification's Workflows. One of several categories of an entry has its options in its name.

    Args:
        certification: its name.
        categories: as it states them.
    """
    entries = [(category["domain"], category["variant"]) for category in categories]
    return tuple(
        shortened("-".join((certification, *entry, *(_told(category.get("options") or {}) if entries.count(entry) > 1 else ()))))
        for entry, category in zip(entries, categories, strict=True)
    )


def shortened(name: str, limit: int = LIMIT) -> str:
    """A name of at most `limit` characters; one that fits stays as it is."""
    if len(name) <= limit:
        return name
    kept = name[: limit - _HASH_DIGITS - 1].rstrip("-")
    return f"{kept}-{f'{_fnv(name):05x}'[:_HASH_DIGITS]}"


def _told(options: JsonObject) -> Iterator[str]:
    """What the controller puts into a name, in its order."""
    if "nodesPerJob" in options:
        yield f"n{options['nodesPerJob']}"
    if "enableMNNVL" in options:
        yield "mnnvl" if options["enableMNNVL"] else "nomnnvl"
    if options.get("testScale"):
        yield options["testScale"]
    if options.get("enableCheckpoint"):
        yield "ckpt"
    for option, letter in (("maxSteps", "s"), ("exitDurationMins", "e"), ("gpusPerNode", "g")):
        if option in options:
            yield f"{letter}{options[option]}"


def _fnv(text: str) -> int:
    value = _OFFSET
    for byte in text.encode():
        value = ((value ^ byte) * _PRIME) & 0xFFFFFFFF
    return value
