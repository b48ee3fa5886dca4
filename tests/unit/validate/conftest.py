"""Fixtures of the tests of validation."""

import pytest

from bundler.cluster.saved import read
from tests.unit.validate.kit import CATALOG, NETWORKS, SAMPLES, shipped_with


@pytest.fixture(scope="module")
def shipped():
    return shipped_with(NETWORKS)


@pytest.fixture(scope="module")
def snapshot():
    """Two healthy nodes with eight Networks; nothing of the Trainer was read."""
    return read([SAMPLES / "01-gke-a3mega-nodes.yaml", SAMPLES / "03-gke-a3mega-networks.yaml"], CATALOG)
