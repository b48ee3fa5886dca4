"""R4: whoever forges a bundle, inventory and lock with it, gets no markup onto its page, and no traceback out of it."""

import re

import pytest

from bundler import pipeline
from bundler.catalog.catalog import Catalog
from bundler.model.request import Request
from bundler.report.html.page import write_page
from tests.unit.report.html.made import locked, page_of, write

REQUEST = Request(
    recipe="h100-gke-cos-training-kubeflow",
    profiles={"gpuStack": "gke-default", "fabricAttachment": "gke-tcpxo-multinetwork"},
    parameters={"fabricAttachment": {"interfaces": {f"eth{number}": f"net-{number}" for number in range(1, 9)}}},
)
RUNTIME = "runtimes/clustertrainingruntime-torch-distributed-tcpxo.yaml"


@pytest.fixture(scope="module")
def catalog():
    return Catalog.load()


@pytest.fixture(scope="module")
def bundle(catalog):
    return pipeline.bundle(catalog, REQUEST)


@pytest.fixture
def forged(bundle, catalog, tmp_path):
    """The page of the bundle in whose runtime a text stands in the place of another."""

    def forge(old, new):
        directory = write(bundle, tmp_path / "bundle")
        text = (directory / RUNTIME).read_text()
        assert old in text
        (directory / RUNTIME).write_text(text.replace(old, new))
        return page_of(locked(directory), catalog)

    return forge


@pytest.mark.parametrize(
    "text",
    ["<script>alert(1)</script>", "</text></svg><img src=x>", "</title><svg onload=alert(1)>", "'><b>x</b>", "]]><b>x</b>"],
)
def test_a_forged_runtime_puts_no_markup_on_the_page(forged, text):
    page = forged("net-1", text)
    html = write_page(page)
    assert page.pods[0].links[1].network == text
    assert text not in html
    assert not re.search(r"<(?:script|img|b)\b|onload=alert\(1\)>", html.replace("&lt;", ""))
    assert "Not in order." in html


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("containers:\n", "containers: x\n                unknown:\n"),
        ("numNodes: 2", 'numNodes: "2"'),
        ("replicatedJobs:\n", "replicatedJobs: 7\n      x:\n"),
        ("annotations:\n", "annotations: []\n                x:\n"),
        ("trainer.kubeflow.org/v1alpha1", "trainer.kubeflow.org/v9"),
    ],
)
def test_a_runtime_that_is_none_is_said_and_not_drawn(forged, old, new):
    page = forged(old, new)
    assert [pods.name for pods in page.pods] == ["torch-distributed"]
    (fault,) = (finding for finding in page.findings if finding.rule == "AICR-O041")
    assert fault.message.startswith("ClusterTrainingRuntime/torch-distributed-tcpxo is not drawn: ")
    assert "AICR-O041" in write_page(page)


@pytest.mark.parametrize("amount", ['"99999999999999999999"', '"8Gi"', '"-1"', '"8.5"'])
def test_an_amount_that_is_no_number_of_gpus_draws_no_more_than_one(forged, amount):
    page = forged('nvidia.com/gpu: "8"', f"nvidia.com/gpu: {amount}")
    assert page.pods[0].boxes[1].gpus == 1


def test_a_page_stays_bounded_whatever_a_number_says(forged):
    assert len(write_page(forged('nvidia.com/gpu: "8"', 'nvidia.com/gpu: "999999"'))) < 200_000


@pytest.mark.parametrize("character", ["\\x1b[31m", "\\u202e", "\\u2028", "\\0"])
def test_no_character_acts_on_whoever_reads_the_page(forged, character):
    html = write_page(forged("net-1", "net" + character.replace("\\", "\\\\")))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e]", html)
