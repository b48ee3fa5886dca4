"""What a deployer is: settings that it takes, documents that it makes of a bundle's content, and what the user then runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from bundler.dataclass import dataclass

if TYPE_CHECKING:
    from bundler.model.document import JsonObject
    from bundler.publish.deployers.content import Content

__all__ = ["ROOT", "Deployer", "Document", "Settings"]

ROOT = "deploy"
"""The directory of all that a deployer adds to a bundle."""

Settings = Mapping[str, str]
"""Setting → value, defaults filled in: only settings that the deployer takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One file that a deployer adds.

    Attributes:
        path: below the deployer's own directory.
        schema: name below `schemas/` of what the data must conform to.
        data: one object.
    """

    path: str
    schema: str
    data: JsonObject = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployer:
    """One deployer.

    Attributes:
        name: what `--deployer` calls it, and its directory below `deploy/`.
        help: what applies the bundle, in a few words.
        documents: the files of its directory.
        commands: what the user runs from the bundle's directory, in order.
        settings: what it takes: setting → default, or None when it must be stated.
        charts: whether it needs a chart around plain objects that have none.
        takes_values: whether a cluster can give values of its own at install time.
    """

    name: str
    help: str
    documents: Callable[[Content, Settings], Iterator[Document]]
    commands: Callable[[Content, Settings], Sequence[str]]
    settings: Mapping[str, str | None] = field(default_factory=dict)
    charts: bool = False
    takes_values: bool = True
