"""A small catalogue, for what is made of all bundles of one; and no test here opens a socket."""

import shutil
import socket

import pytest

from bundler.catalog.catalog import Catalog
from bundler.catalog.files import DataFiles
from bundler.catalog.root import FOLDERS, packaged_root
from bundler.catalog.store import Store
from bundler.model.request import Request
from bundler.pipeline import bundle

KEPT = {"base.yaml", "registry.yaml", "h100-kind-training-kubeflow.yaml", "h100-gke-cos-training-kubeflow.yaml"}


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    """A socket is never opened: what is not at hand is said to be missing."""

    def refuse(*_arguments, **_named):
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)


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


@pytest.fixture(scope="session")
def packaged():
    return Catalog.load()


@pytest.fixture(scope="session")
def tcpxo():
    """The request of a user with A3 Mega nodes."""
    return Request(
        recipe="h100-gke-cos-training-kubeflow",
        profiles={"gpuStack": "gke-default", "fabricAttachment": "gke-tcpxo-multinetwork"},
        parameters={"fabricAttachment": {"interfaces": {f"eth{number}": f"net-{number}" for number in range(1, 9)}}},
    )


@pytest.fixture(scope="session")
def made(packaged, tcpxo):
    return bundle(packaged, tcpxo)
