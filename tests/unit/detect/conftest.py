import pytest

from bundler.catalog.catalog import Catalog


@pytest.fixture(scope="session")
def catalog():
    return Catalog.load()
