"""The two streams: product on stdout as UTF-8 bytes, everything said to a person on stderr."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from bundler.cli.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import IO

    from bundler.model.finding import Finding

__all__ = ["coloured", "emit", "is_terminal", "remark", "say"]


def coloured(stream: IO[str] | None) -> bool:
    """Whether to colour what is written to a stream: never with NO_COLOR, else always with FORCE_COLOR, else on a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return is_terminal(stream)


def is_terminal(stream: IO[str] | None) -> bool:
    """Whether a stream is a terminal on which the cursor can be moved."""
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"


def emit(product: str) -> None:
    """Write to stdout, the same bytes in every locale."""
    click.echo(product.encode(), nl=False)


def say(findings: Iterable[Finding]) -> None:
    """Write findings to stderr in the fixed shape, and keep them for the reports of this run."""
    from bundler.report.text import findings_text

    every = tuple(findings)
    context = click.get_current_context(silent=True)
    if context is not None and (session := context.find_object(Session)) is not None:
        session.findings += every
    colour = coloured(sys.stderr)
    click.echo(findings_text(every, colour=colour), err=True, nl=False, color=colour)


def remark(text: str) -> None:
    """Write a line to stderr."""
    from bundler.report.printable import printable

    click.echo(printable(text, keep="\n"), err=True)
