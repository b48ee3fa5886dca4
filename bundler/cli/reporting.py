"""`--report`: what a command says to a person, written once more for a program, when the command has ended, however it ends."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bundler import __version__
from bundler.cli.command import Flag
from bundler.cli.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable

    from bundler.report.report import Report

    Function = Callable[..., None]

__all__ = ["FORMATS", "report_flag", "write_reports"]

FORMATS = ("sarif", "junit", "json", "markdown", "github")

_STDOUT = "-"


def report_flag(function: Function) -> Function:
    """Add `--report` to a command. Its other options may be wrong: this one is read first, so that the report says so."""
    return click.option(
        "--report",
        cls=Flag,
        multiple=True,
        is_eager=True,
        expose_value=False,
        callback=_ask,
        metavar="FORMAT[=FILE]",
        shell_complete=lambda _context, _parameter, incomplete: [name for name in FORMATS if name.startswith(incomplete)],
        help=f"Write the findings as {', '.join(FORMATS[:-1])} or {FORMATS[-1]} to FILE, else to stdout. Repeatable.",
    )(function)


def write_reports(session: Session, code: int) -> int:
    """Write every report that was asked for.

    Args:
        session: a run that has ended.
        code: what it ended with.

    Returns:
        0, or the exit code of what kept a report from being written; the others are written nevertheless.
    """
    from bundler.cli.failure import conclude
    from bundler.cli.terminal import emit
    from bundler.errors import AicrError
    from bundler.publish.single import write_file
    from bundler.report.report import Report

    report = Report.of(
        session.findings,
        command=session.command,
        version=__version__,
        exit_code=code,
        words=session.words,
        root=str(Path.cwd()),
    )
    failed = [0]
    for form, file in session.wanted:
        text = _written(form, report)
        if file is None:
            emit(text)
            continue
        try:
            write_file(file, text.encode())
        except AicrError as error:
            failed.append(conclude(error, debug=False))
    return max(failed)


def _written(form: str, report: Report) -> str:
    match form:
        case "sarif":
            from bundler.report.sarif import sarif as write
        case "junit":
            from bundler.report.junit import junit as write
        case "json":
            from bundler.report.json_report import json_report as write
        case "markdown":
            from bundler.report.markdown import markdown as write
        case _:
            from bundler.report.github import github as write
    return write(report)


def _ask(context: click.Context, _parameter: click.Parameter, given: tuple[str, ...]) -> None:
    """Keep what is asked for, in the session of this run.

    Raises:
        InvalidInput: a format is not known, a file has no name, or two reports would be one.
    """
    session = context.find_object(Session)
    if session is None or context.resilient_parsing:
        return
    session.command = context.command_path
    for text in given:
        session.wanted.append(_asked(text, session))


def _asked(text: str, session: Session) -> tuple[str, Path | None]:
    from bundler.compose.wording import nearest, shown
    from bundler.errors import InvalidInput
    from bundler.model.location import Location

    form, equals, name = text.partition("=")
    location = Location(file=f"--report {text}")
    if form not in FORMATS:
        fix = nearest(form, FORMATS, label="formats")
        raise InvalidInput("AICR-U034", f"no report format {shown(form)}", location=location, fix=fix)
    if equals and not name:
        raise InvalidInput("AICR-U035", "the path of the report is empty", location=location, fix=f"write {form}=FILE")
    file = Path(name) if name not in {"", _STDOUT} else None
    if any((file and file.resolve()) == (other and other.resolve()) for _, other in session.wanted):
        place = shown(name) if file else "stdout"
        raise InvalidInput("AICR-U035", f"two reports to {place}", location=location, fix="give each report a file of its own")
    return form, file
