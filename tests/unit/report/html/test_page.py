"""The page says what the bundle is, the same each time, and no more: no markup, no secret, no request, no trace of a machine."""

import re
import shutil
from dataclasses import replace
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest

from bundler import pipeline
from bundler.catalog.catalog import Catalog
from bundler.errors import InvalidInput
from bundler.model.finding import Finding, Severity
from bundler.model.location import Location
from bundler.model.request import Override, Request
from bundler.report.html.page import STATED, write_page
from tests.unit.report.html.made import page_of, sealed, write

HOSTILE = "</title></code><script>alert(1)</script><img src=x onerror=alert(1)>\"'><a href='javascript:alert(1)'>&lt;"


class Read(HTMLParser):
    """Every element with its attributes, and the text of the page."""

    VOID = frozenset({"meta", "link", "br", "img", "input"})

    def __init__(self):
        super().__init__()
        self.elements = []
        self.open = []
        self.text = []

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def read(html):
    parser = Read()
    parser.feed(html)
    assert parser.open == []
    return SimpleNamespace(elements=parser.elements, text=re.sub(r"\s+", " ", "".join(parser.text)))


@pytest.fixture(scope="module")
def tcpxo(first_of_each_value):
    return first_of_each_value["gke-tcpxo-multinetwork"]


@pytest.fixture(scope="module")
def directory(bundle_of_each_value, tmp_path_factory):
    return write(bundle_of_each_value["gke-tcpxo-multinetwork"], tmp_path_factory.mktemp("written") / "bundle")


def test_the_page_says_what_the_bundle_is(tcpxo):
    page = read(write_page(tcpxo))
    for text in (
        "In order. 24 files as listed, true to the lock, rendered again to the same bytes.",
        "Training on GKE A3 Mega (a3-megagpu-8g) with Kubeflow Trainer.",
        "gke-tcpxo-multinetwork GPUDirect-TCPXO over eight GKE Device networks; a job fills whole nodes.",
        "eth8 leads to gpu-nic-7.",
        "overlay service-gke",
        "recipes/profiles/fabricAttachment.yaml:",
        "cert-manager v1.20.2",
        "tcpxo v1.0.15",
        "sha256:8d9e10fd589a34ab8a0aa64f7e70ad075c8f1c69bea176350f8d211367697e3d",
        "Each node is taken whole, with nvidia.com/gpu: 8.",
        "NCCL logs Using network FasTrak",
        "busbw of at least 300 GB/s (all-reduce)",
        "nccl-all-reduce-tcpxo",
        "delivered-artifact",
    ):
        assert text in page.text, text


def test_every_fabric_value_has_a_page_that_is_well_formed(first_of_each_value):
    for page in first_of_each_value.values():
        elements = read(write_page(page)).elements
        names = [attributes["id"] for _, attributes in elements if "id" in attributes]
        assert len(names) == len(set(names))
        targets = [attributes["href"][1:] for _, attributes in elements if attributes.get("href", "").startswith("#")]
        assert set(targets) <= set(names)


def test_the_page_asks_for_nothing(tcpxo):
    html = write_page(tcpxo)
    elements = read(html).elements
    assert not any(tag in {"script", "iframe", "object", "embed", "form", "base", "img"} for tag, _ in elements)
    assert not any(name in {"src", "srcset", "style"} or name.startswith("on") for _, attributes in elements for name in attributes)
    assert [attributes["href"] for tag, attributes in elements if tag == "link"] == ["data:,"]
    assert not re.search(r"@import|url\(", html)


def test_a_table_says_what_it_is_and_heads_every_column(tcpxo):
    html = write_page(tcpxo)
    assert html.count("<table>") == html.count("<caption>")
    assert all("scope" in attributes for tag, attributes in read(html).elements if tag == "th")


def test_the_same_bundle_gives_the_same_page_wherever_it_stands(directory, catalog, tmp_path, monkeypatch):
    shutil.copytree(directory, tmp_path / "elsewhere")
    monkeypatch.chdir(tmp_path)
    html = write_page(page_of(directory, catalog))
    assert html == write_page(page_of((tmp_path / "elsewhere").relative_to(tmp_path), Catalog.load()))
    assert str(tmp_path) not in html


def test_a_bundle_of_other_data_is_said_not_to_have_been_rendered(directory, tmp_path):
    data = tmp_path / "data"
    (data / "overlays/service").mkdir(parents=True)
    overlay = "apiVersion: aicr.run/v2\nkind: Overlay\nmetadata: {name: mine, description: x}\ncriteria: {service: gke}\n"
    (data / "overlays/mine.yaml").write_text(overlay)
    page = page_of(directory, Catalog.load(data))
    text = read(write_page(page)).text
    assert page.composition is None
    assert "Closed and true to its lock. It was not rendered again." in text
    assert "note AICR-O040 the bundle was not rendered again" in text
    assert "eth8 leads to gpu-nic-7." in text
    assert "Each node gives a pod nvidia.com/gpu: 8." in text


