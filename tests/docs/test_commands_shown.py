"""Every `aicr …` that a page shows and no test can run, in a sentence, a script or a pipeline, names what exists.

What stands in a `console` fence is run (`test_examples.py`). Here the words are held against the commands; what they stand for,
such as DIR, is nobody's.
"""

import re
import shlex
from pathlib import Path

import click
import pytest

from bundler.cli.commands import root

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`(aicr [^`]+)`")
COMMAND = re.compile(r"(?<![\w./-])(?<!--tool )aicr (?=[a-z-])[^|;)>`]*")
IN_QUOTES = re.compile(r"([\"'])(aicr [^\"']*)\1")
RUN = {"console", "python", "text"}


def shown(text):
    """Every command line that is shown and not run."""
    for fence in FENCE.finditer(text):
        if fence["info"].split(" ")[0] not in RUN:
            for line in fence["body"].replace("\\\n", " ").splitlines():
                if not line.lstrip().startswith("#"):
                    yield from (found[2] for found in IN_QUOTES.finditer(line))
                    yield from COMMAND.findall(IN_QUOTES.sub("", line))
    for found in INLINE.findall(FENCE.sub("", text)):
        yield from COMMAND.findall(found)


def words(line):
    try:
        return shlex.split(line.split("&&")[0], comments=True)[1:]
    except ValueError:
        return line.split()[1:]


def unknown(line):
    """The first word of a command line that is no command or no option of its command, or None."""
    command, rest = root, words(line)
    # As the program makes it: a command keeps the option of its help, by the names that its first context has for it.
    context = root.make_context("aicr", [], resilient_parsing=True)
    while isinstance(command, click.Group) and rest and re.fullmatch(r"[a-z][a-z-]*", rest[0]):
        below = command.get_command(context, rest[0])
        if below is None:
            return rest[0]
        command, context, rest = below, click.Context(below, info_name=rest[0], parent=context), rest[1:]
    options = {name for parameter in command.get_params(context) for name in (*parameter.opts, *parameter.secondary_opts)}
    return next((word for word in rest if word.startswith("-") and len(word) > 1 and word.partition("=")[0] not in options), None)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_and_option_shown_exists(page):
    lines = list(shown(page.read_text(encoding="utf-8")))
    assert [(line, word) for line in lines if (word := unknown(line)) is not None] == []


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("`aicr lint`, and `aicr bundle --check DIR`", ["aicr lint", "aicr bundle --check DIR"]),
        ("```sh\nfor x in *; do aicr verify $x; done\n```\n", ["aicr verify $x"]),
        ("```yaml\n- run: aicr lint data --report github | tee x\n```\n", ["aicr lint data --report github "]),
        ('```sh\ngit difftool --extcmd "aicr diff" main\n```\n', ["aicr diff"]),
        ("```console\n$ aicr nonsense\n```\n", []),
        ("pip install aicr is not one", []),
    ],
)
def test_commands_are_found_where_they_are_shown(text, lines):
    assert list(shown(text)) == lines


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("aicr lint --strict", None),
        ("aicr recipe show NAME -t json", None),
        ("aicr bundel x", "bundel"),
        ("aicr bundle --chekc x", "--chekc"),
        ("aicr completion bash", None),
        ("aicr --version", None),
    ],
)
def test_a_word_that_is_none_is_named(line, word):
    assert unknown(line) == word
