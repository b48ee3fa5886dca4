"""Every command and every program shown in the README and in docs/ runs, in one scratch folder a page, and prints what is shown.

A page writes a file with a fence such as ```` ```yaml file=site/overlays/os/x.yaml ````. A ```` ```console ```` fence holds
commands after `$ ` and their output: no output means that it is not compared, a line `...` stands for any lines and `…` for
anything in a line, and the exit code is 0 unless `$ echo $?` follows and shows another. A ```` ```python ```` fence is a
program; a ```` ```text output ```` fence after it is what it prints.

A command of `aicr` alone, which asks nothing of the shell, runs in this process: there are hundreds, and most of what each
would do in its own is start. Everything else is played by bash, where `aicr` is this checkout's.
"""

import io
import os
import re
import shlex
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from itertools import pairwise
from pathlib import Path

import pytest

from bundler.cli import main

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```(?P<info>[^\n`]+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
GENERATED = ROOT / "docs" / "reference"
EXAMPLES = [
    page
    for page in PAGES
    if page.parent != GENERATED and re.search(r"^```(console|python)", page.read_text(encoding="utf-8"), re.MULTILINE)
]


def name_of(page):
    return str(page.relative_to(ROOT))


@pytest.fixture
def environment(tmp_path):
    """A scratch folder, and an `aicr` on PATH which is this checkout's."""
    program = tmp_path / "bin" / "aicr"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bundler "$@"\n')
    program.chmod(0o755)
    (tmp_path / "folder").mkdir()
    return {
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "HOME": str(tmp_path),
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
        "COLUMNS": "100",
    }


def steps(body):
    """The commands of a console fence, each with the lines shown after it."""
    found = []
    for line in body.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found and found[-1][0].endswith("\\"):
            found[-1] = (f"{found[-1][0]}\n{line}", [])
        else:
            found[-1][1].append(line)
    return found


def agrees(shown, printed):
    """Whether what is printed is what is shown, where a line `...` stands for any lines and `…` for anything in a line."""
    parts = [
        re.escape(part).replace("…", ".+")
        for part in re.split(r"^\.\.\.$\n?", "".join(f"{line}\n" for line in shown), flags=re.MULTILINE)
    ]
    return re.fullmatch("(?:.*\n)*?".join(parts), printed) is not None


def run(words, environment, folder):
    return subprocess.run(
        words,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )


def words_of(command):
    """The words of a command of `aicr` that asks nothing of the shell; None for any other."""
    plain = command.startswith("aicr ") and not re.search(r"[|&;<>$*?~`(){}!#]|\[[^\]]*\]", command)
    return shlex.split(command.replace("\\\n", " "))[1:] if plain else None


def play(command, environment, folder, monkeypatch):
    """Exit code and output of one command."""
    words = words_of(command)
    if words is None:
        result = run(["bash", "-c", command], environment, folder)
        return result.returncode, result.stdout
    printed = io.BytesIO()
    stream = io.TextIOWrapper(printed, encoding="utf-8", write_through=True)
    with monkeypatch.context() as patch, chdir(folder), redirect_stdout(stream), redirect_stderr(stream):
        for name in os.environ.keys() - environment.keys():
            patch.delenv(name)
        for name, value in environment.items():
            patch.setenv(name, value)
        code = main(words)
    stream.flush()
    return code, printed.getvalue().decode()


def play_console(body, environment, folder, monkeypatch):
    for (command, shown), (following, code) in pairwise([*steps(body), ("", [])]):
        if command == "echo $?":
            continue
        ended, printed = play(command, environment, folder, monkeypatch)
        expected = int(code[0]) if following == "echo $?" else 0
        assert ended == expected, f"$ {command}\n{printed}"
        if shown:
            assert agrees(shown, printed), f"$ {command}\n{printed}"


@pytest.mark.parametrize("page", EXAMPLES, ids=name_of)
def test_what_a_page_shows_runs_and_prints_what_it_shows(page, environment, tmp_path, monkeypatch):
    folder = tmp_path / "folder"
    printed = ""
    for fence in FENCE.finditer(page.read_text(encoding="utf-8")):
        language, _, detail = fence["info"].partition(" ")
        if detail.startswith("file="):
            path = folder / detail.removeprefix("file=")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(fence["body"], encoding="utf-8")
        elif language == "console":
            play_console(fence["body"], environment, folder, monkeypatch)
        elif language == "python":
            result = run([sys.executable, "-c", fence["body"]], environment, folder)
            printed = result.stdout
            assert result.returncode == 0, printed
        elif detail == "output":
            assert agrees(fence["body"].splitlines(), printed), printed


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_inside_the_repository_leads_somewhere(page):
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_the_readme_starts_with_the_two_commands_of_the_makefile():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("demo", "test"):
        assert f"make {target}" in readme
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("aicr verify out", ["verify", "out"]),
        ("aicr bundle \\\n  --set 'a b'", ["bundle", "--set", "a b"]),
        ("aicr runtime lint out/*.yaml", None),
        ("aicr mirror out > map.yaml", None),
        ("AICR_DEBUG=1 aicr lint", None),
        ("ls out", None),
    ],
)
def test_only_a_command_that_asks_nothing_of_the_shell_runs_here(command, words):
    assert words_of(command) == words


@pytest.mark.parametrize(
    ("shown", "printed", "outcome"),
    [
        (["a", "b"], "a\nb\n", True),
        (["a", "..."], "a\nb\nc\n", True),
        (["a", "...", "c"], "a\nc\n", True),
        (["...", "c"], "a\nb\nc\n", True),
        (["a"], "a\nb\n", False),
        (["a.c"], "abc\n", False),
        (["a … c"], "a 1 b c\n", True),
        (["a … c"], "a\nb c\n", False),
    ],
)
def test_dots_stand_for_any_lines_and_an_ellipsis_for_anything_in_a_line(shown, printed, outcome):
    assert agrees(shown, printed) is outcome
