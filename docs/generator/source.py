"""Pages made from the code: rules, exit codes and commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bundler.cli.commands import root
from bundler.exitcodes import ExitCode
from bundler.model.rules import RULES
from generator.text import table

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["commands", "exit_codes", "rules"]

_LETTERS = {
    "Y": "Reading YAML",
    "S": "Authored documents and their schemas",
    "C": "Criteria, layers, merging, constraints, patches, overrides",
    "P": "Profiles and parameters",
    "T": "Templates",
    "K": "Kubernetes conformance",
    "F": "Fabric wiring",
    "G": "Fixtures against runtimes",
    "R": "Certification",
    "J": "TrainJobs",
    "D": "Differences",
    "Q": "Facts of a cluster",
    "E": "Evidence from logs",
    "V": "Validation",
    "N": "Nodes, and what a snapshot of them proves",
    "L": "Fleets",
    "I": "Images, bills of materials, locks, relocation",
    "O": "Output",
    "A": "Applying bundles",
    "U": "The command line",
    "X": "Import of upstream recipes",
}

_EXIT_CODES = {
    ExitCode.OK: ("Nothing is wrong; there is no difference.", "go on"),
    ExitCode.FOUND: ("A check found something: a difference, drift, or an error of `aicr lint`.", "read the findings on stderr"),
    ExitCode.INVALID: ("Bad usage or bad input, such as criteria that match no recipe.", "mend the input; the findings say where"),
    ExitCode.NOT_FOUND: ("A file or a name that was given does not exist.", "mend the name; the nearest one is named"),
    ExitCode.TIMEOUT: ("A limit of time was reached.", "try again, or raise the limit"),
    ExitCode.UNAVAILABLE: ("Something is busy, locked or out of reach.", "try again later"),
    ExitCode.INTERNAL: ("A defect of aicr.", "report it, with what `AICR_DEBUG=1` prints"),
}


def rules() -> Iterator[str]:
    """The page `rules.md`."""
    yield "# Rules"
    yield ""
    yield "Every finding names one of these rules. An id keeps its meaning for ever; a rule that goes leaves its number unused."
    for letter in dict.fromkeys(rule.id[5] for rule in RULES.values()):
        yield ""
        yield f"## {letter}: {_LETTERS[letter]}"
        yield ""
        of_letter = (rule for rule in RULES.values() if rule.id[5] == letter)
        yield from table(("rule", "finding", "why"), ((rule.id, rule.title, rule.why) for rule in of_letter))


def exit_codes() -> Iterator[str]:
    """The page `exit-codes.md`."""
    yield "# Exit codes"
    yield ""
    yield "A difference, bad input and a failure never share a code. Findings go to stderr, the product to stdout."
    yield ""
    yield from table(
        ("code", "name", "meaning", "what to do"), ((str(code.value), code.name, *_EXIT_CODES[code]) for code in ExitCode)
    )


def commands() -> Iterator[str]:
    """The page `cli.md`."""
    yield "# Commands"
    yield ""
    yield "What `--help` prints, for every command."
    yield from _command(root, click.Context(root, info_name="aicr", terminal_width=100))


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    yield ""
    yield f"## {context.command_path}"
    yield ""
    yield "```text"
    yield from (line.rstrip() for line in command.get_help(context).splitlines())
    yield "```"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None and not below.hidden:
                yield from _command(below, click.Context(below, info_name=name, parent=context, terminal_width=100))