def test_a_bundle_whose_file_was_edited_is_said_not_to_be_in_order(directory, tmp_path, catalog):
    shutil.copytree(directory, tmp_path / "edited")
    (tmp_path / "edited/README.md").write_text("mine\n")
    text = read(write_page(page_of(tmp_path / "edited", catalog))).text
    assert "Not in order. 1 error, listed below." in text
    assert "error AICR-O032 README.md is not the file that checksums.txt lists" in text


def test_without_a_lock_to_trust_there_is_no_page(directory, tmp_path, catalog):
    shutil.copytree(directory, tmp_path / "edited")
    lock = tmp_path / "edited/bundle.lock.yaml"
    lock.write_text(lock.read_text().replace("lockVersion: 1", "lockVersion: 2"))
    sealed(tmp_path / "edited")
    with pytest.raises(InvalidInput) as caught:
        page_of(tmp_path / "edited", catalog)
    assert caught.value.findings[0].rule == "AICR-O037"


def test_every_part_of_a_lock_is_shown(catalog):
    """A part that is new here is new on the page, or the page passes over something that was decided."""
    in_sections = {
        "recipe",
        "digest",
        "criteria",
        "machineType",
        "machineTypes",
        "profiles",
        "constraints",
        "components",
        "releases",
    }
    in_sections |= {"images", "runtimes", "inputs", "outputs"}
    assert in_sections | {*STATED} | {"apiVersion", "kind", "lockVersion"} == catalog.schemas["bundlelock"]["properties"].keys()


def test_no_value_is_markup(tcpxo):
    pods = replace(
        tcpxo.pods[0],
        name=HOSTILE,
        namespace=HOSTILE,
        links=tuple(replace(link, name=HOSTILE, network=HOSTILE) for link in tcpxo.pods[0].links),
        boxes=tuple(replace(box, name=HOSTILE, image=HOSTILE, gpu=HOSTILE, devices=(HOSTILE,)) for box in tcpxo.pods[0].boxes),
        volumes=tuple(replace(volume, name=HOSTILE, source=HOSTILE) for volume in tcpxo.pods[0].volumes),
    )
    place = Location(file=HOSTILE)
    finding = Finding(rule="AICR-O032", message=HOSTILE, location=place, pointer=HOSTILE, fix=HOSTILE, severity=Severity.ERROR)
    contract = {**tcpxo.contracts[0], "name": HOSTILE, "transport": HOSTILE, "floor": HOSTILE, "job": {HOSTILE: HOSTILE}}
    lock = hostile(tcpxo.lock)
    page = replace(
        tcpxo, lock=lock, description=HOSTILE, findings=(finding,), pods=(pods,), contracts=(contract,), composition=None
    )
    plain, attacked = read(write_page(tcpxo)), read(write_page(page))
    assert {tag for tag, _ in attacked.elements} <= {tag for tag, _ in plain.elements} | {"li", "ul"}
    names = {name for _, attributes in plain.elements for name in attributes}
    assert {name for _, attributes in attacked.elements for name in attributes} <= names
    assert not any("javascript" in attributes.get("href", "")[:20] for _, attributes in attacked.elements)
    assert "<script>alert(1)</script>" in attacked.text


def hostile(data):
    """The lock with every text made hostile; what its schema holds to a form or a table looks up stays."""
    if isinstance(data, dict):
        return {key: hostile(value) for key, value in data.items()}
    if isinstance(data, list):
        return [hostile(item) for item in data]
    return HOSTILE if isinstance(data, str) else data


@pytest.mark.parametrize("source", ["javascript:alert(1)", "http://x.example", "data:text/html,x", " https://x.example"])
def test_only_a_secure_address_is_linked_to(tcpxo, source):
    lock = {**tcpxo.lock, "releases": [{**tcpxo.lock["releases"][0], "source": source}]}
    elements = read(write_page(replace(tcpxo, lock=lock))).elements
    assert not any(attributes.get("href") == source for _, attributes in elements)


def test_secrets_are_not_carried_away(catalog, tmp_path):
    value = [{"name": "LICENSE_TOKEN", "value": "correct-horse-battery"}]
    place = Location(file="--set-json")
    override = Override(component="gpu-operator", path=("driver", "env"), value=value, location=place)
    bundle = pipeline.bundle(catalog, Request(recipe="h100-kind-training-kubeflow", overrides=(override,)))
    html = write_page(page_of(write(bundle, tmp_path / "bundle"), catalog))
    assert "correct-horse-battery" not in html
    assert "[redacted]" in html
