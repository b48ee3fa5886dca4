"""A Certification for one category, and its Workflow, from the packaged catalogue."""

import pytest

from bundler.catalog.catalog import Catalog
from bundler.certify.certification import render_certification
from bundler.certify.site import Site
from bundler.yamlio.reader import read
from bundler.yamlio.writer import dump


@pytest.fixture(scope="session")
def catalog():
    return Catalog.load()


@pytest.fixture
def certification(catalog):
    """A Certification as a document, valid by its schema."""

    def make(*categories, product="NVIDIA-H100-80GB-HBM3", name="test-cert", **spec):
        stated = [
            category if isinstance(category, dict) else dict(zip(("domain", "variant"), category.split("/"), strict=True))
            for category in categories
        ]
        selector = {"nodeSelector": {"nvidia.com/gpu.product": product}} if product else {"nodeSelector": {"pool": "gpu"}}
        data = {
            "apiVersion": "nvcre.nvidia.com/v1alpha1",
            "kind": "Certification",
            "metadata": {"name": name},
            "spec": {"target": selector, "categories": stated, **spec},
        }
        document = read(dump(data).encode(), "cert.yaml")
        assert catalog.validator("certification").check(document.data, document=document) == ()
        return document

    return make


@pytest.fixture
def render(catalog, certification):
    """The rendering of a Certification of one category or more."""

    def call(platform, architecture, *categories, site=None, explain=False, **spec):
        document = certification(*categories, product=f"NVIDIA-{architecture.upper()}", **spec)
        return render_certification(catalog, document, Site(platform=platform, **(site or {})), explain=explain)

    return call


@pytest.fixture
def workflow(render):
    """The one Workflow of a category."""

    def call(platform, architecture, category, **spec):
        (only,) = render(platform, architecture, category, **spec).workflows
        return only

    return call
