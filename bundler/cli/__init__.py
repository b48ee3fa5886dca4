"""The command line: one file a command, which parses, calls and prints.

Nothing here imports a stage at module level: `aicr --help` costs click and little more.
"""

from __future__ import annotations

import gc
import os
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING

from bundler.cli.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

__all__ = ["main"]

_OBJECTS = 100_000
"""Objects made between two collections: what a command makes lives until it ends, so that looking earlier finds nothing."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: the words after `aicr`; those of the process when None.

    Returns:
        The exit code (docs/reference/exit-codes.md).
    """
    gc.set_threshold(_OBJECTS)
    session = Session(sys.argv[1:] if arguments is None else arguments)
    code = _ended(session, lambda: _run(session))
    if session.wanted:
        from bundler.cli.reporting import write_reports

        code = max(code, _ended(session, lambda: write_reports(session, code)))
    return code


def _ended(session: Session, action: Callable[[], int]) -> int:
    """The exit code of an action, however it ends."""
    try:
        code = action()
        if sys.stdout is not None:
            sys.stdout.flush()
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001  (the last handler: anything becomes a message and a code)
        from bundler.cli.failure import conclude, findings_of

        session.findings += findings_of(error)
        return conclude(error, debug="--debug" in session.words or os.environ.get("AICR_DEBUG", "") not in {"", "0"})
    return code


def _run(session: Session) -> int:
    from click.exceptions import Exit

    from bundler.cli.commands import root

    if instruction := os.environ.get("_AICR_COMPLETE"):
        from bundler.cli.completing import respond

        return respond(root, instruction)
    try:
        with _tables(), root.make_context("aicr", list(session.words), obj=session) as context:
            root.invoke(context)
    except Exit as stop:
        return stop.exit_code
    return 0


def _tables() -> AbstractContextManager[None]:
    """How tables are drawn: for a terminal where stdout is one, else plain."""
    if sys.stdout is None or not sys.stdout.isatty():
        return nullcontext()
    from bundler.cli.drawing import drawn_for_a_terminal
    from bundler.cli.terminal import is_terminal

    return drawn_for_a_terminal() if is_terminal(sys.stdout) else nullcontext()
