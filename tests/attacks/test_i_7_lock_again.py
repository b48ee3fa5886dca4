"""Row I7: lock; lock --check; lock again is byte-identical, whatever the hash seed (uv issue 17747)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_a_lock_is_current_the_moment_it_is_made_and_the_same_when_made_again(tmp_path):
    (tmp_path / "bom").mkdir()
    path = tmp_path / "bom/lock.yaml"

    def run(*words, seed):
        return subprocess.run(
            [sys.executable, "-m", "bundler", "lock", *words, "--data", str(tmp_path)],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=False,
        )

    assert run(seed="0").returncode == 0
    first = path.read_bytes()
    assert run("--check", seed="1").returncode == 0
    again = run(seed="2")
    assert (again.returncode, again.stderr.endswith("already up to date\n")) == (0, True)
    assert path.read_bytes() == first
