"""On a terminal tables fit it and long work shows how far it is; elsewhere the bytes are the same, and rich is not imported."""

import os
import pty
import re
import select
import subprocess
import sys
from pathlib import Path

import pytest

from bundler.report.table import drawn, table

ROOT = Path(__file__).parents[2]
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
AICR = ("-m", "bundler")
COUNTED = "from bundler.cli.progress import watching; print(sum(watching('numbers')(range(3))))"


@pytest.fixture
def terminal():
    """What a program writes to a terminal that is stdout, stderr or both; where it is one only, the other is returned, too."""

    def show(*words, streams=("stdout", "stderr"), columns=80, **environment):
        ours, theirs = pty.openpty()
        clean = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS"}}
        process = subprocess.Popen(
            [sys.executable, *words],
            env={**clean, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", "COLUMNS": str(columns), **environment},
            stdin=subprocess.DEVNULL,
            **{stream: theirs if stream in streams else subprocess.PIPE for stream in ("stdout", "stderr")},
        )
        os.close(theirs)
        shown = b""
        while select.select([ours], [], [], 30)[0]:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # what Linux says when the other end is closed
                break
            if not piece:
                break
            shown += piece
        os.close(ours)
        out, err = process.communicate(timeout=30)
        assert process.returncode == 0
        return shown.decode().replace("\r\n", "\n"), (out or err or b"").decode()

    return show


@pytest.mark.parametrize("columns", [20, 80, 120])
def test_a_table_fits_the_terminal_and_loses_nothing(terminal, run, columns):
    shown, _ = terminal(*AICR, "recipe", "list", columns=columns)
    plain = ESCAPES.sub("", shown)
    assert "─" in plain
    assert max(map(len, plain.splitlines())) <= max(columns, 24)
    letters = "".join(plain.split())
    assert columns < 120 or "vr200-rke2-ubuntu-2604-training-kubeflow" in plain
    assert sorted(letters.replace("─", "")) == sorted("".join(run("recipe", "list").out.split()))


def test_the_head_of_a_table_is_set_off_without_colour(terminal):
    shown, _ = terminal(*AICR, "profile", "list", NO_COLOR="1")
    assert "\x1b[1m" in shown
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]m", shown)


@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {"TERM": "dumb", "NO_COLOR": "1"}])
def test_a_terminal_that_cannot_do_it_gets_what_a_pipe_gets(terminal, run, environment):
    assert terminal(*AICR, "profile", "list", **environment)[0] == run("profile", "list").out


@pytest.mark.parametrize("environment", [{}, {"FORCE_COLOR": "1"}, {"NO_COLOR": "1"}])
def test_what_is_piped_is_the_same_whatever_stderr_is(terminal, run, environment):
    _, out = terminal(*AICR, "profile", "list", streams=("stderr",), **environment)
    assert out == run("profile", "list").out


def test_long_work_shows_how_far_it_is_and_leaves_nothing_behind(terminal):
    shown, out = terminal("-c", COUNTED, streams=("stderr",))
    assert out == "3\n"
    assert "numbers" in shown
    assert "3/3" in shown
    assert shown.endswith("\x1b[2K"), "the line is erased"


@pytest.mark.parametrize("environment", [{"TERM": "dumb"}])
def test_long_work_says_nothing_on_a_terminal_that_cannot_do_it(terminal, environment):
    assert terminal("-c", COUNTED, streams=("stderr",), **environment) == ("", "3\n")


def test_rich_is_imported_on_a_terminal_only():
    script = "import sys; from bundler.cli import main; main(['recipe', 'list']); sys.exit('rich' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    assert subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, check=False).returncode == 0


def test_a_cell_is_text_and_no_markup(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    from bundler.cli.drawing import drawn_for_a_terminal

    with drawn_for_a_terminal():
        text = ESCAPES.sub("", table(("name",), [("[bold]x[/]",), (":smile: \x1b[31m",)]))
    assert text.splitlines()[2:] == ["[bold]x[/]", r":smile: \x1b[31m"]


def test_a_way_of_drawing_holds_while_it_is_open():
    with drawn(lambda header, rows: f"{header} {rows}\n"):
        assert table(("a",), [("",)]) == "['A'] [['-']]\n"
    assert table(("a",), [("",)]) == "A\n-\n"
