"""A folder for each test that another user can pass through."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest


@pytest.fixture
def tmp_path():
    """A folder of the test's own. Those of pytest are closed to other users again by whichever of its sessions starts next."""
    with TemporaryDirectory() as name:
        path = Path(name).resolve()
        path.chmod(0o711)
        yield path
