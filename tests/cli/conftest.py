"""`run` is one command in this process: exit code, product and what was said. Nothing is mocked."""

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from bundler.cli import main

ROOT = Path(__file__).parents[2]


def pytest_addoption(parser):
    with suppress(ValueError):  # another folder's conftest may have declared it first
        parser.addoption("--update-golden", action="store_true", help="rewrite the golden files instead of comparing them")


@pytest.fixture
def update_golden(request):
    """Whether golden files are rewritten: never in CI, where a difference is a finding."""
    wanted = request.config.getoption("--update-golden", default=False)
    if wanted and os.environ.get("CI", "").lower() in {"1", "true"}:
        pytest.fail("golden files are not updated in CI")
    return wanted


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
