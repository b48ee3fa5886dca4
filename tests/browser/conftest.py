"""One browser, and pages of bundles in it. Without a browser these tests are skipped; CI sets AICR_BROWSER=required and has one."""

import os
import sys
from pathlib import Path

import pytest

from bundler.audit.every_bundle import bundle_of
from bundler.audit.portrayal import portray
from bundler.catalog.catalog import Catalog
from bundler.profiles.trials import trials
from bundler.report.html.page import write_page
from bundler.sides.opening import open_side
from tests.browser.chromium import browser, new_tab, program
from tests.unit.report.html.made import write

AXIS = "fabricAttachment"
AXE = Path(sys.prefix) / "axe" / "axe.min.js"


@pytest.fixture(scope="session")
def connection():
    if program() is None or not AXE.is_file():
        reason = "no Chromium or no axe-core; .ci/browser installs them"
        if os.environ.get("AICR_BROWSER") == "required":
            pytest.fail(reason)
        pytest.skip(reason)
    with browser() as connection:
        yield connection


@pytest.fixture(scope="session")
def tab(connection):
    return new_tab(connection)


@pytest.fixture(scope="session")
def pages(tmp_path_factory):
    """Fabric value → the file with the page of the first bundle that has it.

    `faulty` is one that is not in order, `changed` is another one's page against it.
    """
    folder, catalog, found = tmp_path_factory.mktemp("pages"), Catalog.load(), {}
    for recipe in catalog.recipes.values():
        for request in trials(catalog, recipe):
            value = request.profiles.get(AXIS)
            if value is not None and value not in found:
                directory = write(bundle_of(catalog, request), folder / value)
                found[value] = _page(directory, catalog)
    (folder / "none/README.md").write_text("mine\n")
    found["faulty"] = _page(folder / "none", catalog, name="faulty")
    found["changed"] = _page(folder / "oke-rdma-vf", catalog, name="changed", against=folder / "none")
    return found


def _page(directory, catalog, *, name="", against=None):
    sides = against and tuple(open_side(str(side), recipes=(), render=None) for side in (against, directory))
    file = directory.with_name(f"{name or directory.name}.html")
    file.write_text(write_page(portray(directory, catalog, sides=sides)), encoding="utf-8")
    return file
