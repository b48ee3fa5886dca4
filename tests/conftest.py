"""What every test shares: imports of `tests.…` from anywhere, property tests with the same examples in every run, golden files."""

import os
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


@pytest.fixture
def update_golden(request):
    """Whether golden files are rewritten: never in CI, where a difference is a finding."""
    wanted = request.config.getoption("--update-golden")
    if wanted and os.environ.get("CI", "").lower() in {"1", "true"}:
        pytest.fail("golden files are not updated in CI")
    return wanted
