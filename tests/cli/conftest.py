"""`run` is one command in this process: exit code, product and what was said. Nothing is mocked."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from bundler.cli import main

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    def __iter__(self):
        return iter((self.code, self.out, self.err))


@pytest.fixture
def run(capsysbinary, monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR", "AICR_DEBUG", "_AICR_COMPLETE"):
        monkeypatch.delenv(name, raising=False)

    def call(*words):
        capsysbinary.readouterr()
        code = main([str(word) for word in words])
        out, err = capsysbinary.readouterr()
        return Outcome(int(code), out.decode(), err.decode())

    return call
