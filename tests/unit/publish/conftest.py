"""Bundles of the packaged recipes, laid out as the pipeline lays them out."""

from dataclasses import dataclass

import pytest

from bundler.catalog.catalog import Catalog
from bundler.model.bundle import Bundle
from bundler.model.composition import Composition
from bundler.model.request import Request
from bundler.pipeline import compose
from bundler.publish.layout import lay_out
from bundler.render.render import render_resources
from bundler.yamlio.reader import read


@dataclass(frozen=True)
class Made:
    """One bundle with what it was made from."""

    request: Request
    composition: Composition
    bundle: Bundle

    def data(self, path):
        """The parsed content of one file."""
        return read(self.bundle.files[path], path).data


@pytest.fixture(scope="session")
def catalog():
    return Catalog.load()


@pytest.fixture(scope="session")
def make(catalog):
    def make(request, catalog=catalog):
        composition = compose(catalog, request)
        resources = render_resources(catalog, composition)
        return Made(request=request, composition=composition, bundle=lay_out(composition, resources, request, catalog))

    return make


@pytest.fixture(scope="session")
def tcpxo():
    """The request of a user with A3 Mega nodes."""
    return Request(
        recipe="h100-gke-cos-training-kubeflow",
        profiles={"gpuStack": "gke-default", "fabricAttachment": "gke-tcpxo-multinetwork"},
        parameters={"fabricAttachment": {"interfaces": {f"eth{number}": f"net-{number}" for number in range(1, 9)}}},
    )


@pytest.fixture(scope="session")
def made(make, tcpxo):
    return make(tcpxo)
