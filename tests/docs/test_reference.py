"""The generated reference is current. A failure prints the command that mends it."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_generated_reference_is_current():
    check = subprocess.run(
        [sys.executable, "docs/generate.py", "--check"], cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert check.returncode == 0, check.stderr
