"""What `aicr diff --format html` writes, in a browser: it loads nothing, fits a telephone, and passes axe-core."""

import pytest

from bundler.catalog.catalog import Catalog
from bundler.diff.classes import Classes
from bundler.diff.diff import diff
from bundler.diff.side import Tree
from bundler.report.changes import told
from bundler.report.changes_html import html
from tests.browser.conftest import AXE

HEAD = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A diff of every kind: high and low risk, added, removed, reordered, moved, texts, and a name as long as names get."""
    before = {
        "a.yaml": f"{HEAD}data: {{k: one, {'x' * 120}: a}}\n",
        "role.yaml": "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: r}\nrules: [{verbs: [get, list]}]\n",
        "README.md": "# one\n",
        "old.yaml": "a: 1\n",
    }
    after = {
        "b/a.yaml": f"{HEAD}data: {{k: two, {'x' * 120}: b}}\n",
        "role.yaml": "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: r}\nrules: [{verbs: [list, get]}]\n",
        "README.md": "# two\n",
        "new.yaml": "b:\n- 1\n- 2\n",
    }
    trees = (
        Tree(label=label, files={name: text.encode() for name, text in files.items()})
        for label, files in (("a", before), ("b", after))
    )
    file = tmp_path_factory.mktemp("diff") / "diff.html"
    file.write_text(html(told(diff(*trees, Catalog.load().derived(Classes.of)))), encoding="utf-8")
    return file


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_page(tab, page, width, scheme):
    tab.open(page, width=width, scheme=scheme)
    assert tab.run("document.documentElement.scrollWidth <= innerWidth")
    assert tab.run("performance.getEntriesByType('resource').length") == 0
    tab.run(AXE.read_text(encoding="utf-8") + "; null")
    violations, passed = tab.run("axe.run().then(result => [result.violations, result.passes.length])")
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in violations] == []
    assert passed > 15
