"""One bundle of each fabric value, and what a page says of it: made once."""

import pytest

from bundler.audit.every_bundle import bundle_of
from bundler.catalog.catalog import Catalog
from bundler.profiles.trials import trials
from tests.unit.report.html.made import page_of, write

AXIS = "fabricAttachment"


@pytest.fixture(scope="session")
def catalog():
    return Catalog.load()


@pytest.fixture(scope="session")
def bundle_of_each_value(catalog):
    found = {}
    for recipe in catalog.recipes.values():
        for request in trials(catalog, recipe):
            value = request.profiles.get(AXIS)
            if value is not None and value not in found:
                found[value] = bundle_of(catalog, request)
    return found


@pytest.fixture(scope="session")
def first_of_each_value(bundle_of_each_value, catalog, tmp_path_factory):
    """Fabric value → the page of the first bundle that has it."""
    folder = tmp_path_factory.mktemp("bundles")
    return {value: page_of(write(bundle, folder / value), catalog) for value, bundle in bundle_of_each_value.items()}
