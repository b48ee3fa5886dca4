"""How far something long has come: a line on a terminal's stderr that is gone when it is done, and nothing anywhere else."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from bundler.cli.terminal import is_terminal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from bundler.model.watch import Watch

__all__ = ["watching"]


def watching(what: str) -> Watch:
    """A watcher that says how many are done.

    Args:
        what: in a word or two, such as `recipes`.
    """

    def watch(items: Collection[Any]) -> Iterable[Any]:
        return _shown(items, what) if is_terminal(sys.stderr) else items

    return watch


def _shown(items: Collection[Any], what: str) -> Iterator[Any]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    # What is printed meanwhile goes its own way: stdout is the product, byte for byte.
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False) as progress:
        yield from progress.track(items, total=len(items), description=what)
