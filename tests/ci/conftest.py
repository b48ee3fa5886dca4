"""A scratch repository with a committed bundle, and the `aicr` that works in it."""

import os
import shutil
import sys

import pytest

from tests.ci.kit import ROOT, Repository


@pytest.fixture(scope="session")
def environment(tmp_path_factory):
    """An environment with an `aicr` that is this checkout's, and nothing of the user's git."""
    folder = tmp_path_factory.mktemp("environment")
    program = folder / "bin" / "aicr"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bundler "$@"\n')
    program.chmod(0o755)
    return {
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "HOME": str(folder),
        "LC_ALL": "C.UTF-8",
        "GIT_AUTHOR_NAME": "t",
        "GIT_AUTHOR_EMAIL": "t@example.com",
        "GIT_COMMITTER_NAME": "t",
        "GIT_COMMITTER_EMAIL": "t@example.com",
    }


@pytest.fixture(scope="session")
def committed(tmp_path_factory, environment):
    """The repository, made once."""
    made = Repository(tmp_path_factory.mktemp("committed"), environment)
    made.run("git", "init", "-q", "-b", "main")
    made.replicas(1)
    made.bundle()
    made.commit("a: bundle")
    return made.path


@pytest.fixture
def repository(committed, tmp_path, environment):
    return Repository(shutil.copytree(committed, tmp_path / "site"), environment)
