"""What committed bundles of a fleet and fresh renders of them differ in, cluster by cluster."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bundler.compose.wording import plural
from bundler.diff.classes import Classes
from bundler.diff.diff import diff
from bundler.diff.side import Tree
from bundler.errors import NotFound
from bundler.fleet.work import bundle_of
from bundler.report.changes import summary, told
from bundler.report.changes_json import changes_data
from bundler.report.changes_markdown import markdown
from bundler.report.changes_text import brief, human
from bundler.report.markdown import LIMIT
from bundler.sides.opening import open_side

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bundler.catalog.catalog import Catalog
    from bundler.diff.change import Changes
    from bundler.diff.diff import Ignore
    from bundler.fleet.cluster import Cluster

__all__ = ["difference", "differences_text"]

_SHORTEST, _LAST = 600, 40
"""Bytes of a section that says something, and of the line that counts those for which there is no room."""


def difference(catalog: Catalog, cluster: Cluster, root: Path, ignore: Sequence[Ignore] = ()) -> Changes:
    """What differs from the committed bundle of a cluster to a fresh render, without secrets.

    A bundle that was never written is one of no files.

    Raises:
        AicrError: the cluster cannot be bundled, or its directory cannot be read.
    """
    bundle = bundle_of(catalog, cluster)
    directory = str(root / cluster.output)
    try:
        before = open_side(directory, recipes=(), render=lambda _recipe: bundle)
    except NotFound:
        before = Tree(label=directory, files={})
    after = Tree(label=f"{cluster.name}, rendered", files=bundle.files, root=before.root)
    return told(diff(before, after, catalog.derived(Classes.of), ignore=ignore))


def differences_text(differing: Sequence[tuple[Cluster, Changes]], form: str, *, colour: bool = False, limit: int = LIMIT) -> str:
    """The differences in one of the formats.

    Args:
        differing: the clusters that differ, with their changes.
        form: `human`, `brief`, `markdown` or `json`.
        colour: whether the human format is coloured.
        limit: bytes of a comment, which Markdown keeps to: the clusters share it.
    """
    match form:
        case "json":
            return (
                json.dumps([{"cluster": cluster.name, **changes_data(changes)} for cluster, changes in differing], indent=2) + "\n"
            )
        case "markdown":
            return _markdown(differing, limit)
        case "brief":
            return "".join(f"# {cluster.name}: {summary(changes)}\n{brief(changes)}" for cluster, changes in differing)
        case _:
            return "".join(
                f"# {cluster.name}: {summary(changes)}\n\n{human(changes, colour=colour)}" for cluster, changes in differing
            )


def _markdown(differing: Sequence[tuple[Cluster, Changes]], limit: int) -> str:
    """A section for each cluster as long as there is room, then the number of the others."""
    parts, room = [], limit
    for position, (cluster, changes) in enumerate(differing):
        left = len(differing) - position
        head = f"## {cluster.name}\n\n"
        spare = room - (_LAST if left > 1 else 0)
        share = max(spare // left, _SHORTEST)
        if spare < share:
            parts.append(f"{plural(left, 'more cluster')} with differences.\n")
            break
        parts.append(head + markdown(changes, limit=share - len(head) - 1))
        room -= len(parts[-1].encode()) + 1
    return "\n".join(parts)
