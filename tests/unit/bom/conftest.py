"""A small catalogue, for what is made of all bundles of one; and no test here opens a socket."""

import socket

import pytest

from bundler.catalog.catalog import Catalog
from bundler.model.request import Request
from bundler.pipeline import bundle


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    """A socket is never opened: what is not at hand is said to be missing."""

    def refuse(*_arguments, **_named):
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)


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
