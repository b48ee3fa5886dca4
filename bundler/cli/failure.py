"""How every command ends when something stops it: findings on stderr in one shape, one exit code, no traceback."""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path

import click

from bundler.cli.terminal import say
from bundler.compose.wording import near_name, shown
from bundler.errors import AicrError
from bundler.exitcodes import ExitCode
from bundler.model.finding import Finding
from bundler.model.location import Location
from bundler.report.printable import printable, shortened

__all__ = ["conclude", "findings_of", "usage_finding"]

_INTERRUPTED = 130
_BROKEN_PIPE = 141


def conclude(error: BaseException, *, debug: bool) -> int:
    """Say what stopped the command.

    Args:
        error: anything raised.
        debug: whether an internal error shows its traceback.

    Returns:
        The exit code. An interrupt and a reader that went away end as a shell reports their signals: 130 and 141.
    """
    match error:
        case AicrError():
            say(findings_of(error))
            return error.exit_code
        case click.UsageError():
            say(findings_of(error))
            return ExitCode.INVALID
        case BrokenPipeError():
            _silence_stdout()
            return _BROKEN_PIPE
        case KeyboardInterrupt() | click.Abort():
            return _INTERRUPTED
        case _:
            _internal(error, debug=debug)
            return ExitCode.INTERNAL


def findings_of(error: BaseException) -> tuple[Finding, ...]:
    """What an error says as findings; nothing for one that no user caused."""
    match error:
        case AicrError():
            return error.findings
        case click.UsageError():
            return (usage_finding(error),)
        case _:
            return ()


def usage_finding(error: click.UsageError) -> Finding:
    """A usage error of click as a finding, with the nearest option where one is mistyped."""
    path = error.ctx.command_path if error.ctx else "aicr"
    location = Location(file=path)
    see_help = f"see '{path} --help'"
    if isinstance(error, click.NoSuchOption):
        known = [name for parameter in error.ctx.command.params for name in parameter.opts] if error.ctx else []
        near = near_name(error.option_name, known)
        fix = f"did you mean {near!r}?" if near else see_help
        return Finding(rule="AICR-U002", message=f"no option {shown(error.option_name)}", location=location, fix=fix)
    message = error.format_message().rstrip(".")
    return Finding(rule="AICR-U003", message=f"{message[:1].lower()}{message[1:]}", location=location, fix=see_help)


def _silence_stdout() -> None:
    """Let the interpreter's last flush go nowhere: whoever read stdout is gone."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, sys.stdout.fileno())
    os.close(sink)


def _internal(error: BaseException, *, debug: bool) -> None:
    if debug:
        click.echo(printable("".join(traceback.format_exception(error)), keep="\n"), err=True, nl=False)
    ours = [frame for frame in traceback.extract_tb(error.__traceback__) if "bundler" in Path(frame.filename).parts]
    place = f" at {Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else ""
    what = shortened(printable(f"{type(error).__name__}: {error}"), 300)
    hint = "report this line with the traceback above" if debug else "report this line with what AICR_DEBUG=1 prints"
    click.echo(f"internal error: {what}{place}; {hint}", err=True)
