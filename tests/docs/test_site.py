"""The documentation is built as a site, strictly, and no page of it loads anything from elsewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [
    path.relative_to(ROOT / "docs")
    for path in sorted((ROOT / "docs").rglob("*.md"))
    if path.parent.name in {"tutorial", "how-to", "reference", "explanation", "adr"}
]
LOADS = re.compile(r"""<(?:script|img|iframe|source|link)\b[^>]*?\b(?:src|href)=["'](https?:)?//""")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built from the pages as they are."""
    folder = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-W", "ignore", "-m", "mkdocs", "build", "--quiet", "--strict"]
    build = subprocess.run(
        [*words, "--config-file", ROOT / "docs/site/mkdocs.yml", "--site-dir", folder],
        env={"PATH": "", "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert build.returncode == 0, build.stdout + build.stderr
    return folder


def test_every_page_is_in_the_site_and_in_its_navigation(site):
    start = (site / "index.html").read_text(encoding="utf-8")
    for page in PAGES:
        assert (site / page.with_suffix(".html")).is_file()
        assert f'href="{page.with_suffix(".html")}"' in start, page


def test_no_page_loads_anything_from_elsewhere(site):
    for page in site.rglob("*.html"):
        assert not LOADS.search(page.read_text(encoding="utf-8")), page
    for sheet in site.rglob("*.css"):
        assert not re.search(r"url\(['\"]?(?:https?:)?//|@import", sheet.read_text(encoding="utf-8")), sheet


def test_what_tests_read_after_the_language_of_a_fence_is_not_shown(site):
    page = (site / "how-to/add-an-overlay.html").read_text(encoding="utf-8")
    assert "file=" not in page
    assert '<span class="filename">' in page


def test_a_file_that_a_page_links_to_is_there(site):
    page = (site / "explanation/fabric.html").read_text(encoding="utf-8")
    assert 'href="../source/bom/releases/tcpxo.yaml"' in page
    assert (site / "source/bom/releases/tcpxo.yaml").read_bytes() == (ROOT / "bom/releases/tcpxo.yaml").read_bytes()
