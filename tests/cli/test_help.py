"""Requirements on help: every command has it, its first line is the table's, and asking for it imports no stage."""

import subprocess
import sys

import click
import pytest

from bundler.cli.commands import COMMANDS, root
from bundler.compose.wording import listed

HEAVY = {"yaml", "jinja2", "jsonschema_rs", "jsonpatch", "json", "difflib", "dataclasses"}


def every_command(command=root, path=()):
    context = click.Context(command, info_name=path[-1] if path else "aicr")
    yield path, command
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            yield from every_command(command.get_command(context, name), (*path, name))


WRONG_SHELL = "invalid value for '{bash|zsh|fish}': 'bsh' is not one of 'bash', 'zsh', 'fish'"
COMMAND_PATHS = [path for path, _ in every_command()]


@pytest.mark.parametrize("path", COMMAND_PATHS, ids=" ".join)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_every_command_prints_its_help(run, path, flag):
    code, out, err = run(*path, flag)
    assert (code, err) == (0, "")
    assert out.startswith(f"Usage: {' '.join(('aicr', *path))}")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_starts_its_help_with_its_line_in_the_table(name):
    command = root.get_command(click.Context(root), name)
    assert command.help.splitlines()[0] == COMMANDS[name]


@pytest.mark.parametrize("words", [(), ("recipe",), ("profile",)], ids=["aicr", "recipe", "profile"])
def test_a_group_without_a_command_prints_its_help_as_a_usage_error(run, words):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert err.startswith("Usage: aicr")


def test_examples_in_help_keep_their_lines(run):
    assert "\n    aicr bundle --check out\n" in run("bundle", "--help").out


def test_help_shows_the_flags_of_a_bundle_in_sections(run):
    out = run("bundle", "--help").out
    sections = ["What to bundle:", "Profiles and their parameters:", "Component values", "Placement:", "Where to (one of):"]
    assert [out.index(section) for section in sections] == sorted(out.index(section) for section in sections)


def imports(*words):
    """The modules that a Python process imports."""
    result = subprocess.run([sys.executable, "-X", "importtime", *words], capture_output=True, text=True, check=True)
    return {line.rpartition("|")[2].strip() for line in result.stderr.splitlines() if line.startswith("import time:")}


def test_asking_for_help_imports_click_and_no_stage():
    result = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "bundler", "--help"], capture_output=True, text=True, check=True
    )
    imported = {line.rpartition("|")[2].strip() for line in result.stderr.splitlines() if line.startswith("import time:")}
    by_click = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", "import click"], capture_output=True, text=True, check=True
    )
    needed = {line.rpartition("|")[2].strip() for line in by_click.stderr.splitlines()}
    assert {name for name in imported if name.startswith("bundler")} == {
        "bundler",
        "bundler.cli",
        "bundler.cli.command",
        "bundler.cli.commands",
        "bundler.cli.session",
    }
    assert imported & HEAVY <= needed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("bnudle", "U001]: no command 'bnudle' | aicr | did you mean 'bundle'?"),
        ("recipe lst", "U001]: no command 'lst' | aicr recipe | did you mean 'list'?"),
        ("xyzzy", f"U001]: no command 'xyzzy' | aicr | commands: {listed(sorted(COMMANDS))}"),
        ("--verison", "U002]: no option '--verison' | aicr | did you mean '--version'?"),
        ("bundle --recpie x", "U002]: no option '--recpie' | aicr bundle | did you mean '--recipe'?"),
        ("bundle --qqq", "U002]: no option '--qqq' | aicr bundle | see 'aicr bundle --help'"),
        ("bundle -o", "U003]: option '-o' requires an argument | aicr bundle | see 'aicr bundle --help'"),
        ("bundle x", "U003]: got unexpected extra argument (x) | aicr bundle | see 'aicr bundle --help'"),
        ("profile show", "U003]: missing argument 'AXIS' | aicr profile show | see 'aicr profile show --help'"),
        ("completion bsh", f"U003]: {WRONG_SHELL} | aicr completion | see 'aicr completion --help'"),
        ("bundle --check=", "U003]: invalid value for '--check': the path is empty | aicr bundle | see 'aicr bundle --help'"),
    ],
)
def test_a_mistyped_word_is_a_finding_with_the_way_out(run, words, said):
    code, out, err = run(*words.split())
    message, place, fix = said.split(" | ")
    assert (code, out) == (2, "")
    assert err == f"error[AICR-{message}\n  --> {place}\n  fix: {fix}\n"


@pytest.mark.parametrize("words", [("version",), ("--version",)])
def test_the_version_is_printed(run, words):
    from bundler import __version__

    assert tuple(run(*words)) == (0, f"aicr {__version__}\n", "")
