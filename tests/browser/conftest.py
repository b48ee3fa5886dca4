"""One browser, and pages of bundles in it. Without a browser these tests are skipped; CI sets AICR_BROWSER=required and has one."""

import os
import sys
from pathlib import Path

import pytest

from bundler.catalog.catalog import Catalog
from bundler.lint.trial import trials
from bundler.report.html.page import write_page
from bundler.whole import bundle_of
from tests.browser.chromium import browser, new_tab, program
from tests.unit.report.html.made import page_of, write

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
    """Fabric value → the file with the page of the first bundle that has it; `faulty` is one that is not in order."""
    folder, catalog, found = tmp_path_factory.mktemp("pages"), Catalog.load(), {}
    for recipe in catalog.recipes.values():
        for request in trials(catalog, recipe):
            value = request.profiles.get(AXIS)
            if value is not None and value not in found:
                directory = write(bundle_of(catalog, request), folder / value)
                found[value] = _page(directory, catalog)
    (folder / "none/README.md").write_text("mine\n")
    found["faulty"] = _page(folder / "none", catalog)
    return found


def _page(directory, catalog):
    page = page_of(directory, catalog)
    file = directory.with_name(f"{directory.name}-{len(page.faults)}.html")
    file.write_text(write_page(page), encoding="utf-8")
    return file
