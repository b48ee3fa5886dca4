"""`run` is one command in this process: exit code, product and what was said. Nothing is mocked."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from bundler.cli import main

ROOT = Path(__file__).parents[2]
COLOURS = ("NO_COLOR", "FORCE_COLOR")


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    def __iter__(self):
        return iter((self.code, self.out, self.err))


@pytest.fixture
def process():
    """One command in a process of its own, with more in its environment."""

    def call(*words, **environment):
        clean = {name: value for name, value in os.environ.items() if name not in COLOURS}
        result = subprocess.run(
            [sys.executable, "-m", "bundler", *map(str, words)],
            env={**clean, "PYTHONPATH": str(ROOT), **environment},
            capture_output=True,
            check=False,
        )
        return Outcome(result.returncode, result.stdout.decode(), result.stderr.decode())

    return call


@pytest.fixture
def run(capsysbinary, monkeypatch):
    for name in (*COLOURS, "AICR_DEBUG", "_AICR_COMPLETE"):
        monkeypatch.delenv(name, raising=False)

    def call(*words):
        capsysbinary.readouterr()
        code = main([str(word) for word in words])
        out, err = capsysbinary.readouterr()
        return Outcome(int(code), out.decode(), err.decode())

    return call
