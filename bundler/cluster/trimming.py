"""An object of a cluster, cut down to the fields that are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bundler.cluster.facts import EACH
from bundler.report.redaction import HIDDEN, redacted, telling

if TYPE_CHECKING:
    from bundler.cluster.facts import Fact, Tree
    from bundler.model.document import JsonObject

__all__ = ["Trimmer", "TrimmingError"]

_DEEPEST = 64
_LONGEST = 2000
"""What is longer is a script or a configuration, which redaction would cut."""


class TrimmingError(Exception):
    """An object cannot be kept; the text says why, in one line."""


class Trimmer:
    """Cuts objects of one file or answer down, and counts what it keeps: aliases in a file could stand for billions of values."""

    def __init__(self, budget: int) -> None:
        """Start with nothing kept.

        Args:
            budget: values that may be kept. Without aliases every value takes at least one byte of the text.
        """
        self._left = budget

    def trim(self, data: JsonObject, fact: Fact) -> JsonObject:
        """The object with its API version, its kind, and the fields that are read; maps by key, so that all clients agree.

        Raises:
            TrimmingError: it is nested too deeply, or expands to more values than the text has.
        """
        kept = self._kept(data, fact.kept, _DEEPEST) or {}
        # Only where all of a spec is kept can it hold what a user wrote for containers.
        safe = _without_secrets(kept) if fact.kept.get("spec") == {} else kept
        return {"apiVersion": fact.api_version, "kind": fact.kind, **safe}

    def _kept(self, value: Any, tree: Tree, levels: int) -> Any:
        """What the tree keeps of a value, or None when nothing is there."""
        if not tree:
            return self._whole(value, levels)
        if isinstance(value, list):
            below = tree.get(EACH)
            if below is None:
                return None
            return [each for item in value if (each := self._kept(item, below, levels - 1)) is not None]
        if not isinstance(value, dict):
            return None
        found = {}
        for step, below in tree.items():
            if step in value and (each := self._kept(value[step], below, levels - 1)) is not None:
                found[step] = each
        return found or None

    def _whole(self, value: Any, levels: int) -> Any:
        self._left -= 1
        if self._left < 0:
            raise TrimmingError("aliases expand it to more values than it has bytes")
        if not levels:
            raise TrimmingError(f"its maps and lists are nested more than {_DEEPEST} deep")
        if type(value) is dict:
            self._left -= len(value)
            # Most values of a node are labels: texts, of which nothing but their number has to be known.
            return {key: item if type(item := value[key]) is str else self._whole(item, levels - 1) for key in sorted(value)}
        if type(value) is list:
            return [self._whole(item, levels - 1) for item in value]
        return value


def _without_secrets(value: Any) -> Any:
    """The value without what its name or its form tells to be a secret, such as a token in the environment of a runtime."""
    match value:
        case {"name": str() as name, "value": str()} if telling(f"/{name}"):
            return {**value, "value": HIDDEN}
        case dict():
            return {key: _without_secrets(item) for key, item in value.items()}
        case list():
            return [_without_secrets(item) for item in value]
        case str():
            return redacted(value) if len(value) <= _LONGEST else value
        case _:
            return value
