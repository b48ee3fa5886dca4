"""A small catalogue, for what is made of all bundles of one."""

import shutil

import pytest

from bundler.catalog.catalog import Catalog
from bundler.catalog.files import DataFiles
from bundler.catalog.root import FOLDERS, packaged_root
from bundler.catalog.store import Store

KEPT = {"base.yaml", "registry.yaml", "h100-kind-training-kubeflow.yaml", "h100-gke-cos-training-kubeflow.yaml"}


@pytest.fixture(scope="session")
def small_root(tmp_path_factory):
    """The packaged data with two recipes."""
    root = tmp_path_factory.mktemp("small")
    for folder in FOLDERS:
        shutil.copytree(packaged_root() / folder, root / folder)
    for path in (root / "recipes").glob("*.yaml"):
        if path.name not in KEPT:
            path.unlink()
    (root / "bom/lock.yaml").unlink(missing_ok=True)
    return root


def catalog_at(root):
    return Catalog(store=Store(sources=(DataFiles.index(root, label=""),)))


@pytest.fixture(scope="session")
def small(small_root):
    return catalog_at(small_root)


@pytest.fixture
def edited(small_root, tmp_path):
    """The small catalogue with one text of one file replaced by another."""

    def edit(file, before, after):
        root = tmp_path / "edited"
        if not root.exists():
            shutil.copytree(small_root, root)
        text = (root / file).read_text()
        assert before in text
        (root / file).write_text(text.replace(before, after, 1))
        return catalog_at(root)

    return edit
