"""Requirements on how a command ends: one line for a defect, silence for a reader that went away, colour only where it is seen."""

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

from bundler.cli.failure import conclude
from bundler.errors import InvalidInput, NotFound, Unavailable
from bundler.exitcodes import ExitCode

ROOT = Path(__file__).parents[2]
KIND = ("--recipe", "h100-kind-training-kubeflow")


def defect():
    with pytest.raises(KeyError) as caught:
        {}["a\x1b[31m\nb"]
    return caught.value


def test_a_defect_is_one_line_that_says_how_to_report_it(capsys):
    assert conclude(defect(), debug=False) == 8
    out, err = capsys.readouterr()
    assert out == ""
    assert err == r"internal error: KeyError: 'a\x1b[31m\nb'; report this line with what AICR_DEBUG=1 prints" + "\n"


def test_a_defect_names_the_line_of_ours_where_it_happened(capsys):
    from bundler.model.pointer import tokens

    with pytest.raises(ValueError, match="pointer") as caught:
        tokens("x")
    assert conclude(caught.value, debug=False) == 8
    assert " at pointer.py:" in capsys.readouterr().err


def test_the_traceback_of_a_defect_is_shown_on_request_and_is_harmless(capsys):
    assert conclude(defect(), debug=True) == 8
    err = capsys.readouterr().err
    assert err.startswith("Traceback (most recent call last):\n")
    assert err.endswith("; report this line with the traceback above\n")
    assert "\x1b" not in err


@pytest.mark.parametrize("words", [("--debug", "recipe", "list"), ("recipe", "list")])
def test_debug_changes_nothing_while_all_is_well(run, words):
    assert run(*words).code == 0


def test_bad_input_never_shows_a_traceback_even_on_request(run, monkeypatch):
    monkeypatch.setenv("AICR_DEBUG", "1")
    assert run("bundle", "--recipe", "nothing", "--stdout").err.startswith("error[AICR-C001]: ")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InvalidInput("AICR-U003", "m"), ExitCode.INVALID),
        (NotFound("AICR-U003", "m"), ExitCode.NOT_FOUND),
        (Unavailable("AICR-U003", "m"), ExitCode.UNAVAILABLE),
        (click.UsageError("m"), ExitCode.INVALID),
        (KeyboardInterrupt(), 130),
        (click.Abort(), 130),
        (RecursionError(), ExitCode.INTERNAL),
        (MemoryError(), ExitCode.INTERNAL),
    ],
)
def test_every_error_has_its_exit_code(capsys, error, code):
    assert conclude(error, debug=False) == code
    assert "Traceback" not in capsys.readouterr().err


def start(*words, **options):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen([sys.executable, "-m", "bundler", *words], env=environment, stderr=subprocess.PIPE, **options)


def test_a_reader_that_goes_away_ends_it_quietly():
    reading, writing = os.pipe()
    os.close(reading)
    process = start("schema", "recipe", stdout=writing)
    os.close(writing)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (141, b"")


def test_a_closed_stdout_is_no_defect():
    code = subprocess.run(
        [f"exec {sys.executable} -m bundler version >&-"],
        shell=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    assert (code.returncode, code.stderr) == (0, b"")


def test_an_interrupt_ends_it_quietly_and_leaves_nothing(tmp_path):
    fifo = tmp_path / "values.yaml"
    process = start("bundle", *KIND, "-o", str(tmp_path / "out"), "--data", str(slow_data(tmp_path)), stdout=subprocess.DEVNULL)
    time.sleep(0.7)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode in {0, 130}
    assert b"Traceback" not in err
    assert not fifo.exists()


def slow_data(tmp_path):
    """A data directory that takes a while to read."""
    overlays = tmp_path / "data" / "overlays"
    overlays.mkdir(parents=True)
    for number in range(4000):
        (overlays / f"o{number}.yaml").write_text(
            f"apiVersion: aicr.run/v2\nkind: Overlay\nmetadata: {{name: o{number}, description: x.}}\n"
            f"criteria: {{service: s{number}}}\n"
        )
    return overlays.parent


def on_a_terminal(*words, **environment):
    """What a command says on a terminal."""
    parent, child = pty.openpty()
    clean = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR"}}
    result = subprocess.run(
        [sys.executable, "-m", "bundler", *words],
        env={**clean, "PYTHONPATH": str(ROOT), "TERM": "xterm", **environment},
        stdout=subprocess.DEVNULL,
        stderr=child,
        check=False,
    )
    assert result.returncode == 2
    os.close(child)
    said = os.read(parent, 65536).decode()
    os.close(parent)
    return said


def test_a_terminal_gets_colour():
    assert on_a_terminal("nonsense").startswith("\x1b[1;31merror[AICR-U001]\x1b[0m: ")


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"NO_COLOR": "1", "FORCE_COLOR": "1"}])
def test_a_terminal_gets_no_colour_when_it_is_not_wanted(environment):
    assert on_a_terminal("nonsense", **environment).startswith("error[AICR-U001]: ")


def test_a_pipe_gets_colour_only_when_it_is_forced(process):
    assert process("nonsense").err.startswith("error[AICR-U001]: ")
    assert process("nonsense", FORCE_COLOR="1").err.startswith("\x1b[1;31merror[AICR-U001]\x1b[0m: ")
