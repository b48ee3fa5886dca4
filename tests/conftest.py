"""What every test shares: imports of `tests.…` from anywhere, property tests with the same examples in every run, golden files."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parents[1]))

settings.register_profile(
    "ci", derandomize=True, deadline=None, database=None, print_blob=False, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("ci")


def pytest_addoption(parser):
    parser.addoption("--update-golden", action="store_true", help="rewrite the golden files instead of comparing them")


@pytest.fixture(scope="session")
def tool():
    """Run a program that is no part of the environment, such as helm; without it the test is skipped, and in CI it fails."""

    def call(name, *words, cwd):
        if shutil.which(name) is None:
            missing = pytest.fail if os.environ.get("AICR_TEST_TOOLS") == "required" else pytest.skip
            missing(f"{name} is not on PATH; .ci/tools installs it")
        return subprocess.run([name, *map(str, words)], cwd=cwd, capture_output=True, check=False)

    return call


@pytest.fixture
def update_golden(request):
    """Whether golden files are rewritten: never in CI, where a difference is a finding."""
    wanted = request.config.getoption("--update-golden")
    if wanted and os.environ.get("CI", "").lower() in {"1", "true"}:
        pytest.fail("golden files are not updated in CI")
    return wanted
